/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The inner product of a tensor core: the sum of products of two short vectors and an addend, to the bit of an NVIDIA H200.
 */
#ifndef SIMT_DOT_H
#define SIMT_DOT_H

#include "../../include/simt_matrix.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* A floating-point number of an operand: significand * 2^(exponent - fraction bits of its type). A subnormal one has the smallest
 * exponent of its type, as in the hardware, which does not normalise. */
typedef struct simt_number {
    int32_t significand; /* with its sign */
    int16_t exponent;
    bool nan : 1, infinite : 1, negative : 1;
} simt_number;

simt_number simt_number_of(simt_element type, uint32_t bits);

/* c + a[0] * b[0] + ... + a[count - 1] * b[count - 1] in an instruction on floating-point numbers of at most 32 bits. */
uint32_t simt_dot(const simt_mma *what, const simt_number *a, const simt_number *b, unsigned count, uint32_t c);
/* The same of SIMT_F64, as bits. */
uint64_t simt_dot_of_doubles(const uint64_t *a, const uint64_t *b, unsigned count, uint64_t c);

#pragma GCC visibility pop

#endif
