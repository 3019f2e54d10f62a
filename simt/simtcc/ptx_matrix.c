/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: the instructions on matrices, whose operands are vectors of registers: ldmatrix, stmatrix, movmatrix, mma, wgmma.
 *
 *   ldmatrix.sync.aligned.m8n8.x2.shared.b16 {a, b}, [p];
 *       { auto simt_v0 = ::simt::ptx::ldmatrix<2, false>(shared_address(p, 0)); put(a, simt_v0.element[0]); ... }
 *   mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {d...}, {a...}, {b...}, {c...};
 *       { const simt_mma simt_m = {"mma...", 16, 8, 8, ...}; uint64_t simt_a[] = {get(...)...}, ..., simt_d[4] = {};
 *         ::simt::ptx::mma(simt_m, simt_a, simt_b, simt_c, simt_d); put(d0, simt_d[0]); ... }
 */
#include "ptx_parts.h"

#include <stdlib.h>

static size_t count_of(const instruction *in)
{
    range x = part_of(in, "x1 x2 x4");

    return x.length ? (size_t)(x.start[1] - '0') : 0;
}

static bool known(const instruction *in, const char *parts)
{
    for (size_t i = 1; i < in->parts; i++)
        if (!in_list(in->part[i], parts))
            return false;
    return has_part(in, "sync") && has_part(in, "aligned");
}

