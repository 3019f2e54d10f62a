/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of sparse matrices share. Inputs 0 to 2 are row_offset, column and value (SB_CSR_...).
 */
#ifndef HARNESS_ALGORITHMS_CSR_H
#define HARNESS_ALGORITHMS_CSR_H

#include "../../common/algorithm.h"

/* Is this a matrix in compressed sparse rows whose columns are below `columns`? */
bool sb_csr_shape(const sb_array inputs[], uint64_t columns, char *why, size_t size);

/* Makes one of arbitrary arrays: some of the offsets are dropped, the others are reduced modulo the number of elements + 1 and
 * sorted; the columns are reduced modulo `columns`; the arrays of elements get the length of the shorter one. Returns false
 * only for want of memory. */
bool sb_csr_normalise(sb_array inputs[], uint64_t columns);

/* Replaces the exponents of numbers that are very large or very small by moderate ones, so that no product of two such
 * numbers underflows or overflows. Zeros, infinities and NaNs stay. */
void sb_make_moderate(sb_array *numbers);

#endif
