/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The product of matrices that the lanes of a warp hold: gathered from their registers, multiplied, and given back. One product at a time.
 */
#ifndef SIMT_PRODUCT_H
#define SIMT_PRODUCT_H

#include "dot.h"

#pragma GCC visibility push(hidden)

enum {
    SIMT_MAX_M = 32,  /* of a fragment of mma.h */
    SIMT_MAX_N = 256, /* of wgmma */
    SIMT_MAX_K = 256  /* of single bits */
};

/* The elements, as bits: A by rows, B by columns, C and D by rows. */
extern uint64_t simt_left[SIMT_MAX_M * SIMT_MAX_K], simt_right[SIMT_MAX_N * SIMT_MAX_K];
extern uint64_t simt_sums[SIMT_MAX_M * SIMT_MAX_N];
/* Where the elements of a row of a sparse A stand along k. */
extern uint16_t simt_positions[SIMT_MAX_M][SIMT_MAX_K / 2];

unsigned simt_element_bits(unsigned type);
/* Takes what a lane has of A, B and C; of those that are NULL nothing. */
void simt_gather(const simt_mma *what, const simt_mma_operands *lane_has, unsigned lane);
void simt_multiply(const simt_mma *what); /* sums += left * right */
void simt_scatter(const simt_mma *what, uint64_t *d, unsigned lane);

#pragma GCC visibility pop

#endif
