/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of sparse matrices share. Inputs 0 to 2 are row_offset, column and value (SB_CSR_...).
 */
#ifndef HARNESS_ALGORITHMS_CSR_H
#define HARNESS_ALGORITHMS_CSR_H

#include "../../common/algorithm.h"
#include "../../common/random.h"

/* Is this a matrix in compressed sparse rows whose columns are below `columns`? */
bool sb_csr_shape(const sb_array inputs[], uint64_t columns, char *why, size_t size);

/* Makes one of arbitrary arrays: some of the offsets are dropped, the others are reduced modulo the number of elements + 1 and
 * sorted; the columns are reduced modulo `columns`; the arrays of elements get the length of the shorter one. Returns false
 * only for want of memory. */
bool sb_csr_normalise(sb_array inputs[], uint64_t columns);

/* The generators of cases with a matrix: those of arrays of keys, and three kinds of matrices. */
extern const char *const sb_csr_generators[];

/* Makes a matrix of one of these kinds, with n elements or, of a power law, about as many, and sets `columns`. The random
 * generator is then where x begins (docs/FORMAT.md). Returns false only for want of memory. */
bool sb_csr_generate(sb_array inputs[], const char *kind, uint64_t n, sb_random *random, uint64_t *columns);

/* The vector that goes with it. */
bool sb_csr_generate_x(sb_array *x, uint64_t columns, sb_random *random);

/* Replaces the exponents of numbers that are very large or very small by moderate ones, so that no product of two such
 * numbers underflows or overflows. Zeros, infinities and NaNs stay. */
void sb_make_moderate(sb_array *numbers);

#endif
