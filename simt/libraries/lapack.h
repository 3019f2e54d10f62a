/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Eigenvalues and singular values, by LAPACK (E. Anderson et al., "LAPACK Users' Guide", 3rd edition, 1999), which a program loads when it
 * runs: from OpenBLAS, or the reference's liblapack. Matrices are arrays without gaps, by columns; `complex`: two doubles a number.
 * Each function returns the `info` of LAPACK's routine: 0, or what did not converge, or was not positive definite.
 */
#ifndef SIMT_LIBRARIES_LAPACK_H
#define SIMT_LIBRARIES_LAPACK_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* False: neither library is installed, and no other function may be called. On the host's stack. */
bool simt_lapack_start(void);
/* syev, heev: of a, of which one half is read. w rises; a becomes the eigenvectors if they are wanted. With a matrix b, sygv and hegv:
 * kind 1 is a x = w b x, 2 is a b x = w x, 3 is b a x = w x, and b becomes its Cholesky factor. */
long simt_lapack_eigen(bool complex, int kind, bool vectors, bool lower, long n, double *a, double *b, double *w);
/* gesvd: a = u diag(s) vt, s falls; a is lost. Jobs are LAPACK's: A, all vectors, S, min(m, n) of them, N, none. */
long simt_lapack_svd(bool complex, char job_u, char job_v, long m, long n, double *a, double *s, double *u, double *vt);

#pragma GCC visibility pop

#endif