static bool ldmatrix(ptx *p, const instruction *in)
{
    range part[MAX_VECTOR];
    size_t count = count_of(in), unique = p->unique++;
    bool good = known(in, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta b16") && has_part(in, "m8n8") &&
                in->operands == 2 && cc_ptx_split_vector(in->operand[0], part) == count;

    if (!good)
        return false;
    cc_text_printf(p->body, "{ auto simt_v%zu = ::simt::ptx::ldmatrix<%zu, %s>(", unique, count,
                   has_part(in, "trans") ? "true" : "false");
    good &= cc_ptx_add_address(p, in->operand[1], cc_ptx_space(in));
    puts_body(p, "); ");
    return good & cc_ptx_put_elements(p, part, count, unique);
}

static bool stmatrix(ptx *p, const instruction *in)
{
    range part[MAX_VECTOR];
    size_t count = count_of(in);
    bool good = known(in, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta b16") && has_part(in, "m8n8") &&
                in->operands == 2 && cc_ptx_split_vector(in->operand[1], part) == count;

    if (!good)
        return false;
    cc_text_printf(p->body, "::simt::ptx::stmatrix<%zu, %s>(", count, has_part(in, "trans") ? "true" : "false");
    good &= cc_ptx_add_address(p, in->operand[0], cc_ptx_space(in));
    puts_body(p, ", {");
    for (size_t i = 0; i < count; i++) {
        puts_body(p, i ? ", " : "");
        good &= cc_ptx_add_source(p, p->body, part[i], (range){"b32", 3});
    }
    puts_body(p, "}); ");
    return good;
}

static bool movmatrix(ptx *p, const instruction *in)
{
    bool good = known(in, "sync aligned m8n8 trans b16") && has_part(in, "trans") && in->operands == 2 &&
                cc_ptx_open_put(p, in->operand[0]);

    puts_body(p, "::simt::ptx::movmatrix(");
    good = good && cc_ptx_add_source(p, p->body, in->operand[1], (range){"b32", 3});
    puts_body(p, ")); ");
    return good;
}

/* --- mma */

static const struct type {
    const char *name, *element;
    unsigned bits;
} types[] = {
    {"f16", "SIMT_F16", 16},  {"bf16", "SIMT_BF16", 16}, {"tf32", "SIMT_TF32", 32}, {"e4m3", "SIMT_E4M3", 8},
    {"e5m2", "SIMT_E5M2", 8}, {"f64", "SIMT_F64", 64},   {"s8", "SIMT_S8", 8},      {"u8", "SIMT_U8", 8},
    {"s4", "SIMT_S4", 4},     {"u4", "SIMT_U4", 4},      {"b1", "SIMT_B1", 1},      {"f32", "SIMT_F32", 32},
    {"s32", "SIMT_S32", 32},
};

static const struct type *type_of(range name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (same(name, types[i].name))
            return &types[i];
    return NULL;
}

/* Which types of A and B, and of C and D, a shape has. */
static const struct shape {
    const char *name, *inputs, *sums;
} shapes[] =
    {
        {"m8n8k4", "f16", "f16 f32"},
        {"m8n8k4", "f64", "f64"},
        {"m16n8k4", "f64", "f64"},
        {"m16n8k8", "f64", "f64"},
        {"m16n8k16", "f64", "f64"},
        {"m16n8k8", "f16", "f16 f32"},
        {"m16n8k16", "f16", "f16 f32"},
        {"m16n8k8", "bf16", "f32"},
        {"m16n8k16", "bf16", "f32"},
        {"m16n8k4", "tf32", "f32"},
        {"m16n8k8", "tf32", "f32"},
        {"m16n8k16", "e4m3 e5m2", "f16 f32"},
        {"m16n8k32", "e4m3 e5m2", "f16 f32"},
        {"m8n8k16", "s8 u8", "s32"},
        {"m16n8k16", "s8 u8", "s32"},
        {"m16n8k32", "s8 u8", "s32"},
        {"m8n8k32", "s4 u4", "s32"},
        {"m16n8k32", "s4 u4", "s32"},
        {"m16n8k64", "s4 u4", "s32"},
        {"m8n8k128", "b1", "s32"},
        {"m16n8k128", "b1", "s32"},
        {"m16n8k256", "b1", "s32"},
},
  sparse_shapes[] = {
      {"m16n8k16", "f16", "f16 f32"},       {"m16n8k32", "f16", "f16 f32"}, {"m16n8k16", "bf16", "f32"},
      {"m16n8k32", "bf16", "f32"},          {"m16n8k8", "tf32", "f32"},     {"m16n8k16", "tf32", "f32"},
      {"m16n8k64", "e4m3 e5m2", "f16 f32"}, {"m16n8k32", "s8 u8", "s32"},   {"m16n8k64", "s8 u8", "s32"},
      {"m16n8k64", "s4 u4", "s32"},         {"m16n8k128", "s4 u4", "s32"},
};

static bool is_sparse(const instruction *in)
{
    return part_of(in, "sp sp::ordered_metadata").length != 0;
}

static bool exists(const instruction *in, range shape, const range type[4])
{
    const struct shape *row = is_sparse(in) ? sparse_shapes : shapes;
    const size_t count = is_sparse(in) ? sizeof sparse_shapes / sizeof *row : sizeof shapes / sizeof *row;

    for (size_t i = 0; i < count; i++, row++)
        if (same(shape, row->name) && in_list(type[1], row->inputs) && in_list(type[2], row->inputs) &&
            in_list(type[0], row->sums) && in_list(type[3], row->sums))
            return true;
    return false;
}

/* NAME[] = {get(r).bits, ...}; with the registers that so many bits of each lane need. */
static bool add_registers(ptx *p, const char *name, range operand, const struct type *type, unsigned elements)
{
    range part[MAX_VECTOR];
    size_t count = cc_ptx_split_vector(operand, part),
           registers = type->bits * elements / 32 / (type->bits == 64 ? 64 : 32);
    bool good = count == registers;

    cc_text_printf(p->body, "uint64_t %s[] = {", name);
    for (size_t i = 0; i < count; i++) {
        good = good && cc_ptx_add_source(p, p->body, part[i], (range){type->bits == 64 ? "b64" : "b32", 3});
        puts_body(p, i + 1 < count ? ".bits, " : ".bits");
    }
    puts_body(p, "}; ");
    return good;
}

/* The operand, as a number of 64 bits. */
static bool add_word(ptx *p, range r, const char *type)
{
    bool good = cc_ptx_add_source(p, p->body, r, (range){type, strlen(type)});

    puts_body(p, ".bits");
    return good;
}

/* The last member of a simt_mma. */
static bool add_selector(ptx *p, const instruction *in, size_t operand)
{
    bool good = true;

    puts_body(p, "(uint8_t)");
    if (is_sparse(in))
        good = add_word(p, in->operand[operand], "b32");
    else
        puts_body(p, "0");
    puts_body(p, "}; ");
    return good;
}

static bool mma(ptx *p, const instruction *in)
{
    static const char parts[] = "sp sp::ordered_metadata sync aligned row col satfinite xor and popc";
    range type[4] = {{0}}, shape = {"", 0}, part[MAX_VECTOR];
    const bool sparse = is_sparse(in), quads = has_part(in, "m8n8k4") && has_part(in, "f16");
    const struct type *of[4];
    size_t count = 0, registers;
    unsigned m, n, k;
    bool good;
    char *end;

    for (size_t i = 1; i < in->parts; i++) {
        if (type_of(in->part[i]) && count < 4)
            type[count++] = in->part[i];
        else if (*in->part[i].start == 'm')
            shape = in->part[i];
        else if (!in_list(in->part[i], parts))
            return false;
    }
    if (count != 4 || !exists(in, shape, type) || !has_part(in, "sync") || in->operands != (sparse ? 6 : 4))
        return false;
    for (size_t i = 3; i + 1 < in->parts; i++) /* A by rows and B by columns: m8n8k4 of f16 has other layouts, too */
        if (same(in->part[i], "row") && !same(in->part[i + 1], "col"))
            return false;
    m = (unsigned)strtoul(shape.start + 1, &end, 10);
    n = (unsigned)strtoul(end + 1, &end, 10);
    k = (unsigned)strtoul(end + 1, &end, 10);
    for (size_t i = 0; i < 4; i++)
        of[i] = type_of(type[i]);
    puts_body(p, "{ const ::simt_mma simt_m = {\"");
    add(p, in->whole);
    cc_text_printf(p->body, "\", %u, %u, %u, %s, %s, %s, %s, 0%s%s%s%s, ", m, n, k, of[1]->element, of[2]->element,
                   of[3]->element, of[0]->element, has_part(in, "satfinite") ? " | SIMT_MMA_SATURATE" : "",
                   has_part(in, "xor") ? " | SIMT_MMA_XOR" : "", quads ? " | SIMT_MMA_QUADS" : "",
                   sparse ? " | SIMT_MMA_SPARSE" : "");
    good = add_selector(p, in, 5);
    k *= quads ? 4 : 1;
    n *= quads ? 4 : 1; /* A has m x 4k elements in all, B 4n x k, and the sum 4 m x n */
    good = good && add_registers(p, "simt_a", in->operand[1], of[1], m * k / (sparse ? 2 : 1)) &&
           add_registers(p, "simt_b", in->operand[2], of[2], n * (k / (quads ? 4 : 1))) &&
           add_registers(p, "simt_c", in->operand[3], of[3], m * n);
    registers = cc_ptx_split_vector(in->operand[0], part);
    good &= registers == of[0]->bits * m * n / 32 / (of[0]->bits == 64 ? 64 : 32);
    cc_text_printf(p->body, "uint64_t simt_d[%zu] = {}; ::simt::ptx::mma(simt_m, simt_a, simt_b, simt_c, simt_d",
                   registers);
    if (sparse) {
        puts_body(p, ", ");
        good = good && cc_ptx_add_source(p, p->body, in->operand[4], (range){"b32", 3});
    }
    puts_body(p, "); ");
    for (size_t i = 0; good && i < registers; i++) {
        good = cc_ptx_open_put(p, part[i]);
        cc_text_printf(p->body, "(%s)simt_d[%zu]); ", of[0]->bits == 64 ? "uint64_t" : "uint32_t", i);
    }
    puts_body(p, "} ");
    return good;
}

/* --- wgmma */

/* m64nNkK: N from 8 to 256 in steps of 8, of integers not all of them, and K of so many bits: 32 bytes, of a sparse A 64. */
static bool read_shape(range shape, unsigned width, unsigned bits, unsigned *n, unsigned *k)
{
    char *end;

    if (!begins(shape, "m64n"))
        return false;
    *n = (unsigned)strtoul(shape.start + 4, &end, 10);
    if (*end != 'k')
        return false;
    *k = (unsigned)strtoul(end + 1, &end, 10);
    return *n >= 8 && *n <= 256 && *n % 8 == 0 && *k * bits == width;
}

/* Types of D, A and B; there is no sparse A of single bits. */
static bool exist_together(const range type[3], bool sparse)
{
    static const char *const rows[][2] = {{"f16", "f16 f32"},       {"bf16", "f32"},  {"tf32", "f32"},
                                          {"e4m3 e5m2", "f16 f32"}, {"s8 u8", "s32"}, {"b1", "s32"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (in_list(type[1], rows[i][0]) && in_list(type[2], rows[i][0]) && in_list(type[0], rows[i][1]))
            return !sparse || !same(type[1], "b1");
    return false;
}

/* wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d...}, {a...} or descriptor, descriptor, p, sign of a, sign of b, a by columns,
 * b by rows; the last two only of 16-bit numbers, the signs only of floating-point numbers, and a by columns only in shared memory. With
 * .sp the metadata of A and the selector stand before p. */
static bool wgmma(ptx *p, const instruction *in)
{
    range type[3] = {{0}}, shape = {"", 0}, part[MAX_VECTOR];
    const struct type *of[3];
    const bool sparse = has_part(in, "sp");
    size_t count = 0, registers, sources, at = sparse ? 6 : 4, expected;
    const bool in_registers = in->operands > 1 && *in->operand[1].start == '{';
    bool good, wide, floating;
    unsigned n, k;

    for (size_t i = 1; i < in->parts; i++) {
        if (type_of(in->part[i]) && count < 3)
            type[count++] = in->part[i];
        else if (begins(in->part[i], "m64"))
            shape = in->part[i];
        else if (!in_list(in->part[i], "mma_async sp sync aligned satfinite and popc"))
            return false;
    }
    if (count != 3 || !exist_together(type, sparse) || !has_part(in, "mma_async"))
        return false;
    for (size_t i = 0; i < 3; i++)
        of[i] = type_of(type[i]);
    wide = of[1]->bits == 16;
    floating = !same(type[0], "s32");
    expected = at + (floating ? 2 : 0) + (wide ? in_registers ? 1 : 2 : 0);
    if (!read_shape(shape, sparse ? 512 : 256, of[1]->bits, &n, &k) || in->operands != expected)
        return false;
    puts_body(p, "{ const ::simt_mma simt_m = {\"");
    add(p, in->whole);
    cc_text_printf(p->body, "\", 64, %u, %u, %s, %s, %s, %s, (uint8_t)(SIMT_MMA_GROUP%s%s", n, k, of[1]->element,
                   of[2]->element, of[0]->element, of[0]->element, sparse ? " | SIMT_MMA_SPARSE" : "",
                   has_part(in, "satfinite") ? " | SIMT_MMA_SATURATE" : "");
    good = true;
    for (unsigned i = 0; floating && i < 2; i++) {
        puts_body(p, " | ((int64_t)");
        good &= add_word(p, in->operand[at++], "b64");
        cc_text_printf(p->body, " < 0 ? SIMT_MMA_NEGATE_%c : 0)", i ? 'B' : 'A');
    }
    puts_body(p, "), ");
    good &= add_selector(p, in, 4);
    if (in_registers)
        good = add_registers(p, "simt_a", in->operand[1], of[1], 16 * (sparse ? k / 2 : k)) && good; /* of 16 rows */
    good = add_registers(p, "simt_d", in->operand[0], of[0], 16 * n) && good;
    registers = cc_ptx_split_vector(in->operand[0], part);
    puts_body(p, "void *const simt_w[] = {");
    for (size_t i = 0; i < registers; i++) {
        puts_body(p, i ? ", " : "");
        cc_ptx_add_variable_address(p, p->body, part[i], true);
    }
    sources = in_registers ? cc_ptx_split_vector(in->operand[1], part) : 0;
    for (size_t i = 0; i < sources; i++) {
        puts_body(p, ", ");
        cc_ptx_add_variable_address(p, p->body, part[i], false);
    }
    if (sparse) {
        puts_body(p, ", ");
        cc_ptx_add_variable_address(p, p->body, in->operand[3], false);
        sources++;
    }
    cc_ptx_split_vector(in->operand[0], part);
    cc_text_printf(p->body, "}; ::simt::ptx::wgmma({&simt_m, %s, ", in_registers ? "simt_a" : "nullptr");
    if (in_registers)
        puts_body(p, "0");
    else
        good &= add_word(p, in->operand[1], "b64");
    puts_body(p, ", ");
    good &= add_word(p, in->operand[2], "b64");
    puts_body(p, ", (bool)");
    good &= cc_ptx_add_source(p, p->body, in->operand[sparse ? 5 : 3], (range){"pred", 4});
    for (unsigned i = 0; i < 2; i++) {
        puts_body(p, ", ");
        if (wide && !(i == 0 && in_registers)) {
            puts_body(p, "0 != ");
            good &= add_word(p, in->operand[at++], "b64");
        } else {
            puts_body(p, "0");
        }
    }
    cc_text_printf(p->body, ", simt_d, simt_w, %zu, %zu, nullptr, 0, 0, ", registers, sources);
    if (sparse) {
        puts_body(p, "(uint32_t)");
        good &= cc_ptx_add_source(p, p->body, in->operand[3], (range){"b32", 3});
    } else {
        puts_body(p, "0");
    }
    puts_body(p, "}); ");
    for (size_t i = 0; good && i < registers; i++) {
        good = cc_ptx_open_put(p, part[i]);
        cc_text_printf(p->body, "(uint32_t)simt_d[%zu]); ", i);
    }
    puts_body(p, "} ");
    return good;
}

bool cc_ptx_of_matrices(ptx *p, const instruction *in, bool *good)
{
    static const struct {
        const char *name;
        bool (*translate)(ptx *p, const instruction *in);
    } instructions[] = {
        {"ldmatrix", ldmatrix}, {"stmatrix", stmatrix}, {"movmatrix", movmatrix}, {"mma", mma}, {"wgmma", wgmma}};

    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (same(in->part[0], instructions[i].name)) {
            *good = instructions[i].translate(p, in);
            return true;
        }
    return false;
}
