/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The element types of keys and items. The values are those of sb_type in <samebits/module.h>.
 */
#ifndef REF_TYPE_H
#define REF_TYPE_H

#include <stddef.h>
#include <stdint.h>

typedef enum sb_ref_type {
    SB_REF_U32 = 3,
    SB_REF_I32 = 4,
    SB_REF_U64 = 5,
    SB_REF_F32 = 6,
    SB_REF_F64 = 7,
    SB_REF_AFFINE = 8
} sb_ref_type;

/* The map x -> a x + b modulo 2^32, where a is odd. */
typedef struct sb_ref_affine {
    uint32_t a;
    uint32_t b;
} sb_ref_affine;

/* The size of an element in bytes. */
static inline size_t sb_ref_type_size(sb_ref_type type)
{
    return type == SB_REF_U32 || type == SB_REF_I32 || type == SB_REF_F32 ? 4 : 8;
}

#endif
