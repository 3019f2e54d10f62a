/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: contract in ptx.h. The table of instructions says which modifiers and types each one has; the few whose
 * operands have a form of their own (memory, atomics, warps, barriers, mov, setp, cvt) have a function each. Modifiers may
 * come in any order: the assembler of CUDA is stricter.
 */
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PARTS = 16,    /* parts of an instruction's name, and operands of one instruction */
    MAX_REGISTERS = 64 /* names that one statement declares */
};

typedef struct range {
    const char *start;
    size_t length;
} range;

typedef struct instruction {
    range whole; /* bfe.u32 */
    range part[MAX_PARTS];
    size_t parts;
    range operand[MAX_PARTS];
    size_t operands;
} instruction;

typedef struct ptx {
    const cc_ptx_operands *operands;
    cc_text *body, *refused;
    range registers[MAX_REGISTERS];
    size_t register_count, unique;
    bool carry; /* an instruction of this statement has set it */
} ptx;

static bool same(range r, const char *word)
{
    return r.length == strlen(word) && memcmp(r.start, word, r.length) == 0;
}

static bool begins(range r, const char *word)
{
    return r.length >= strlen(word) && memcmp(r.start, word, strlen(word)) == 0;
}

/* Is the range one of the words of a list that blanks separate? */
static bool in_list(range r, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, " ");

        if (length == r.length && memcmp(list, r.start, length) == 0)
            return true;
        list += length + strspn(list + length, " ");
    }
    return false;
}

static range trimmed(range r)
{
    while (r.length && isspace((unsigned char)*r.start)) {
        r.start++;
        r.length--;
    }
    while (r.length && isspace((unsigned char)r.start[r.length - 1]))
        r.length--;
    return r;
}

static bool has_part(const instruction *in, const char *word)
{
    for (size_t i = 1; i < in->parts; i++)
        if (same(in->part[i], word))
            return true;
    return false;
}

/* Which of the words of `list` is a part of the name; an empty range if none is. */
static range part_of(const instruction *in, const char *list)
{
    for (size_t i = 1; i < in->parts; i++)
        if (in_list(in->part[i], list))
            return in->part[i];
    return (range){"", 0};
}

static void add(ptx *p, range r)
{
    cc_text_add(p->body, r.start, r.length);
}

static void puts_body(ptx *p, const char *text)
{
    cc_text_puts(p->body, text);
}

/* The instruction cannot be translated: `why` may be empty. */
static void refuse(ptx *p, range what, const char *why)
{
    if (!p->refused->length) {
        cc_text_add(p->refused, what.start, what.length);
        cc_text_puts(p->refused, why);
    }
    puts_body(p, "::simt::ptx::unsupported(\"");
    for (size_t i = 0; i < what.length; i++)
        if (!strchr("\"\\\n", what.start[i]))
            cc_text_add(p->body, what.start + i, 1);
    puts_body(p, why);
    puts_body(p, "\"); ");
}

/* --- types */

static const struct type {
    const char *name, *cxx;
} types[] = {
    {"u8", "uint8_t"},
    {"s8", "int8_t"},
    {"b8", "uint8_t"},
    {"u16", "uint16_t"},
    {"s16", "int16_t"},
    {"b16", "uint16_t"},
    {"u32", "uint32_t"},
    {"s32", "int32_t"},
    {"b32", "uint32_t"},
    {"u64", "uint64_t"},
    {"s64", "int64_t"},
    {"b64", "uint64_t"},
    {"f32", "float"},
    {"f64", "double"},
    {"pred", "bool"},
    {"f16", "::simt::ptx::half"},
    {"u16x2", "::simt::ptx::unsigned_pair"},
    {"s16x2", "::simt::ptx::signed_pair"},
};

static const char *cxx_type(range name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (same(name, types[i].name))
            return types[i].cxx;
    return NULL;
}

static range last_part(const instruction *in)
{
    return in->part[in->parts - 1];
}

/* --- operands */

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Special registers: an expression, of 32 bits unless it says otherwise. */
static const struct special {
    const char *name, *cxx;
} specials[] = {
    {"%tid.x", "threadIdx.x"},
    {"%tid.y", "threadIdx.y"},
    {"%tid.z", "threadIdx.z"},
    {"%ntid.x", "blockDim.x"},
    {"%ntid.y", "blockDim.y"},
    {"%ntid.z", "blockDim.z"},
    {"%ctaid.x", "blockIdx.x"},
    {"%ctaid.y", "blockIdx.y"},
    {"%ctaid.z", "blockIdx.z"},
    {"%nctaid.x", "gridDim.x"},
    {"%nctaid.y", "gridDim.y"},
    {"%nctaid.z", "gridDim.z"},
    {"%laneid", "::simt::ptx::laneid()"},
    {"%warpid", "::simt::ptx::warpid()"},
    {"%nwarpid", "::simt::ptx::nwarpid()"},
    {"%smid", "::simt::ptx::smid()"},
    {"%nsmid", "2u"}, /* cudaDevAttrMultiProcessorCount */
    {"%gridid", "(uint64_t)::simt_launch_number"},
    {"%lanemask_eq", "(1u << ::simt::ptx::laneid())"},
    {"%lanemask_lt", "((1u << ::simt::ptx::laneid()) - 1)"},
    {"%lanemask_le", "((2u << ::simt::ptx::laneid()) - 1)"},
    {"%lanemask_gt", "(~0u << ::simt::ptx::laneid() << 1)"},
    {"%lanemask_ge", "(~0u << ::simt::ptx::laneid())"},
    {"%clock", "(uint32_t)::clock64()"},
    {"%clock_hi", "(uint32_t)(::clock64() >> 32)"},
    {"%clock64", "::clock64()"},
    {"%globaltimer", "::__globaltimer()"},
    {"%globaltimer_lo", "(uint32_t)::__globaltimer()"},
    {"%globaltimer_hi", "(uint32_t)(::__globaltimer() >> 32)"},
    /* without clusters, a block is a cluster of its own */
    {"%cluster_ctarank", "0u"},
    {"%cluster_nctarank", "1u"},
    {"%cluster_ctaid.x", "0u"},
    {"%cluster_ctaid.y", "0u"},
    {"%cluster_ctaid.z", "0u"},
    {"%cluster_nctaid.x", "1u"},
    {"%cluster_nctaid.y", "1u"},
    {"%cluster_nctaid.z", "1u"},
    {"%is_explicit_cluster", "false"},
    {"WARP_SZ", "32u"},
};

