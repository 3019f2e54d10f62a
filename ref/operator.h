/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The associative operators of reduce and scan, each with its identity:
 *
 *     add      u32 i32 u64, modulo 2^width: 0;  f32 f64, each addition rounded: +0
 *     min      u32 i32 u64: the maximum of the type
 *     max      u32 i32 u64: the minimum of the type
 *     xor      u32 i32 u64: 0
 *     compose  affine, the first map applied first: (a1, b1) then (a2, b2) is (a1*a2, a2*b1 + b2); (1, 0)
 *
 * No other pair of type and operator exists. All but compose commute. Addition of floats is associative, with identity
 * +0, only on exact cases (sum.h).
 */
#ifndef REF_OPERATOR_H
#define REF_OPERATOR_H

#include "type.h"

/* The values are those of SB_OP_... in <samebits/algorithms.h>. */
typedef enum sb_ref_op { SB_REF_ADD = 0, SB_REF_MIN = 1, SB_REF_MAX = 2, SB_REF_XOR = 3, SB_REF_COMPOSE = 4 } sb_ref_op;

typedef union sb_ref_item {
    uint32_t u32;
    int32_t i32;
    uint64_t u64;
    float f32;
    double f64;
    sb_ref_affine affine;
} sb_ref_item;

typedef struct sb_ref_operator {
    sb_ref_type type;
    sb_ref_op op;
    sb_ref_item identity;
    sb_ref_item (*apply)(sb_ref_item first, sb_ref_item second);
} sb_ref_operator;

/* NULL if the type has no such operator. */
const sb_ref_operator *sb_ref_operator_find(sb_ref_type type, sb_ref_op op);

/* Read and write item i of an array. */
sb_ref_item sb_ref_item_load(sb_ref_type type, const void *items, uint64_t i);
void sb_ref_item_store(sb_ref_type type, void *items, uint64_t i, sb_ref_item item);

#endif
