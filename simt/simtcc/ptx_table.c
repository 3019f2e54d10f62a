/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: the instructions whose name, modifiers and type name a function of simt_ptx.h, and whose operands are one
 * destination and sources. The table says which modifiers and types each one has. Modifiers may come in any order: the assembler
 * of CUDA is stricter.
 */
#include "ptx_parts.h"

#define SIXTEEN "f16 f16x2 bf16 bf16x2"

/* Modifiers with `-` before them do not change the result here; the others become part of the function's name. `ftz`, and
 * `sat` of floating-point types, wrap operands and result instead. */
static const struct row {
    const char *name, *modifiers, *types;
    unsigned sources;
} rows[] = {
    {"abs", "ftz", "s16 s32 s64 f32 f64 " SIXTEEN, 1},
    {"neg", "ftz", "s16 s32 s64 f32 f64 " SIXTEEN, 1},
    {"add", "cc sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64 u16x2 s16x2 " SIXTEEN, 2},
    {"sub", "cc sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64 " SIXTEEN, 2},
    {"addc", "cc", "u32 s32 u64 s64", 2},
    {"subc", "cc", "u32 s32 u64 s64", 2},
    {"mul", "lo hi wide sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64 " SIXTEEN, 2},
    {"mad", "lo hi wide cc sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64", 3},
    {"madc", "lo hi cc", "u32 s32 u64 s64", 3},
    {"fma", "relu sat ftz -rn rz rm rp", "f32 f64 " SIXTEEN, 3},
    {"mul24", "lo hi", "u32 s32", 2},
    {"mad24", "lo hi", "u32 s32", 3},
    {"sad", "", "u16 s16 u32 s32 u64 s64", 3},
    {"div", "-full -approx ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64", 2},
    {"rem", "", "u16 s16 u32 s32 u64 s64", 2},
    {"min", "ftz NaN", "u16 s16 u32 s32 u64 s64 f32 f64 u16x2 s16x2 " SIXTEEN, 2},
    {"max", "ftz NaN", "u16 s16 u32 s32 u64 s64 f32 f64 u16x2 s16x2 " SIXTEEN, 2},
    {"popc", "", "b32 b64", 1},
    {"clz", "", "b32 b64", 1},
    {"bfind", "shiftamt", "u32 s32 u64 s64", 1},
    {"brev", "", "b32 b64", 1},
    {"fns", "", "b32", 3},
    {"bfe", "", "u32 s32 u64 s64", 3},
    {"bfi", "", "b32 b64", 4},
    {"bmsk", "clamp wrap", "b32", 2},
    {"szext", "clamp wrap", "u32 s32", 2},
    {"and", "", "b16 b32 b64 pred", 2},
    {"or", "", "b16 b32 b64 pred", 2},
    {"xor", "", "b16 b32 b64 pred", 2},
    {"not", "", "b16 b32 b64 pred", 1},
    {"cnot", "", "b16 b32 b64", 1},
    {"shl", "", "b16 b32 b64", 2},
    {"shr", "", "b16 b32 b64 u16 u32 u64 s16 s32 s64", 2},
    {"shf", "l r clamp wrap", "b32", 3},
    {"vshl", "-u32 clamp wrap add", "u32", 3},
    {"vshr", "-u32 clamp wrap add", "u32", 3},
    {"prmt", "f4e b4e rc8 ecl ecr rc16", "b32", 3},
    {"lop3", "", "b32", 4},
    {"selp", "", "b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64", 3},
    {"rcp", "-approx ftz -rn rz rm rp", "f32 f64", 1},
    {"sqrt", "-approx ftz -rn rz rm rp", "f32 f64", 1},
    {"rsqrt", "-approx ftz", "f32 f64", 1},
    {"sin", "-approx ftz", "f32", 1},
    {"cos", "-approx ftz", "f32", 1},
    {"lg2", "-approx ftz", "f32", 1},
    {"ex2", "-approx ftz", "f32 " SIXTEEN, 1},
    {"tanh", "-approx", "f32 " SIXTEEN, 1},
    {"copysign", "", "f32 f64", 2},
    {"testp", "finite infinite number notanumber normal subnormal", "f32 f64", 1},
    {"cvta", "to -global shared -local -const", "u32 u64", 1},
};