/* %0 or %[name]: the number of an operand of the asm statement, or -1. */
static long operand_number(const ptx *p, range r)
{
    if (r.length > 1 && *r.start == '%' && isdigit((unsigned char)r.start[1])) {
        long number = strtol(r.start + 1, NULL, 10);

        return (size_t)number < p->operands->count ? number : -1;
    }
    if (r.length > 3 && r.start[0] == '%' && r.start[1] == '[')
        for (size_t i = 0; i < p->operands->count; i++)
            if (p->operands->name[i] && same((range){r.start + 2, r.length - 3}, p->operands->name[i]))
                return (long)i;
    return -1;
}

static bool is_declared(const ptx *p, range r)
{
    for (size_t i = 0; i < p->register_count; i++) {
        range d = p->registers[i];

        /* r<4> declares r0 to r3 */
        if (d.length && d.start[d.length - 1] == '>') {
            const char *open = memchr(d.start, '<', d.length);
            size_t stem = (size_t)(open - d.start);

            if (r.length > stem && memcmp(r.start, d.start, stem) == 0 && isdigit((unsigned char)r.start[stem]))
                return true;
        } else if (r.length == d.length && memcmp(r.start, d.start, d.length) == 0) {
            return true;
        }
    }
    return false;
}

static void add_register_name(cc_text *text, range r)
{
    cc_text_puts(text, "simt_r_");
    for (size_t i = 0; i < r.length; i++)
        cc_text_add(text, r.start[i] == '%' ? "_p_" : r.start + i, r.start[i] == '%' ? 3 : 1);
}

/* A register as a C++ variable; false: it is none. */
static bool add_variable(const ptx *p, cc_text *text, range r)
{
    long number = operand_number(p, r);

    if (number >= 0)
        cc_text_printf(text, "simt_p%ld", number);
    else if (is_declared(p, r))
        add_register_name(text, r);
    else
        return false;
    return true;
}

/* A number of C, or PTX's 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX (bits), or a decimal fraction of the type. */
static bool add_number(cc_text *text, range r, range type)
{
    size_t sign = r.length && (*r.start == '-' || *r.start == '+');
    range digits = {r.start + sign, r.length - sign};

    if (!digits.length || !isdigit((unsigned char)*digits.start))
        return false;
    if (begins(digits, "0f") || begins(digits, "0F") || begins(digits, "0d") || begins(digits, "0D")) {
        cc_text_puts(text, tolower((unsigned char)digits.start[1]) == 'f' ? "(uint32_t)0x" : "(uint64_t)0x");
        cc_text_add(text, digits.start + 2, digits.length - 2);
        return true;
    }
    cc_text_puts(text, "(");
    cc_text_add(text, r.start, r.length);
    if (memchr(r.start, '.', r.length))
        cc_text_puts(text, same(type, "f32") ? "f" : "");
    else if (same(type, "f32") || same(type, "f64"))
        cc_text_puts(text, same(type, "f32") ? ".0f" : ".0");
    else if (!memchr(r.start, 'U', r.length))
        cc_text_puts(text, "ll");
    cc_text_puts(text, ")");
    return true;
}

/* ::simt::ptx::get(...) of a source operand; `type` is that of the instruction. False: not understood. */
static bool add_source(const ptx *p, cc_text *text, range r, range type)
{
    bool negated = r.length && *r.start == '!';
    cc_text inner = {0};
    bool known;

    if (negated)
        r = trimmed((range){r.start + 1, r.length - 1});
    known = add_variable(p, &inner, r) || add_number(&inner, r, type);
    for (size_t i = 0; !known && i < sizeof specials / sizeof *specials; i++)
        if (same(r, specials[i].name)) {
            cc_text_puts(&inner, specials[i].cxx);
            known = true;
        }
    if (known)
        cc_text_printf(text, "::simt::ptx::get(%s%s)", negated ? "!" : "", inner.data);
    cc_text_free(&inner);
    return known;
}

