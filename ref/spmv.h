/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sparse matrix times vector: y = A x. Element r of y is the sum of value * x[column] over the elements of row r, in
 * their order, from +0 on. Elements of the same row and column are summed. A row without elements gives +0. Products and
 * sums are rounded to the type of the values; product.h says by how much another order of additions may differ.
 *
 * Only elements that a row has are multiplied. So a NaN or an infinity in x reaches no row that does not use it.
 */
#ifndef REF_SPMV_H
#define REF_SPMV_H

#include "jds.h"
#include "type.h"

/* The matrix in compressed sparse rows: the elements of row r are row_offset[r] .. row_offset[r + 1] - 1. Columns are below
 * the length of x. The type is SB_REF_F32 or SB_REF_F64, of value, x and y. */
void sb_ref_spmv_csr(sb_ref_type type, const uint64_t *row_offset, uint64_t rows, const uint32_t *column,
                     const void *value, const void *x, void *y);

/* The matrix as jagged diagonals (jds.h). y has an element for each place of `order` that has a row. `warps` is the length
 * of `packs`. */
void sb_ref_spmv_jds(uint64_t warp, uint64_t pack, const uint32_t *order, const uint32_t *packs, uint64_t warps,
                     const uint64_t *start, const int32_t *index, const float *data, const float *x, float *y);

#endif
