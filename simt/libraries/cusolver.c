/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuSOLVER's dense factorisations: contract in cusolverDn.h. They are the textbook ones, without blocks: Cholesky by columns, and
 * LU with partial pivoting (G. H. Golub, C. F. Van Loan, "Matrix Computations", 4th edition, 2013, algorithms 4.2.1 and 3.4.1).
 * Every number has two doubles, of real types too.
 */
#include "dense.h"
#include "request.h"

#include "../include/cusolverDn.h"

#include <math.h>
#include <stdlib.h>

#pragma GCC visibility push(hidden)

static simt_library library = {.not_initialized = CUSOLVER_STATUS_NOT_INITIALIZED,
                               .invalid_value = CUSOLVER_STATUS_INVALID_VALUE,
                               .execution_failed = CUSOLVER_STATUS_EXECUTION_FAILED};

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    SIMT_LIBRARY_CALL;

    return simt_handle_create(&library, handle);
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    SIMT_LIBRARY_CALL;

    return simt_handle_destroy(&library, "cusolverDnDestroy", PLACE, handle);
}

SIMT_HANDLE_STREAM(library, cusolverStatus_t, cusolverDn, cusolverDnHandle_t)

/* --- matrices in a launch */

typedef struct solver_call {
    simt_library_call call;
    simt_view a, b;
    cublasOperation_t operation;
    int *pivots, *info; /* on the device; pivots: NULL for none */
} solver_call;

static void tell(const simt_library_call *l, int *info, int value)
{
    if (!info)
        return;
    simt_library_argument(l, "devInfo", -1);
    simt_library_copy(l, info, &value, sizeof value);
}

static void run_cholesky(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    simt_view v =
        p->a.part == SIMT_LOWER ? p->a : simt_view_transposed(p->a); /* U = L^H: the same by rows, conjugate */
    long n = v.rows;
    double *a;
    int info = 0;

    v.conjugate = p->a.part != SIMT_LOWER;
    a = simt_view_read(l, &v, 0, true);
    for (long k = 0; k < n && !info; k++) {
        simt_number d = simt_number_get(a, true, k + k * n);

        if (!(d.real > 0)) {
            info = (int)k + 1;
            break;
        }
        d = (simt_number){sqrt(d.real), 0};
        simt_number_put(a, true, k + k * n, d);
        for (long i = k + 1; i < n; i++)
            simt_number_put(a, true, i + k * n, simt_number_quotient(simt_number_get(a, true, i + k * n), d));
        for (long j = k + 1; j < n; j++)
            for (long i = j; i < n; i++)
                simt_number_put(a, true, i + j * n,
                                simt_number_difference(
                                    simt_number_get(a, true, i + j * n),
                                    simt_number_product(true, simt_number_get(a, true, i + k * n),
                                                        simt_number_conjugate(simt_number_get(a, true, j + k * n)))));
    }
    for (long i = 0; i < n * n && v.conjugate; i++)
        simt_number_put(a, true, i, simt_number_conjugate(simt_number_get(a, true, i)));
    simt_view_write(l, &v, 0, true, a);
    tell(l, p->info, info);
}

static void run_cholesky_solution(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    simt_view other = simt_view_transposed(p->a);
    bool lower = p->a.part == SIMT_LOWER;
    const double *first, *second;
    double *b;

    other.conjugate = true;
    first = simt_view_read(l, lower ? &p->a : &other, 0, true);
    second = simt_view_read(l, lower ? &other : &p->a, 0, true);
    b = simt_view_read(l, &p->b, 0, true);
    simt_dense_solve(true, true, p->a.rows, p->b.columns, first, b);
    simt_dense_solve(true, false, p->a.rows, p->b.columns, second, b);
    simt_view_write(l, &p->b, 0, true, b);
    tell(l, p->info, 0);
}

static void exchange(double *a, long rows, long columns, long i, long j)
{
    for (long k = 0; k < columns && i != j; k++) {
        simt_number v = simt_number_get(a, true, i + k * rows);

        simt_number_put(a, true, i + k * rows, simt_number_get(a, true, j + k * rows));
        simt_number_put(a, true, j + k * rows, v);
    }
}

