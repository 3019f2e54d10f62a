/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: types, registers, numbers and the other operands of instructions. Contract in ptx_parts.h.
 */
#include "ptx_parts.h"

#include <stdlib.h>

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
    {"b128", "unsigned __int128"},
    {"f32", "float"},
    {"f64", "double"},
    {"pred", "bool"},
    {"f16", "::simt::ptx::half"},
    {"bf16", "::simt::ptx::bfloat16"},
    {"f16x2", "::simt::ptx::half_pair"},
    {"bf16x2", "::simt::ptx::bfloat16_pair"},
    {"u16x2", "::simt::ptx::unsigned_pair"},
    {"s16x2", "::simt::ptx::signed_pair"},
};

const char *cc_ptx_type(range name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (same(name, types[i].name))
            return types[i].cxx;
    return NULL;
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
    {"%nsmid", "::simt::ptx::nsmid()"},
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
    {"%cluster_ctarank", "::simt_cluster_register(SIMT_CLUSTER_RANK)"},
    {"%cluster_nctarank", "::simt_cluster_register(SIMT_CLUSTER_BLOCKS)"},
    {"%cluster_ctaid.x", "::simt_cluster_register(SIMT_CLUSTER_BLOCK_X)"},
    {"%cluster_nctaid.x", "::simt_cluster_register(SIMT_CLUSTER_SIZE_X)"},
    {"%clusterid.x", "::simt_cluster_register(SIMT_CLUSTER_X)"},
    {"%nclusterid.x", "::simt_cluster_register(SIMT_CLUSTERS_X)"},
    {"%cluster_ctaid.y", "::simt_cluster_register(SIMT_CLUSTER_BLOCK_Y)"},
    {"%cluster_nctaid.y", "::simt_cluster_register(SIMT_CLUSTER_SIZE_Y)"},
    {"%clusterid.y", "::simt_cluster_register(SIMT_CLUSTER_Y)"},
    {"%nclusterid.y", "::simt_cluster_register(SIMT_CLUSTERS_Y)"},
    {"%cluster_ctaid.z", "::simt_cluster_register(SIMT_CLUSTER_BLOCK_Z)"},
    {"%cluster_nctaid.z", "::simt_cluster_register(SIMT_CLUSTER_SIZE_Z)"},
    {"%clusterid.z", "::simt_cluster_register(SIMT_CLUSTER_Z)"},
    {"%nclusterid.z", "::simt_cluster_register(SIMT_CLUSTERS_Z)"},
    {"%is_explicit_cluster", "::simt_cluster_is_explicit()"},
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

/* Is it NAME.x or another element of the vector? */
static bool is_element(range r, range vector, size_t elements)
{
    return r.length == vector.length + 2 && memcmp(r.start, vector.start, vector.length) == 0 &&
           r.start[vector.length] == '.' && memchr("xyzw", r.start[vector.length + 1], elements);
}

static bool is_declared(const ptx *p, range r)
{
    for (size_t i = 0; i < p->register_count; i++) {
        range d = p->registers[i];

        if (p->elements[i] > 1) {
            if (is_element(r, d, p->elements[i]))
                return true;
            continue;
        }
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

void cc_ptx_add_register(cc_text *text, range r)
{
    cc_text_puts(text, "simt_r_");
    for (size_t i = 0; i < r.length; i++)
        if (r.start[i] == '%' || r.start[i] == '.')
            cc_text_puts(text, r.start[i] == '%' ? "_p_" : "_e_");
        else
            cc_text_add(text, r.start + i, 1);
}

/* A register as a C++ variable; false: it is none. */
static bool add_variable(const ptx *p, cc_text *text, range r)
{
    long number = operand_number(p, r);

    if (number >= 0)
        cc_text_printf(text, "simt_p%ld", number);
    else if (is_declared(p, r))
        cc_ptx_add_register(text, r);
    else
        return false;
    return true;
}

void cc_ptx_add_variable_address(const ptx *p, cc_text *text, range r, bool output)
{
    long number = operand_number(p, r);

    if (number >= 0 && output)
        cc_text_printf(text, "(void *)&simt_o%ld", number);
    else if (number >= 0)
        cc_text_printf(text, "simt_k%ld ? (void *)&simt_i%ld : nullptr", number, number);
    else
        cc_text_puts(text, "nullptr");
}

bool cc_ptx_add_number(cc_text *text, range r, range type)
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

bool cc_ptx_add_source(const ptx *p, cc_text *text, range r, range type)
{
    bool negated = r.length && *r.start == '!';
    cc_text inner = {0};
    bool known;

    if (negated)
        r = trimmed((range){r.start + 1, r.length - 1});
    known = add_variable(p, &inner, r) || cc_ptx_add_number(&inner, r, type);
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

size_t cc_ptx_split_vector(range r, range part[MAX_VECTOR])
{
    size_t count = 0;

    if (!r.length || *r.start != '{') {
        part[0] = r;
        return 1;
    }
    for (size_t i = 1, from = 1; i < r.length && count < MAX_VECTOR; i++)
        if (r.start[i] == ',' || r.start[i] == '}') {
            part[count++] = trimmed((range){r.start + from, i - from});
            from = i + 1;
        }
    return count;
}

bool cc_ptx_open_put(ptx *p, range destination)
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

bool cc_ptx_put_elements(ptx *p, const range *destination, size_t count, size_t unique)
{
    bool good = true;

    for (size_t i = 0; i < count; i++) {
        good &= cc_ptx_open_put(p, destination[i]);
        cc_text_printf(p->body, "simt_v%zu.element[%zu]); ", unique, i);
    }
    puts_body(p, "} ");
    return good;
}

const char *cc_ptx_space(const instruction *in)
{
    if (has_part(in, "shared::cluster"))
        return CC_PTX_CLUSTER;
    return part_of(in, "shared shared::cta").length ? CC_PTX_BLOCK : CC_PTX_ANYWHERE;
}

bool cc_ptx_add_address(ptx *p, range r, const char *function)
{
    range base, offset = {"0", 1};

    if (r.length < 3 || *r.start != '[' || r.start[r.length - 1] != ']')
        return false;
    base = trimmed((range){r.start + 1, r.length - 2});
    for (size_t i = 1; i < base.length; i++)
        if (base.start[i] == '+' || base.start[i] == '-') {
            size_t plus = base.start[i] == '+';

            offset = trimmed((range){base.start + i + plus, base.length - i - plus});
            base = trimmed((range){base.start, i});
        }
    cc_text_printf(p->body, "::simt::ptx::%s(", function);
    if (!cc_ptx_add_source(p, p->body, base, (range){"u64", 3}))
        return false;
    puts_body(p, ", ");
    if (!cc_ptx_add_number(p->body, offset, (range){"s64", 3}))
        return false;
    puts_body(p, ")");
    return true;
}