/* `a`, `a|p`, `_|p`: a destination and a predicate; PTX's sink `_` takes any value. */
static bool add_destination(const ptx *p, cc_text *text, range r)
{
    if (same(r, "_")) {
        cc_text_puts(text, "::simt::ptx::sink()");
        return true;
    }
    return add_variable(p, text, r);
}

/* The parts of {a, b} or {a, b, c, d}; of anything else, itself. */
static size_t split_vector(range r, range part[MAX_PARTS])
{
    size_t count = 0;

    if (!r.length || *r.start != '{') {
        part[0] = r;
        return 1;
    }
    for (size_t i = 1, from = 1; i < r.length && count < MAX_PARTS; i++)
        if (r.start[i] == ',' || r.start[i] == '}') {
            part[count++] = trimmed((range){r.start + from, i - from});
            from = i + 1;
        }
    return count;
}

/* `put(d, ` or, for a destination `d|p`, `put(d, p, `. */
static bool open_put(ptx *p, range destination)
{
    const char *bar = memchr(destination.start, '|', destination.length);
    size_t before = bar ? (size_t)(bar - destination.start) : destination.length;
    bool good;

    puts_body(p, "::simt::ptx::put(");
    good = add_destination(p, p->body, trimmed((range){destination.start, before}));
    if (bar) {
        puts_body(p, ", ");
        good &= add_destination(p, p->body, trimmed((range){bar + 1, destination.length - before - 1}));
    }
    puts_body(p, ", ");
    return good;
}

/* --- instructions of the table */

/* Modifiers with `-` before them do not change the result here; the others become part of the function's name. `ftz`, and
 * `sat` of floating-point types, wrap operands and result instead. */
