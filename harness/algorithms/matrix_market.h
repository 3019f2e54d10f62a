/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reads sparse matrices in the Matrix Market exchange format (R. Boisvert, R. Pozo and K. Remington, "The Matrix Market
 * exchange formats: initial design", NISTIR 5935, 1996).
 *
 * Accepted: coordinate and array; real, integer and pattern (every value is 1); general, symmetric and skew-symmetric, of
 * which the file has the lower triangle. Words in upper or lower case, comments (lines that begin with %), blank lines, any
 * white space between numbers, lines that end with CR LF.
 */
#ifndef HARNESS_ALGORITHMS_MATRIX_MARKET_H
#define HARNESS_ALGORITHMS_MATRIX_MARKET_H

#include "../../common/algorithm.h"
#include <stdio.h>

#define SB_MATRIX_SUFFIX ".mtx" /* of the names of such files */

/* Fills the arrays row_offset, column and value (SB_CSR_..., of types u64, u32 and f32 or f64) with the matrix, row by row,
 * the elements of a row in the order of the file; the mirror image of an element follows it. Sets `columns`.
 *
 * False: the file is not such a matrix, or memory ran out; `why` has the line and the reason, and the arrays are as they were.
 * Refused are, besides malformed files: an index that is not in 1..rows or 1..columns, fewer or more elements than announced, a
 * number that is not finite, a symmetric matrix that is not square or has elements above the diagonal, more than 2^31 - 1
 * rows or columns, complex numbers. Memory grows with the elements that are read, never with the numbers that the file
 * announces; more than 2^20 rows or columns are refused if there are over 1024 for each element. */
bool sb_matrix_read(FILE *in, sb_array inputs[], uint64_t *columns, char *why, size_t size);

#endif
