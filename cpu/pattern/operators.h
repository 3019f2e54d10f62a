/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The operators of reduce and scan (ref/operator.h), each as an expression of the C type of its items, for the compiler to
 * put into a loop.
 *
 * SB_FOR_EACH_OPERATOR(DEFINE) expands to DEFINE(NAME, TYPE, IDENTITY, EXPRESSION) for each, where EXPRESSION combines f and
 * g, f first. i32 adds and xors as u32. sb_operator_index says which one a case needs, by its position in this list.
 */
#ifndef CPU_PATTERN_OPERATORS_H
#define CPU_PATTERN_OPERATORS_H

#include <samebits/algorithms.h>
#include <samebits/module.h>

#define SB_FOR_EACH_OPERATOR(DEFINE)                                                                                   \
    DEFINE(add_u32, uint32_t, 0, f + g)                                                                                \
    DEFINE(min_u32, uint32_t, UINT32_MAX, g < f ? g : f)                                                               \
    DEFINE(max_u32, uint32_t, 0, g > f ? g : f)                                                                        \
    DEFINE(xor_u32, uint32_t, 0, f ^ g)                                                                                \
    DEFINE(min_i32, int32_t, INT32_MAX, g < f ? g : f)                                                                 \
    DEFINE(max_i32, int32_t, INT32_MIN, g > f ? g : f)                                                                 \
    DEFINE(add_u64, uint64_t, 0, f + g)                                                                                \
    DEFINE(min_u64, uint64_t, UINT64_MAX, g < f ? g : f)                                                               \
    DEFINE(max_u64, uint64_t, 0, g > f ? g : f)                                                                        \
    DEFINE(xor_u64, uint64_t, 0, f ^ g)                                                                                \
    DEFINE(add_f32, float, 0, f + g)                                                                                   \
    DEFINE(add_f64, double, 0, f + g)                                                                                  \
    DEFINE(compose, sb_affine, ((sb_affine){1, 0}), ((sb_affine){f.a * g.a, g.a * f.b + g.b}))

/* The operator of a pair of type and op that exists. */
static inline unsigned sb_operator_index(uint64_t type, uint64_t op)
{
    switch (type) {
    case SB_U32:
        return (unsigned)op;
    case SB_I32:
        return op == SB_OP_MIN ? 4 : op == SB_OP_MAX ? 5 : (unsigned)op;
    case SB_U64:
        return 6 + (unsigned)op;
    case SB_F32:
        return 10;
    case SB_F64:
        return 11;
    default: /* SB_AFFINE */
        return 12;
    }
}

#endif