static const struct row {
    const char *name, *modifiers, *types;
    unsigned sources;
} rows[] = {
    {"abs", "ftz", "s16 s32 s64 f32 f64", 1},
    {"neg", "ftz", "s16 s32 s64 f32 f64", 1},
    {"add", "cc sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64 u16x2 s16x2", 2},
    {"sub", "cc sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64", 2},
    {"addc", "cc", "u32 s32 u64 s64", 2},
    {"subc", "cc", "u32 s32 u64 s64", 2},
    {"mul", "lo hi wide sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64", 2},
    {"mad", "lo hi wide cc sat ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64", 3},
    {"madc", "lo hi cc", "u32 s32 u64 s64", 3},
    {"fma", "sat ftz -rn rz rm rp", "f32 f64", 3},
    {"mul24", "lo hi", "u32 s32", 2},
    {"mad24", "lo hi", "u32 s32", 3},
    {"sad", "", "u16 s16 u32 s32 u64 s64", 3},
    {"div", "-full -approx ftz -rn rz rm rp", "u16 s16 u32 s32 u64 s64 f32 f64", 2},
    {"rem", "", "u16 s16 u32 s32 u64 s64", 2},
    {"min", "ftz NaN", "u16 s16 u32 s32 u64 s64 f32 f64 u16x2 s16x2", 2},
    {"max", "ftz NaN", "u16 s16 u32 s32 u64 s64 f32 f64 u16x2 s16x2", 2},
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
    {"ex2", "-approx ftz", "f32", 1},
    {"tanh", "-approx", "f32", 1},
    {"copysign", "", "f32 f64", 2},
    {"testp", "finite infinite number notanumber normal subnormal", "f32 f64", 1},
    {"cvta", "-to -global -shared -local -const", "u32 u64", 1},
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

static bool by_table(ptx *p, const instruction *in, const struct row *row)
{
    size_t at = type_part(in, row);
    range type = in->part[at];
    bool floating = same(type, "f32") || same(type, "f64"), ftz = has_part(in, "ftz");
    bool sat = floating && has_part(in, "sat"),
         takes_carry = same(in->part[0], "addc") || same(in->part[0], "subc") || same(in->part[0], "madc");
    bool cc = has_part(in, "cc"), good = true;

    if (at == 0 || in->operands != row->sources + 1)
        return false;
    if (takes_carry && !p->carry) {
        refuse(p, in->whole, ": the carry of another asm statement, which CUDA does not keep");
        return true;
    }
    good &= open_put(p, in->operand[0]);
    puts_body(p, ftz ? "::simt::ptx::flushed(" : "");
    puts_body(p, sat ? "::simt::ptx::saturated(" : "");
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
    cc_text_printf(p->body, "<%s>(", cxx_type(type));
    for (unsigned i = 1; i <= row->sources; i++) {
        puts_body(p, i > 1 ? ", " : "");
        puts_body(p, ftz ? "::simt::ptx::flush(" : "");
        good &= add_source(p, p->body, in->operand[i], type);
        puts_body(p, ftz ? ")" : "");
    }
    puts_body(p, cc || takes_carry ? ", simt_carry" : "");
    puts_body(p, ")");
    puts_body(p, sat ? ")" : "");
    puts_body(p, ftz ? ")" : "");
    puts_body(p, "); ");
    p->carry |= cc;
    return good;
}

/* --- instructions with a form of their own. Each returns false if it is not understood. */

static const char scopes[] = "cta cluster gpu sys gl";

static const char *scope_of(const instruction *in)
{
    range scope = part_of(in, scopes);

    if (same(scope, "cta") || same(scope, "cluster")) /* a block is a cluster of its own */
        return "SIMT_BLOCK";
    return same(scope, "sys") ? "SIMT_SYSTEM" : "SIMT_DEVICE";
}

/* [a], [a+4], [a-4]: as an address. */
static bool add_address(ptx *p, const instruction *in, range r)
{
    range base, offset = {"0", 1};
    bool shared = false;

    for (size_t i = 1; i < in->parts; i++)
        shared |= begins(in->part[i], "shared");
    if (r.length < 3 || *r.start != '[' || r.start[r.length - 1] != ']')
        return false;
    base = trimmed((range){r.start + 1, r.length - 2});
    for (size_t i = 1; i < base.length; i++)
        if (base.start[i] == '+' || base.start[i] == '-') {
            size_t plus = base.start[i] == '+';

            offset = trimmed((range){base.start + i + plus, base.length - i - plus});
            base = trimmed((range){base.start, i});
        }
    puts_body(p, shared ? "::simt::ptx::shared_address(" : "::simt::ptx::address(");
    if (!add_source(p, p->body, base, last_part(in)))
        return false;
    puts_body(p, ", ");
    if (!add_number(p->body, offset, (range){"s64", 3}))
        return false;
    puts_body(p, ")");
    return true;
}

static const char spaces[] = "global shared shared::cta const local";
static const char cache[] = "ca cg cs lu cv wb wt nc unified";
static const char orders[] = "weak relaxed acquire release acq_rel volatile mmio";

/* ld, ldu, st: all that is not a type is an order, a scope, a space, a vector or a hint for the cache. */
static bool known_memory_parts(const instruction *in)
{
    for (size_t i = 1; i + 1 < in->parts; i++)
        if (!in_list(in->part[i], spaces) && !in_list(in->part[i], cache) && !in_list(in->part[i], orders) &&
            !in_list(in->part[i], scopes) && !in_list(in->part[i], "v2 v4 v8") && !begins(in->part[i], "L1::") &&
            !begins(in->part[i], "L2::"))
            return false;
    return cxx_type(last_part(in)) != NULL && !same(last_part(in), "pred");
}

static void add_order(ptx *p, const instruction *in)
{
    range order = part_of(in, orders);

    if (same(order, "volatile") || same(order, "mmio") || has_part(in, "cv"))
        puts_body(p, "::simt::ptx::order_volatile, SIMT_SYSTEM");
    else if (!order.length || same(order, "weak"))
        puts_body(p, "::simt::ptx::order_weak, SIMT_BLOCK");
    else
        cc_text_printf(p->body, "::simt::ptx::order_%.*s, %s", (int)order.length, order.start, scope_of(in));
}

static size_t vector_size(const instruction *in)
{
    range v = part_of(in, "v2 v4 v8");

    return v.length ? (size_t)(v.start[1] - '0') : 1;
}

static bool load(ptx *p, const instruction *in)
{
    range part[MAX_PARTS];
    size_t size = vector_size(in), unique = p->unique++;
    bool good = known_memory_parts(in) && in->operands == 2 && split_vector(in->operand[0], part) == size;

    if (!good)
        return false;
    cc_text_printf(p->body, "{ auto simt_v%zu = ::simt::ptx::ld<%s, %zu>(", unique, cxx_type(last_part(in)), size);
    good &= add_address(p, in, in->operand[1]);
    puts_body(p, ", ");
    add_order(p, in);
    puts_body(p, "); ");
    for (size_t i = 0; i < size; i++) {
        good &= open_put(p, part[i]);
        cc_text_printf(p->body, "simt_v%zu.element[%zu]); ", unique, i);
    }
    puts_body(p, "} ");
    return good;
}

static bool store(ptx *p, const instruction *in)
{
    range part[MAX_PARTS];
    size_t size = vector_size(in);
    bool good = known_memory_parts(in) && in->operands == 2 && split_vector(in->operand[1], part) == size;

    if (!good)
        return false;
    cc_text_printf(p->body, "::simt::ptx::st<%s, %zu>(", cxx_type(last_part(in)), size);
    good &= add_address(p, in, in->operand[0]);
    puts_body(p, ", ");
    add_order(p, in);
    puts_body(p, ", {");
    for (size_t i = 0; i < size; i++) {
        puts_body(p, i ? ", " : "");
        good &= add_source(p, p->body, part[i], last_part(in));
    }
    puts_body(p, "}); ");
    return good;
}

/* atom and red: every operation but float's add has one function for all orders. */
static bool atomic(ptx *p, const instruction *in)
{
    static const char operations[] = "add min max inc dec and or xor exch cas";
    bool reduction = same(in->part[0], "red"), cas = has_part(in, "cas"), good = true;
    range operation = part_of(in, operations), order = part_of(in, orders), type = last_part(in);
    size_t first = !reduction;

    for (size_t i = 1; i + 1 < in->parts; i++)
        good &= in_list(in->part[i], spaces) || in_list(in->part[i], orders) || in_list(in->part[i], scopes) ||
                in_list(in->part[i], operations) || same(in->part[i], "noftz") || begins(in->part[i], "L2::");
    if (!good || !operation.length || !in_list(type, "b16 b32 u32 s32 b64 u64 s64 f32 f64") ||
        in->operands != first + 2 + cas)
        return false;
    if (reduction)
        puts_body(p, "::simt::ptx::put(::simt::ptx::sink(), ");
    else
        good &= open_put(p, in->operand[0]);
    cc_text_printf(p->body, "::simt::ptx::atom_%.*s<%s>(", (int)operation.length, operation.start, cxx_type(type));
    good &= add_address(p, in, in->operand[first]);
    cc_text_printf(p->body, ", ::simt::ptx::order_%.*s, %s", order.length ? (int)order.length : 7,
                   order.length ? order.start : "relaxed", scope_of(in));
    for (size_t i = first + 1; i < in->operands; i++) {
        puts_body(p, ", ");
        good &= add_source(p, p->body, in->operand[i], type);
    }
    puts_body(p, ")); ");
    return good;
}

static bool fence(ptx *p, const instruction *in)
{
    for (size_t i = 1; i < in->parts; i++)
        if (!in_list(in->part[i], scopes) && !in_list(in->part[i], "sc acq_rel"))
            return false;
    cc_text_printf(p->body, "::simt_fence(%s); ", scope_of(in));
    return in->operands == 0;
}

/* bar and barrier; a reduction has its result before the other operands, and its predicate behind them. */
static bool barrier(ptx *p, const instruction *in)
{
    range operation = part_of(in, "popc and or");
    const char *aligned = same(in->part[0], "bar") || has_part(in, "aligned") ? "true" : "false";

    for (size_t i = 1; i < in->parts; i++)
        if (!in_list(in->part[i], "cta sync arrive red warp aligned popc and or pred u32"))
            return false;
    if (has_part(in, "warp")) {
        puts_body(p, "::__syncwarp(");
        return in->operands == 1 && add_source(p, p->body, in->operand[0], (range){"b32", 3}) &&
               (puts_body(p, "); "), true);
    }
    if (has_part(in, "sync") && in->operands == 1 && same(in->operand[0], "0")) {
        puts_body(p, "::__syncthreads(); ");
        return true;
    }
    if (has_part(in, "arrive") ? in->operands == 2 : has_part(in, "sync") && in->operands <= 2) {
        bool good = true;

        cc_text_printf(p->body, "::simt::ptx::barrier_%s(%s", has_part(in, "sync") ? "sync" : "arrive", aligned);
        for (size_t i = 0; good && i < in->operands; i++) {
            puts_body(p, ", ");
            good = add_source(p, p->body, in->operand[i], (range){"b32", 3});
        }
        puts_body(p, "); ");
        return good && in->operands > 0;
    }
    if (has_part(in, "red") && (in->operands == 3 || in->operands == 4) && operation.length) {
        bool good = open_put(p, in->operand[0]);

        cc_text_printf(p->body, "::simt::ptx::barrier_%.*s(%s, ", (int)operation.length, operation.start, aligned);
        good &= add_source(p, p->body, in->operand[in->operands - 1], (range){"pred", 4});
        for (size_t i = 1; good && i < in->operands - 1; i++) {
            puts_body(p, ", ");
            good = add_source(p, p->body, in->operand[i], (range){"b32", 3});
        }
        puts_body(p, ")); ");
        return good;
    }
    return false;
}

/* Functions of a warp: NAME(operand...) with `place` left to its default. */
static bool call(ptx *p, const instruction *in, const char *function, const char *type, size_t sources)
{
    bool good = in->operands == sources + 1 && open_put(p, in->operand[0]);

    cc_text_printf(p->body, "::simt::ptx::%s", function);
    if (type)
        cc_text_printf(p->body, "<%s>", type);
    puts_body(p, "(");
    for (size_t i = 1; good && i <= sources; i++) {
        puts_body(p, i > 1 ? ", " : "");
        good &= add_source(p, p->body, in->operand[i], last_part(in));
    }
    puts_body(p, ")); ");
    return good;
}

static bool warp_operation(ptx *p, const instruction *in)
{
    static const char operations[] = "up down bfly idx all any uni ballot add min max and or xor";
    range name = in->part[0], operation = part_of(in, operations);
    cc_text function = {0};
    bool good;

    if (!has_part(in, "sync") && !same(name, "activemask"))
        return false; /* since sm_70 there are no others */
    cc_text_add(&function, name.start, name.length);
    if (same(name, "match"))
        operation = part_of(in, "all any");
    if (operation.length)
        cc_text_printf(&function, "_%.*s", (int)operation.length, operation.start);
    if (same(name, "shfl"))
        good = operation.length && same(last_part(in), "b32") && call(p, in, function.data, NULL, 4);
    else if (same(name, "vote"))
        good = operation.length && call(p, in, function.data, NULL, 2);
    else if (same(name, "match"))
        good = operation.length && in_list(last_part(in), "b32 b64") &&
               call(p, in, function.data, cxx_type(last_part(in)), 2);
    else if (same(name, "redux"))
        good = operation.length && in_list(last_part(in), "b32 u32 s32") &&
               call(p, in, function.data, cxx_type(last_part(in)), 2);
    else
        good = call(p, in, function.data, NULL, same(name, "elect"));
    cc_text_free(&function);
    return good;
}

/* mov.b64 {lo, hi}, x; mov.b64 x, {lo, hi}; mov.u32 x, y. */
static bool mov(ptx *p, const instruction *in)
{
    range part[MAX_PARTS], type = last_part(in);
    bool good = true;
    size_t count;

    if (in->parts != 2 || in->operands != 2 || !cxx_type(type))
        return false;
    if (*in->operand[0].start == '{') {
        size_t unique = p->unique++;

        count = split_vector(in->operand[0], part);
        cc_text_printf(p->body, "{ auto simt_v%zu = ::simt::ptx::unpack<%s, %zu>(", unique, cxx_type(type), count);
        good &= (count == 2 || count == 4) && add_source(p, p->body, in->operand[1], type);
        puts_body(p, "); ");
        for (size_t i = 0; i < count; i++) {
            good &= open_put(p, part[i]);
            cc_text_printf(p->body, "simt_v%zu.element[%zu]); ", unique, i);
        }
        puts_body(p, "} ");
        return good;
    }
    good &= open_put(p, in->operand[0]);
    if (*in->operand[1].start == '{') {
        count = split_vector(in->operand[1], part);
        cc_text_printf(p->body, "::simt::ptx::pack<%s>(", cxx_type(type));
        for (size_t i = 0; i < count; i++) {
            puts_body(p, i ? ", " : "");
            good &= add_source(p, p->body, part[i], type);
        }
    } else {
        cc_text_printf(p->body, "::simt::ptx::mov<%s>(", cxx_type(type));
        good &= add_source(p, p->body, in->operand[1], type);
    }
    puts_body(p, ")); ");
    return good;
}

/* setp.lt.and.s32 p|q, a, b, c */
static bool setp(ptx *p, const instruction *in)
{
    static const char comparisons[] = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";
    range comparison = part_of(in, comparisons), with = part_of(in, "and or xor"), type = last_part(in);
    bool ftz = has_part(in, "ftz");
    bool good = comparison.length && cxx_type(type) && in->operands == (with.length ? 4u : 3u);

    if (!good)
        return false;
    good &= open_put(p, in->operand[0]);
    cc_text_printf(p->body, "::simt::ptx::setp_%s(::simt::ptx::compare_%.*s<%s>(", with.length ? "with" : "alone",
                   (int)comparison.length, comparison.start, cxx_type(type));
    for (size_t i = 1; i < 3; i++) {
        puts_body(p, i > 1 ? ", " : "");
        puts_body(p, ftz ? "::simt::ptx::flush(" : "");
        good &= add_source(p, p->body, in->operand[i], type);
        puts_body(p, ftz ? ")" : "");
    }
    puts_body(p, ")");
    if (with.length) {
        cc_text_printf(p->body, ", ::simt::ptx::with_%.*s, ", (int)with.length, with.start);
        good &= add_source(p, p->body, in->operand[3], (range){"pred", 4});
    }
    puts_body(p, ")); ");
    return good;
}

/* cvt.rzi.sat.s32.f32 */
static bool cvt(ptx *p, const instruction *in)
{
    range rounding = part_of(in, "rn rz rm rp rni rzi rmi rpi"), from = last_part(in), to;

    if (in->parts < 3 || in->operands != 2)
        return false;
    to = in->part[in->parts - 2];
    for (size_t i = 1; i + 2 < in->parts; i++)
        if (!in_list(in->part[i], "rn rz rm rp rni rzi rmi rpi ftz sat"))
            return false;
    if (!cxx_type(from) || !cxx_type(to) || !open_put(p, in->operand[0]))
        return false;
    cc_text_printf(p->body, "::simt::ptx::cvt<%s, %s>(::simt::ptx::round_%.*s, %s, ", cxx_type(to), cxx_type(from),
                   rounding.length ? (int)rounding.length : 4, rounding.length ? rounding.start : "none",
                   has_part(in, "sat") ? "true" : "false");
    puts_body(p, has_part(in, "ftz") ? "::simt::ptx::flush(" : "");
    if (!add_source(p, p->body, in->operand[1], from))
        return false;
    puts_body(p, has_part(in, "ftz") ? ")" : "");
    puts_body(p, ")); ");
    return true;
}

/* dp4a.u32.s32 and dp2a.lo.u32.u32: both types must be equal here. */
static bool dot_product(ptx *p, const instruction *in)
{
    range type = last_part(in), half = part_of(in, "lo hi");
    bool good = in->parts >= 3 && in_list(type, "u32 s32") && in->part[in->parts - 2].length == type.length &&
                memcmp(in->part[in->parts - 2].start, type.start, type.length) == 0 && in->operands == 4 &&
                open_put(p, in->operand[0]);

    if (!good)
        return false;
    cc_text_printf(p->body, "::__%.*s%s%.*s(", (int)in->part[0].length, in->part[0].start, half.length ? "_" : "",
                   (int)half.length, half.start);
    for (size_t i = 1; i <= 3; i++) {
        cc_text_printf(p->body, "%s(%s)", i > 1 ? ", " : "", cxx_type(type));
        good &= add_source(p, p->body, in->operand[i], type);
    }
    puts_body(p, ")); ");
    return good;
}

static bool isspacep(ptx *p, const instruction *in)
{
    range space = part_of(in, "global shared shared::cta local const");

    if (!space.length || in->operands != 2 || !open_put(p, in->operand[0]))
        return false;
    cc_text_printf(p->body, "::simt::ptx::isspacep_%.*s(", begins(space, "shared") ? 6 : (int)space.length,
                   space.start);
    if (!add_source(p, p->body, in->operand[1], (range){"u64", 3}))
        return false;
    puts_body(p, ")); ");
    return true;
}

static bool branch(ptx *p, const instruction *in)
{
    if (in->operands != 1)
        return false;
    puts_body(p, "goto simt_l_");
    add(p, in->operand[0]);
    puts_body(p, "; ");
    return true;
}

static const struct form {
    const char *name;
    bool (*translate)(ptx *p, const instruction *in);
} forms[] = {
    {"ld", load},
    {"ldu", load},
    {"st", store},
    {"atom", atomic},
    {"red", atomic},
    {"membar", fence},
    {"fence", fence},
    {"bar", barrier},
    {"barrier", barrier},
    {"shfl", warp_operation},
    {"vote", warp_operation},
    {"match", warp_operation},
    {"redux", warp_operation},
    {"elect", warp_operation},
    {"activemask", warp_operation},
    {"mov", mov},
    {"setp", setp},
    {"cvt", cvt},
    {"dp4a", dot_product},
    {"dp2a", dot_product},
    {"isspacep", isspacep},
    {"bra", branch},
};

/* Instructions that are one statement, whatever their operands. */
static const struct whole {
    const char *name, *statement;
} wholes[] = {
    {"prefetch", ""},
    {"prefetchu", ""},
    {"discard", ""},
    {"applypriority", ""},
    {"griddepcontrol", ""}, /* launches do not overlap */
    {"nanosleep", "::__nanosleep(0)"},
    {"trap", "::__trap()"},
    {"exit", "::simt::ptx::exit_thread()"},
};

/* --- statements */

static void read_name(instruction *in)
{
    range r = in->whole;
    size_t from = 0;

    for (size_t i = 0; i <= r.length && in->parts < MAX_PARTS; i++)
        if (i == r.length || r.start[i] == '.') {
            in->part[in->parts++] = (range){r.start + from, i - from};
            from = i + 1;
        }
}

/* The operands are separated by commas outside brackets. */
static void read_operands(instruction *in, range r)
{
    size_t from = 0, depth = 0;

    r = trimmed(r);
    for (size_t i = 0; r.length && i <= r.length && in->operands < MAX_PARTS; i++) {
        if (i < r.length)
            depth += strchr("{[(", r.start[i]) ? 1 : strchr("}])", r.start[i]) ? (size_t)-1 : 0;
        if (i == r.length || (r.start[i] == ',' && depth == 0)) {
            in->operand[in->operands++] = trimmed((range){r.start + from, i - from});
            from = i + 1;
        }
    }
}

/* bfe.u32 %0, %1, 4, 8 */
static void translate_instruction(ptx *p, range r)
{
    instruction in = {0};
    const struct row *row;
    size_t undo = p->body->length;
    bool good = false;

    while (in.whole.length < r.length && !isspace((unsigned char)r.start[in.whole.length]) &&
           r.start[in.whole.length] != '[')
        in.whole.length++;
    in.whole.start = r.start;
    read_name(&in);
    read_operands(&in, (range){r.start + in.whole.length, r.length - in.whole.length});
    for (size_t i = 0; i < in.operands; i++)
        if (!in.operand[i].length)
            in.operand[i] = (range){"?", 1};
    row = row_of(in.part[0]);
    if (row)
        good = by_table(p, &in, row);
    for (size_t i = 0; !row && i < sizeof forms / sizeof *forms; i++)
        if (same(in.part[0], forms[i].name))
            good = forms[i].translate(p, &in);
    for (size_t i = 0; !row && i < sizeof wholes / sizeof *wholes; i++)
        if (same(in.part[0], wholes[i].name)) {
            cc_text_printf(p->body, "%s; ", wholes[i].statement);
            good = true;
        }
    if (!good) {
        p->body->length = undo;
        if (p->body->data)
            p->body->data[undo] = 0;
        refuse(p, in.whole, "");
    }
}

/* .reg .u32 a, b<4>; The registers of a scope are declared at its start, so that a branch does not pass a declaration. */
static void declare(ptx *p, range r)
{
    range type = trimmed((range){r.start + 4, r.length - 4});
    size_t length = 0;

    while (length < type.length && !isspace((unsigned char)type.start[length]))
        length++;
    for (size_t i = length, from = length; i <= type.length; i++) {
        range name, spelling = {type.start + 1, length - 1};
        const char *open;

        if (i < type.length && type.start[i] != ',')
            continue;
        name = trimmed((range){type.start + from, i - from});
        from = i + 1;
        if (!cxx_type(spelling) || p->register_count == MAX_REGISTERS) {
            refuse(p, r, "");
            return;
        }
        p->registers[p->register_count++] = name;
        open = memchr(name.start, '<', name.length);
        for (long k = 0, count = open ? strtol(open + 1, NULL, 10) : 1; k < count; k++) {
            cc_text variable = {0};

            add_register_name(&variable, open ? (range){name.start, (size_t)(open - name.start)} : name);
            if (open)
                cc_text_printf(&variable, "%ld", k);
            cc_text_printf(p->body, "%s %s __attribute__((unused)) = {}; ",
                           begins(spelling, "f16") ? "uint16_t" : cxx_type(spelling), variable.data);
            cc_text_free(&variable);
        }
    }
}

/* The end of the statement that begins at `at`: its `;`, or a `{` or `}` that stands alone. */
static const char *statement_end(const char *at)
{
    size_t depth = 0;

    for (; *at && !(*at == ';' && depth == 0); at++) {
        if (*at == '{' || *at == '[')
            depth++;
        if ((*at == '}' || *at == ']') && depth-- == 0)
            break;
    }
    return at;
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at) || *at == ';')
        at++;
    return at;
}