static double size_of(simt_number v) /* as LAPACK compares complex pivots */
{
    return fabs(v.real) + fabs(v.imaginary);
}

static void run_lu(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    long m = p->a.rows, n = p->a.columns, least = m < n ? m : n;
    double *a = simt_view_read(l, &p->a, 0, true);
    int *pivots = simt_library_scratch((size_t)least, sizeof *pivots), info = 0;

    for (long k = 0; k < least; k++) {
        long best = k;

        for (long i = k + 1; i < m && p->pivots; i++)
            if (size_of(simt_number_get(a, true, i + k * m)) > size_of(simt_number_get(a, true, best + k * m)))
                best = i;
        pivots[k] = (int)best + 1;
        exchange(a, m, n, k, best);
        if (size_of(simt_number_get(a, true, k + k * m)) == 0) {
            info = info ? info : (int)k + 1;
            continue;
        }
        for (long i = k + 1; i < m; i++)
            simt_number_put(
                a, true, i + k * m,
                simt_number_quotient(simt_number_get(a, true, i + k * m), simt_number_get(a, true, k + k * m)));
        for (long j = k + 1; j < n; j++)
            for (long i = k + 1; i < m; i++)
                simt_number_put(a, true, i + j * m,
                                simt_number_difference(simt_number_get(a, true, i + j * m),
                                                       simt_number_product(true, simt_number_get(a, true, i + k * m),
                                                                           simt_number_get(a, true, k + j * m))));
    }
    simt_view_write(l, &p->a, 0, true, a);
    simt_library_argument(l, "devIpiv", -1);
    for (long k = 0; k < least && p->pivots; k++)
        simt_library_copy(l, p->pivots + k, &pivots[k], sizeof *pivots);
    tell(l, p->info, info);
}

/* The triangle of the factors, after the operation. */
static double *triangle(const simt_library_call *l, const solver_call *p, simt_part part)
{
    simt_view v = p->a;

    v.part = part;
    v.rest = SIMT_ZEROS;
    v.unit = part == SIMT_LOWER;
    if (p->operation != CUBLAS_OP_N) {
        v = simt_view_transposed(v);
        v.conjugate = p->operation == CUBLAS_OP_C;
    }
    return simt_view_read(l, &v, 0, true);
}

static void apply_pivots(const simt_library_call *l, const solver_call *p, double *b, bool backwards)
{
    long n = p->a.rows;

    simt_library_argument(l, "devIpiv", -1);
    for (long i = 0; i < n && p->pivots; i++) {
        long k = backwards ? n - 1 - i : i, with = (long)simt_library_read(l, p->pivots, CUDA_R_32I, k).real - 1;

        if (with < 0 || with >= n) {
            simt_library_refuse(l->name, l->place, "devIpiv[%ld] is %ld, which is not in 1 ... %ld", k, with + 1, n);
            return;
        }
        exchange(b, n, p->b.columns, k, with);
    }
}

static void run_lu_solution(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    bool turned = p->operation != CUBLAS_OP_N;
    const double *lower = triangle(l, p, SIMT_LOWER), *upper = triangle(l, p, SIMT_UPPER);
    double *b = simt_view_read(l, &p->b, 0, true);

    if (!turned)
        apply_pivots(l, p, b, false);
    simt_dense_solve(true, true, p->a.rows, p->b.columns, turned ? upper : lower, b);
    simt_dense_solve(true, false, p->a.rows, p->b.columns, turned ? lower : upper, b);
    if (turned)
        apply_pivots(l, p, b, true);
    simt_view_write(l, &p->b, 0, true, b);
    tell(l, p->info, 0);
}

/* --- calls */

static simt_view matrix(simt_request *c, const char *name, const void *at, cudaDataType type, long rows, long columns,
                        long ld)
{
    if (rows < 0 || columns < 0)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "a negative size");
    if (ld < (rows > 1 ? rows : 1))
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "a leading dimension that is less than the rows");
    if (!at && rows && columns)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "a matrix is null");
    return (simt_view){.name = name,
                       .at = (void *)(uintptr_t)at,
                       .type = type,
                       .rows = rows,
                       .columns = columns,
                       .row_stride = 1,
                       .column_stride = ld};
}

