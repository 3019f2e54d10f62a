/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrices of a library call. A view says where a matrix is in device memory; it is read into an array of doubles without
 * gaps, by columns, where a complex number is two of them, and is written from one. So everything is computed in double
 * and rounded once.
 */
#ifndef SIMT_LIBRARIES_DENSE_H
#define SIMT_LIBRARIES_DENSE_H

#include "call.h"

#pragma GCC visibility push(hidden)

typedef enum simt_part { SIMT_FULL, SIMT_LOWER, SIMT_UPPER } simt_part;
typedef enum simt_rest { SIMT_ZEROS, SIMT_SYMMETRIC, SIMT_HERMITIAN } simt_rest; /* what is not in the part */

typedef struct simt_view {
    const char *name;   /* of the argument */
    void *at;           /* NULL if `array` is given */
    void *const *array; /* on the device: the pointers of a batch */
    long batch_stride;  /* elements from one matrix of a batch to the next */
    cudaDataType type;
    long rows, columns;
    long row_stride, column_stride; /* elements from one row, or column, to the next */
    simt_part part;
    simt_rest rest;
    bool conjugate;
    bool unit; /* the diagonal is 1, and is not read */
} simt_view;

simt_view simt_view_transposed(simt_view v);
/* Of the matrix `index` of a batch. `complex`: two doubles a number, also of real matrices. */
double *simt_view_read(const simt_library_call *call, const simt_view *v, long index, bool complex);
void simt_view_write(const simt_library_call *call, const simt_view *v, long index, bool complex, const double *from);

/* c = a b, with a of rows x inner, b of inner x columns; c is zero before. */
void simt_dense_multiply(bool complex, long rows, long columns, long inner, const double *a, const double *b,
                         double *c);
/* b = inverse(a) b, a triangular of rows x rows; `lower`: its upper half is zero. */
void simt_dense_solve(bool complex, bool lower, long rows, long columns, const double *a, double *b);
void simt_dense_start(void); /* on the host's stack, before the first product */

#pragma GCC visibility pop

#endif