/* A label: NAME and a colon, which is not the one of a name like shared::cta. */
static size_t label_length(const char *at)
{
    size_t length = 0, blanks;

    while (is_name_character(at[length]))
        length++;
    blanks = strspn(at + length, " \t\n");
    return length && at[length + blanks] == ':' && at[length + blanks + 1] != ':' ? length : 0;
}

static const char *label_end(const char *at)
{
    return strchr(at, ':') + 1;
}

/* Declares the registers and labels of the scope that begins at `at`. */
static void declare_scope(ptx *p, const char *at)
{
    size_t depth = 0;

    for (at = skip_space(at); *at; at = skip_space(at)) {
        const char *end;

        if (*at == '{' || *at == '}') {
            if (*at == '}' && depth-- == 0)
                return;
            depth += *at++ == '{';
            continue;
        }
        if (label_length(at)) {
            if (!depth)
                cc_text_printf(p->body, "__label__ simt_l_%.*s; ", (int)label_length(at), at);
            at = label_end(at);
            continue;
        }
        end = statement_end(at);
        if (!depth && strncmp(at, ".reg", 4) == 0)
            declare(p, trimmed((range){at, (size_t)(end - at)}));
        at = end;
    }
}

static bool find_word(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

/* Copies the text without comments. */
static void strip_comments(const char *text, cc_text *clean)
{
    while (*text) {
        if (text[0] == '/' && text[1] == '/') {
            text += strcspn(text, "\n");
        } else if (text[0] == '/' && text[1] == '*') {
            const char *end = strstr(text, "*/");

            text = end ? end + 2 : text + strlen(text);
        } else {
            cc_text_add(clean, text++, 1);
        }
    }
    cc_text_puts(clean, "");
}

/* Labels first: __label__ must open a block. */
static void open_scope(ptx *p, const char *at)
{
    cc_text whole = *p->body, labels = {0}, others = {0};
    const char *from;

    *p->body = (cc_text){0};
    declare_scope(p, at);
    for (from = p->body->data ? p->body->data : ""; *from;) {
        const char *end = strchr(from, ';');
        size_t length = end ? (size_t)(end - from) + 2 : strlen(from);

        cc_text_add(strncmp(from, "__label__", 9) == 0 ? &labels : &others, from, length);
        from += length;
    }
    cc_text_free(p->body);
    *p->body = whole;
    cc_text_puts(p->body, labels.data ? labels.data : "");
    cc_text_puts(p->body, others.data ? others.data : "");
    cc_text_free(&labels);
    cc_text_free(&others);
}

/* @p or @!p before an instruction. */
static const char *predicate(ptx *p, const char *at)
{
    bool negated;
    range name;

    at = skip_space(at + 1);
    negated = *at == '!';
    at = skip_space(at + negated);
    name = (range){at, 0};
    if (*at == '%' && at[1] == '[')
        name.length = strcspn(at, "]") + 1;
    while (is_name_character(name.start[name.length]))
        name.length++;
    puts_body(p, negated ? "if (!(bool)" : "if ((bool)");
    if (!add_source(p, p->body, name, (range){"pred", 4}))
        puts_body(p, "0");
    puts_body(p, ") { ");
    return skip_space(at + name.length);
}

void cc_ptx_translate(const char *text, const cc_ptx_operands *operands, cc_text *body, cc_text *refused)
{
    ptx p = {.operands = operands, .body = body, .refused = refused};
    cc_text clean = {0};
    size_t depth = 0;

    strip_comments(text, &clean);
    if (find_word(clean.data, ".cc"))
        puts_body(&p, "bool simt_carry = false; ");
    puts_body(&p, "{ ");
    open_scope(&p, clean.data);
    for (const char *at = skip_space(clean.data); *at; at = skip_space(at)) {
        bool conditional = *at == '@';
        const char *end;

        if (*at == '{') {
            puts_body(&p, "{ ");
            open_scope(&p, ++at);
            depth++;
            continue;
        }
        if (*at == '}') {
            puts_body(&p, depth ? "} " : "");
            depth -= depth > 0;
            at++;
            continue;
        }
        if (label_length(at)) {
            cc_text_printf(body, "simt_l_%.*s: ; ", (int)label_length(at), at);
            at = label_end(at);
            continue;
        }
        if (conditional)
            at = predicate(&p, at);
        end = statement_end(at);
        if (strncmp(at, ".reg", 4) != 0 && strncmp(at, ".pragma", 7) != 0 && strncmp(at, ".loc", 4) != 0)
            translate_instruction(&p, trimmed((range){at, (size_t)(end - at)}));
        puts_body(&p, conditional ? "} " : "");
        at = end;
    }
    for (; depth; depth--)
        puts_body(&p, "} ");
    puts_body(&p, "} ");
    cc_text_free(&clean);
}