static void take_part(simt_request *c, simt_view *a, cublasFillMode_t fill)
{
    if (fill != CUBLAS_FILL_MODE_LOWER && fill != CUBLAS_FILL_MODE_UPPER)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "no such half of a matrix");
    a->part = fill == CUBLAS_FILL_MODE_LOWER ? SIMT_LOWER : SIMT_UPPER;
}

static cusolverStatus_t no_workspace(const char *name, const void *place, cusolverDnHandle_t handle, int *size)
{
    simt_request c = simt_request_begin(&library, name, place, handle);

    if (!size)
        simt_request_refuse(&c, CUSOLVER_STATUS_INVALID_VALUE, "the address for the size is null");
    else
        *size = 64; /* not 0, because programs take a null workspace for a failure */
    return c.status;
}

#define CALLS(t, T, type)                                                                                              \
    cusolverStatus_t cusolverDn##t##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a,    \
                                                     int lda, int *size)                                               \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        (void)fill, (void)n, (void)a, (void)lda;                                                                       \
        return no_workspace("cusolverDn" #t "potrf_bufferSize", PLACE, handle, size);                                  \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##t##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a, int lda,      \
                                          T *workspace, int size, int *info)                                           \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request c = simt_request_begin(&library, "cusolverDn" #t "potrf", PLACE, handle);                         \
        solver_call p = {.a = matrix(&c, "A", a, type, n, n, lda), .info = info};                                      \
                                                                                                                       \
        (void)workspace, (void)size;                                                                                   \
        take_part(&c, &p.a, fill);                                                                                     \
        return simt_request_launch(&c, &p.call, sizeof p, false, run_cholesky);                                        \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##t##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,        \
                                          const T *a, int lda, T *b, int ldb, int *info)                               \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request c = simt_request_begin(&library, "cusolverDn" #t "potrs", PLACE, handle);                         \
        solver_call p = {                                                                                              \
            .a = matrix(&c, "A", a, type, n, n, lda), .b = matrix(&c, "B", b, type, n, columns, ldb), .info = info};   \
                                                                                                                       \
        take_part(&c, &p.a, fill);                                                                                     \
        return simt_request_launch(&c, &p.call, sizeof p, false, run_cholesky_solution);                               \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##t##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,           \
                                                     int *size)                                                        \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        (void)m, (void)n, (void)a, (void)lda;                                                                          \
        return no_workspace("cusolverDn" #t "getrf_bufferSize", PLACE, handle, size);                                  \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##t##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *workspace,        \
                                          int *pivots, int *info)                                                      \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request c = simt_request_begin(&library, "cusolverDn" #t "getrf", PLACE, handle);                         \
        solver_call p = {.a = matrix(&c, "A", a, type, m, n, lda), .pivots = pivots, .info = info};                    \
                                                                                                                       \
        (void)workspace;                                                                                               \
        return simt_request_launch(&c, &p.call, sizeof p, false, run_lu);                                              \
    }                                                                                                                  \
    cusolverStatus_t cusolverDn##t##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,         \
                                          const T *a, int lda, const int *pivots, T *b, int ldb, int *info)            \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request c = simt_request_begin(&library, "cusolverDn" #t "getrs", PLACE, handle);                         \
        solver_call p = {.a = matrix(&c, "A", a, type, n, n, lda),                                                     \
                         .b = matrix(&c, "B", b, type, n, columns, ldb),                                               \
                         .operation = op,                                                                              \
                         .pivots = (int *)(uintptr_t)pivots,                                                           \
                         .info = info};                                                                                \
                                                                                                                       \
        if (op != CUBLAS_OP_N && op != CUBLAS_OP_T && op != CUBLAS_OP_C)                                               \
            simt_request_refuse(&c, CUSOLVER_STATUS_INVALID_VALUE, "no such operation");                               \
        return simt_request_launch(&c, &p.call, sizeof p, false, run_lu_solution);                                     \
    }

CALLS(S, float, CUDA_R_32F)
CALLS(D, double, CUDA_R_64F)
CALLS(C, cuComplex, CUDA_C_32F)
CALLS(Z, cuDoubleComplex, CUDA_C_64F)

#pragma GCC visibility pop
