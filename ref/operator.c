/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Operators: contract in operator.h.
 */
#include "operator.h"
#include <string.h>

static sb_ref_item add_u32(sb_ref_item first, sb_ref_item second)
{
    return (sb_ref_item){.u32 = first.u32 + second.u32};
}

static sb_ref_item add_u64(sb_ref_item first, sb_ref_item second)
{
    return (sb_ref_item){.u64 = first.u64 + second.u64};
}

static sb_ref_item add_f32(sb_ref_item first, sb_ref_item second)
{
    return (sb_ref_item){.f32 = first.f32 + second.f32};
}

static sb_ref_item add_f64(sb_ref_item first, sb_ref_item second)
{
    return (sb_ref_item){.f64 = first.f64 + second.f64};
}

static sb_ref_item min_u32(sb_ref_item first, sb_ref_item second)
{
    return second.u32 < first.u32 ? second : first;
}

static sb_ref_item min_i32(sb_ref_item first, sb_ref_item second)
{
    return second.i32 < first.i32 ? second : first;
}

static sb_ref_item min_u64(sb_ref_item first, sb_ref_item second)
{
    return second.u64 < first.u64 ? second : first;
}

static sb_ref_item max_u32(sb_ref_item first, sb_ref_item second)
{
    return second.u32 > first.u32 ? second : first;
}

static sb_ref_item max_i32(sb_ref_item first, sb_ref_item second)
{
    return second.i32 > first.i32 ? second : first;
}

static sb_ref_item max_u64(sb_ref_item first, sb_ref_item second)
{
    return second.u64 > first.u64 ? second : first;
}

static sb_ref_item xor_u32(sb_ref_item first, sb_ref_item second)
{
    return (sb_ref_item){.u32 = first.u32 ^ second.u32};
}

static sb_ref_item xor_u64(sb_ref_item first, sb_ref_item second)
{
    return (sb_ref_item){.u64 = first.u64 ^ second.u64};
}

static sb_ref_item compose(sb_ref_item first, sb_ref_item second)
{
    sb_ref_affine f = first.affine, g = second.affine;

    return (sb_ref_item){.affine = {f.a * g.a, g.a * f.b + g.b}};
}

/* i32 adds and xors as u32: the same bits, and overflow is defined. */
static const sb_ref_operator operators[] = {
    {SB_REF_U32, SB_REF_ADD, {.u32 = 0}, add_u32},
    {SB_REF_U32, SB_REF_MIN, {.u32 = UINT32_MAX}, min_u32},
    {SB_REF_U32, SB_REF_MAX, {.u32 = 0}, max_u32},
    {SB_REF_U32, SB_REF_XOR, {.u32 = 0}, xor_u32},
    {SB_REF_I32, SB_REF_ADD, {.u32 = 0}, add_u32},
    {SB_REF_I32, SB_REF_MIN, {.i32 = INT32_MAX}, min_i32},
    {SB_REF_I32, SB_REF_MAX, {.i32 = INT32_MIN}, max_i32},
    {SB_REF_I32, SB_REF_XOR, {.u32 = 0}, xor_u32},
    {SB_REF_U64, SB_REF_ADD, {.u64 = 0}, add_u64},
    {SB_REF_U64, SB_REF_MIN, {.u64 = UINT64_MAX}, min_u64},
    {SB_REF_U64, SB_REF_MAX, {.u64 = 0}, max_u64},
    {SB_REF_U64, SB_REF_XOR, {.u64 = 0}, xor_u64},
    {SB_REF_F32, SB_REF_ADD, {.f32 = 0}, add_f32},
    {SB_REF_F64, SB_REF_ADD, {.f64 = 0}, add_f64},
    {SB_REF_AFFINE, SB_REF_COMPOSE, {.affine = {1, 0}}, compose},
};

const sb_ref_operator *sb_ref_operator_find(sb_ref_type type, sb_ref_op op)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].type == type && operators[i].op == op)
            return &operators[i];
    return NULL;
}

sb_ref_item sb_ref_item_load(sb_ref_type type, const void *items, uint64_t i)
{
    size_t size = sb_ref_type_size(type);
    sb_ref_item item = {.u64 = 0};

    memcpy(&item, (const char *)items + i * size, size);
    return item;
}

void sb_ref_item_store(sb_ref_type type, void *items, uint64_t i, sb_ref_item item)
{
    size_t size = sb_ref_type_size(type);

    memcpy((char *)items + i * size, &item, size);
}
