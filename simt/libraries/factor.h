/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Factorisations of dense matrices, for cuSOLVER and for cuBLAS's batches. A matrix is an array without gaps, by columns; `complex`:
 * two doubles a number. All are the textbook ones, without blocks (G. H. Golub, C. F. Van Loan, "Matrix Computations", 4th
 * edition, 2013; the algorithms are named at each).
 */
#ifndef SIMT_LIBRARIES_FACTOR_H
#define SIMT_LIBRARIES_FACTOR_H

#include "number.h"

#pragma GCC visibility push(hidden)

/* Each returns 0; or the index, from 1, of the pivot that is not positive, or is 0. */
long simt_factor_cholesky(bool complex, long n, double *a); /* the lower half */
/* pivots[k]: the row that took the place of row k, from 1; NULL: the rows stay. The factors are left in a. */
long simt_factor_lu(bool complex, long m, long n, double *a, int *pivots);
/* b = inverse(a) b, or that of a's transpose, from the factors of LU; pivots may be NULL. */
void simt_factor_lu_solve(bool complex, bool transposed, bool conjugate, long n, long columns, const double *a,
                          const int *pivots, double *b);
/* Least squares: the first n rows of b become those of x, for a of m x n, m >= n, which is factored. Returns 0, or which of the numbers
 * on the diagonal of R is 0, from 1. */
long simt_factor_least_squares(bool complex, long m, long n, long columns, double *a, double *tau, double *b);

/* R above the diagonal, and below it the vectors of min(m, n) reflectors H = 1 - tau v v^H, with v = 1 on the diagonal, as LAPACK
 * has them. */
void simt_factor_qr(bool complex, long m, long n, double *a, double *tau);
/* c = Q c, or Q^H c: Q is the product of the first `count` reflectors that are left in a, of m rows. */
void simt_factor_apply_q(bool complex, bool adjoint, long m, long columns, long count, const double *a,
                         const double *tau, double *c);

#pragma GCC visibility pop

#endif
