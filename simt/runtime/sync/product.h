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

/* Of the running worker. The elements as bits: A by rows, B by columns, C and D by rows. */
typedef struct simt_matrices {
    uint64_t left[SIMT_MAX_M * SIMT_MAX_K], right[SIMT_MAX_N * SIMT_MAX_K], sums[SIMT_MAX_M * SIMT_MAX_N];
    uint16_t positions[SIMT_MAX_M][SIMT_MAX_K / 2]; /* of the elements of a row of a sparse A along k */
    simt_number a[SIMT_MAX_M * SIMT_MAX_K], b[SIMT_MAX_N * SIMT_MAX_K], chosen_numbers[SIMT_MAX_K];
    uint64_t chosen_bits[SIMT_MAX_K];
} simt_matrices;

simt_matrices *simt_matrices_now(void);

unsigned simt_element_bits(unsigned type);
/* Takes what a lane has of A, B and C; of those that are NULL nothing. */
void simt_gather(const simt_mma *what, const simt_mma_operands *lane_has, unsigned lane);
/* Of a sparse A of up to 16 rows: where along k its elements stand, by the metadata of the 32 lanes. */
void simt_find_positions(const simt_mma *what, const uint32_t *metadata);
void simt_multiply(const simt_mma *what); /* sums += left * right */
void simt_scatter(const simt_mma *what, uint64_t *d, unsigned lane);

#pragma GCC visibility pop

#endif