static const struct row *row_of(range name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (same(name, rows[i].name))
            return &rows[i];
    return NULL;
}

/* Is the part a modifier of the row, and does it name a function? */
static bool modifier(const struct row *row, range part, bool *named)
{
    cc_text ignored = {0};

    *named = in_list(part, row->modifiers);
    if (*named)
        return true;
    cc_text_puts(&ignored, "-");
    cc_text_add(&ignored, part.start, part.length);
    *named = false;
    bool found = in_list((range){ignored.data, ignored.length}, row->modifiers);
    cc_text_free(&ignored);
    return found;
}

/* The part that is the type: the last one, but for the modes of prmt, which follow it. 0: none is. */
static size_t type_part(const instruction *in, const struct row *row)
{
    for (size_t i = in->parts; i-- > 1;)
        if (in_list(in->part[i], row->types))
            return i;
    return 0;
}

/* What a modifier makes of the result. Numbers of 16 bits go there as a source, whose .bits the end adds. */
static void wrap(ptx *p, bool has, const char *function, bool sixteen, range type)
{
    if (has)
        cc_text_printf(p->body, sixteen ? "::simt::ptx::%s_sixteen<%s>(::simt::ptx::get(" : "::simt::ptx::%s(",
                       function, cc_ptx_type(type));
}

static bool translate_row(ptx *p, const instruction *in, const struct row *row)
{
    size_t at = type_part(in, row);
    range type = in->part[at];
    bool sixteen = in_list(type, SIXTEEN), floating = sixteen || same(type, "f32") || same(type, "f64");
    bool ftz = has_part(in, "ftz");
    bool sat = floating && has_part(in, "sat"),
         takes_carry = same(in->part[0], "addc") || same(in->part[0], "subc") || same(in->part[0], "madc");
    bool cc = has_part(in, "cc"), good = true;

    if (at == 0 || in->operands != row->sources + 1)
        return false;
    if (takes_carry && !p->carry) {
        cc_ptx_refuse(p, in->whole, ": the carry of another asm statement, which CUDA does not keep");
        return true;
    }
    good &= cc_ptx_open_put(p, in->operand[0]);
    wrap(p, ftz, "flushed", sixteen, type);
    wrap(p, sat, "saturated", sixteen, type);
    puts_body(p, "::simt::ptx::");
    add(p, in->part[0]);
    puts_body(p, same(in->part[0], "and") || same(in->part[0], "or") || same(in->part[0], "xor") ||
                         same(in->part[0], "not")
                     ? "_"
                     : "");
    for (size_t i = 1; i < in->parts; i++) {
        bool named;

        if (i == at)
            continue;
        good &= modifier(row, in->part[i], &named);
        if (!named || same(in->part[i], "ftz") || (sat && same(in->part[i], "sat")))
            continue;
        puts_body(p, "_");
        add(p, in->part[i]);
    }
    cc_text_printf(p->body, "<%s>(", cc_ptx_type(type));
    for (unsigned i = 1; i <= row->sources; i++) {
        puts_body(p, i > 1 ? ", " : "");
        if (ftz)
            cc_text_printf(p->body,
                           sixteen ? "::simt::ptx::get(::simt::ptx::flushed_sixteen<%s>(" : "::simt::ptx::flush(",
                           cc_ptx_type(type));
        good &= cc_ptx_add_source(p, p->body, in->operand[i], type);
        puts_body(p, !ftz ? "" : sixteen ? ").bits)" : ")");
    }
    puts_body(p, cc || takes_carry ? ", simt_carry" : "");
    puts_body(p, ")");
    puts_body(p, !sat ? "" : sixteen ? ".bits))" : ")");
    puts_body(p, !ftz ? "" : sixteen ? ".bits))" : ")");
    puts_body(p, "); ");
    p->carry |= cc;
    return good;
}

bool cc_ptx_by_table(ptx *p, const instruction *in, bool *good)
{
    const struct row *row = row_of(in->part[0]);

    if (row)
        *good = translate_row(p, in, row);
    return row != NULL;
}
