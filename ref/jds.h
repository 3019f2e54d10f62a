/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Jagged diagonal storage (JDS) of a sparse matrix in compressed sparse rows (CSR).
 *
 * The rows are sorted by length, so that neighbouring threads, a row each, have about equally much to do. The elements are
 * then stored diagonal by diagonal: first the first elements of all rows, then the second ones, and so on, so that
 * neighbouring threads read neighbouring elements. With `pack` P > 1 a diagonal takes P elements of each row, and a thread
 * reads them at once. With `warp` W > 1 the rows are grouped, W to a warp, and a warp takes part in a diagonal as long as
 * one of its rows does.
 *
 * Sources: Y. Saad, "Krylov subspace methods on supercomputers", SIAM J. Sci. Stat. Comput. 10(6), 1989 (JDS). The
 * storage that it resembles most is SELL-C-sigma: M. Kreutzer, G. Hager, G. Wellein, H. Fehske and A. Bishop, "A unified
 * sparse matrix data format for efficient general sparse matrix-vector multiplication on modern processors with wide SIMD
 * units", SIAM J. Sci. Comput. 36(5), 2014, where C is the warp and sigma the number of rows.
 */
#ifndef REF_JDS_H
#define REF_JDS_H

#include "ref.h"
#include <stdint.h>

/* What `order` holds at a place that has no row, and `index` in a slot that has no element. */
#define SB_REF_JDS_NO_ROW UINT32_MAX
enum { SB_REF_JDS_NO_COLUMN = -1 };

typedef struct sb_ref_jds_layout {
    uint64_t warp;  /* W: places of a warp, at least 1 */
    uint64_t pack;  /* P: elements of a row in a diagonal, at least 1 */
    uint64_t align; /* A: a diagonal starts at a multiple of so many packs, at least 1 */
} sb_ref_jds_layout;

/* The lengths of the five arrays, in elements. */
typedef struct sb_ref_jds_size {
    uint64_t places; /* of `order`: the rows, rounded up to a multiple of W */
    uint64_t warps;  /* of `packs` */
    uint64_t starts; /* of `start`: one more than there are diagonals */
    uint64_t slots;  /* of `index` and `data` */
} sb_ref_jds_size;

/* Computes the lengths. row_offset[0] = 0, row_offset[r] <= row_offset[r + 1], as many as rows + 1. SB_REF_INVALID: W, P
 * or A is 0, there are 2^32 - 1 rows or more, more than 2^32 - 1 diagonals, or a length exceeds `limit`. */
sb_ref_status sb_ref_jds_measure(const uint64_t *row_offset, uint64_t rows, sb_ref_jds_layout layout, uint64_t limit,
                                 sb_ref_jds_size *size);

/* Builds the arrays, whose lengths sb_ref_jds_measure gives:
 * - order: the row at each place, by descending length, ties by row number; then SB_REF_JDS_NO_ROW.
 * - packs: for each warp the packs of its longest row: ceil(length / P). Warp w is the places w W .. w W + W - 1. There are
 *   packs[0] diagonals, or none without rows.
 * - start, in packs: where each diagonal starts. start[0] = 0. Diagonal d takes W packs for each warp with packs > d, which
 *   are the first warps; start[d + 1] is start[d] plus that, rounded up to a multiple of A.
 * - index, data: element d P + p of the row at place i is slot (start[d] + i) P + p. A slot without an element holds
 *   SB_REF_JDS_NO_COLUMN and +0. Columns are below 2^31. */
sb_ref_status sb_ref_jds_build(const uint64_t *row_offset, uint64_t rows, const uint32_t *column, const float *value,
                               sb_ref_jds_layout layout, uint32_t *order, uint32_t *packs, uint64_t *start,
                               int32_t *index, float *data);

#endif
