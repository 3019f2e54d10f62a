/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuSOLVER's dense factorisations: contract in cusolverDn.h. What is computed stands in factor.c and lapack.c; here are the arguments, of the
 * functions of one type, and of those that take the type as a number.
 */
#include "dense.h"
#include "factor.h"
#include "lapack.h"
#include "request.h"

#include "../include/cusolverDn.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

/* The parameters choose algorithms, or how exact an iteration is; here all are as exact as doubles are. */
struct cusolverDnParams {
    int unused;
};

static cusolverStatus_t new_parameters(cusolverDnParams_t *parameters)
{
    *parameters = calloc(1, sizeof **parameters);
    return *parameters ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *parameters)
{
    return new_parameters(parameters);
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters)
{
    free(parameters);
    return CUSOLVER_STATUS_SUCCESS;
}

#define JACOBI(Name, name)                                                                                             \
    cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t *info)                                                  \
    {                                                                                                                  \
        return new_parameters(info);                                                                                   \
    }                                                                                                                  \
    cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t info)                                                  \
    {                                                                                                                  \
        return cusolverDnDestroyParams(info);                                                                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t info, double tolerance)                              \
    {                                                                                                                  \
        return info && tolerance >= 0 ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                       \
    }                                                                                                                  \
    cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t info, int sweeps)                                    \
    {                                                                                                                  \
        return info && sweeps >= 0 ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                          \
    }                                                                                                                  \
    cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t info, int sorted)                                      \
    {                                                                                                                  \
        return info && (sorted == 0 || sorted == 1) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;         \
    }
JACOBI(Syevj, syevj)
JACOBI(Gesvdj, gesvdj)

SIMT_HANDLE_STREAM(library, cusolverStatus_t, cusolverDn, cusolverDnHandle_t)

/* --- matrices in a launch */

typedef struct solver_call {
    simt_library_call call;
    simt_view a, b, tau, u, v; /* tau, and values: of one column */
    simt_view values;          /* W or S */
    bool complex, left, vectors;
    cublasOperation_t operation;
    simt_view pivots;       /* without rows: none */
    int *info;              /* on the device; one for each matrix of a batch */
    long count;             /* of reflectors, or of a batch */
    cusolverEigType_t kind; /* of an eigenvalue problem with B; 0: without */
} solver_call;

static double *numbers(const solver_call *p, long count)
{
    return simt_library_scratch((size_t)count, (p->complex ? 2 : 1) * sizeof(double));
}

static void tell(const simt_library_call *l, int *info, long index, long value)
{
    int v = (int)value;

    if (!info)
        return;
    simt_library_argument(l, "devInfo", -1);
    simt_library_copy(l, info + index, &v, sizeof v);
}

static void conjugate(double *a, bool complex, long count)
{
    for (long i = 0; i < count && complex; i++)
        a[2 * i + 1] = -a[2 * i + 1];
}

/* A view of a transposed matrix, conjugate if it is complex, read into an array and written from one. */
static double *read_adjoint(const simt_library_call *l, const solver_call *p, simt_view v)
{
    v = simt_view_transposed(v);
    v.conjugate = p->complex;
    return simt_view_read(l, &v, 0, p->complex);
}

static void write_adjoint(const simt_library_call *l, const solver_call *p, simt_view v, double *from)
{
    conjugate(from, p->complex, v.rows * v.columns);
    v = simt_view_transposed(v);
    simt_view_write(l, &v, 0, p->complex, from);
}

static long factor_cholesky(const simt_library_call *l, const solver_call *p, const simt_view *v)
{
    bool lower = v->part == SIMT_LOWER; /* U = L^H */
    double *a = lower ? simt_view_read(l, v, 0, p->complex) : read_adjoint(l, p, *v);
    long info = simt_factor_cholesky(p->complex, v->rows, a);

    if (lower)
        simt_view_write(l, v, 0, p->complex, a);
    else
        write_adjoint(l, p, *v, a);
    return info;
}

static void run_cholesky(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;

    tell(l, p->info, 0, factor_cholesky(l, p, &p->a));
}

static void run_cholesky_solution(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    bool lower = p->a.part == SIMT_LOWER;
    const double *half = simt_view_read(l, &p->a, 0, p->complex), *other = read_adjoint(l, p, p->a);
    double *b = simt_view_read(l, &p->b, 0, p->complex);

    simt_dense_solve(p->complex, true, p->a.rows, p->b.columns, lower ? half : other, b);
    simt_dense_solve(p->complex, false, p->a.rows, p->b.columns, lower ? other : half, b);
    simt_view_write(l, &p->b, 0, p->complex, b);
    tell(l, p->info, 0, 0);
}

static void run_lu(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    double *a = simt_view_read(l, &p->a, 0, p->complex),
           *written = simt_library_scratch((size_t)p->pivots.rows, sizeof *written);
    int *pivots = simt_library_scratch((size_t)p->pivots.rows, sizeof *pivots);
    long info = simt_factor_lu(p->complex, p->a.rows, p->a.columns, a, p->pivots.rows ? pivots : NULL);

    for (long k = 0; k < p->pivots.rows; k++)
        written[k] = pivots[k];
    simt_view_write(l, &p->a, 0, p->complex, a);
    simt_view_write(l, &p->pivots, 0, false, written);
    tell(l, p->info, 0, info);
}

static void run_lu_solution(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    long n = p->a.rows;
    const double *a = simt_view_read(l, &p->a, 0, p->complex), *read = simt_view_read(l, &p->pivots, 0, false);
    int *pivots = simt_library_scratch((size_t)p->pivots.rows, sizeof *pivots);
    double *b = simt_view_read(l, &p->b, 0, p->complex);

    for (long i = 0; i < p->pivots.rows; i++) {
        if (!(read[i] >= 1 && read[i] <= (double)n)) {
            simt_library_refuse(l->name, l->place, "devIpiv[%ld] is %.0f, which is not in 1 ... %ld", i, read[i], n);
            return;
        }
        pivots[i] = (int)read[i];
    }
    simt_factor_lu_solve(p->complex, p->operation != CUBLAS_OP_N, p->operation == CUBLAS_OP_C, n, p->b.columns, a,
                         p->pivots.rows ? pivots : NULL, b);
    simt_view_write(l, &p->b, 0, p->complex, b);
    tell(l, p->info, 0, 0);
}

static void run_qr(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    double *a = simt_view_read(l, &p->a, 0, p->complex), *tau = numbers(p, p->tau.rows);

    simt_factor_qr(p->complex, p->a.rows, p->a.columns, a, tau);
    simt_view_write(l, &p->a, 0, p->complex, a);
    simt_view_write(l, &p->tau, 0, p->complex, tau);
    tell(l, p->info, 0, 0);
}

static void run_apply_q(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    bool adjoint = p->operation != CUBLAS_OP_N;
    const double *a = simt_view_read(l, &p->a, 0, p->complex), *tau = simt_view_read(l, &p->tau, 0, p->complex);
    double *c = p->left ? simt_view_read(l, &p->b, 0, p->complex) : read_adjoint(l, p, p->b);

    /* On the right: C Q is the adjoint of Q^H C^H. */
    simt_factor_apply_q(p->complex, p->left ? adjoint : !adjoint, p->a.rows, p->left ? p->b.columns : p->b.rows,
                        p->count, a, tau, c);
    if (p->left)
        simt_view_write(l, &p->b, 0, p->complex, c);
    else
        write_adjoint(l, p, p->b, c);
    tell(l, p->info, 0, 0);
}

static void run_make_q(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    long m = p->a.rows, n = p->a.columns;
    simt_view read = p->a;
    const double *a, *tau = simt_view_read(l, &p->tau, 0, p->complex);
    double *q = numbers(p, m * n);

    read.columns = p->count;
    a = simt_view_read(l, &read, 0, p->complex);
    for (long j = 0; j < n; j++)
        simt_number_put(q, p->complex, j + j * m, (simt_number){1, 0});
    simt_factor_apply_q(p->complex, false, m, n, p->count, a, tau, q);
    simt_view_write(l, &p->a, 0, p->complex, q);
    tell(l, p->info, 0, 0);
}

/* Without B, or with it, of which its factor remains. */
static void run_eigen(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    long n = p->a.rows;

    for (long i = 0; i < p->count; i++) {
        simt_view whole = p->a;
        double *a = simt_view_read(l, &p->a, i, p->complex), *w = simt_library_scratch((size_t)n, sizeof *w);
        double *b = p->kind ? simt_view_read(l, &p->b, i, p->complex) : NULL;
        long info = simt_lapack_eigen(p->complex, (int)p->kind, p->vectors, p->a.part == SIMT_LOWER, n, a, b, w);

        whole.part = SIMT_FULL;
        if (p->vectors && info <= n)
            simt_view_write(l, &whole, i, p->complex, a);
        if (b)
            simt_view_write(l, &p->b, i, p->complex, b);
        if (info <= n)
            simt_view_write(l, &p->values, i, false, w);
        tell(l, p->info, i, info);
        simt_library_release();
    }
}

static char job_of(const simt_view *v, long least)
{
    return v->columns > least ? 'A' : v->columns ? 'S' : 'N';
}

/* U and V as far as their views have columns. */
static void run_svd(simt_library_call *l)
{
    const solver_call *p = (const solver_call *)l;
    long m = p->a.rows, n = p->a.columns, least = m < n ? m : n, info;
    double *u = numbers(p, m * p->u.columns), *vt = numbers(p, n * p->v.columns);
    double *s = simt_library_scratch((size_t)least, sizeof *s), *a = simt_view_read(l, &p->a, 0, p->complex);

    info = simt_lapack_svd(p->complex, job_of(&p->u, least), job_of(&p->v, least), m, n, a, s, u, vt);
    if (p->u.columns)
        simt_view_write(l, &p->u, 0, p->complex, u);
    if (p->v.columns && p->vectors) { /* V^H: its view is that of a transpose */
        simt_view turned = simt_view_transposed(p->v);

        simt_view_write(l, &turned, 0, p->complex, vt);
    } else if (p->v.columns) {
        write_adjoint(l, p, p->v, vt);
    }
    simt_view_write(l, &p->values, 0, false, s);
    tell(l, p->info, 0, info);
}

/* --- arguments */

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
                       .column_stride = ld,
                       .batch_stride = ld * columns};
}

static simt_view vector(simt_request *c, const char *name, const void *at, cudaDataType type, long rows)
{
    return matrix(c, name, at, type, rows, 1, rows > 1 ? rows : 1);
}

static cudaDataType real_of(cudaDataType type)
{
    return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

static solver_call of_matrix(simt_request *c, cudaDataType type, const void *a, long rows, long columns, long ld,
                             int *info)
{
    if (type != CUDA_R_32F && type != CUDA_R_64F && type != CUDA_C_32F && type != CUDA_C_64F)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "no type of floats or doubles");
    return (solver_call){.a = matrix(c, "A", a, type, rows, columns, ld),
                         .complex = simt_library_is_complex(type),
                         .info = info,
                         .count = 1};
}

static simt_part part_of(simt_request *c, cublasFillMode_t fill)
{
    if (fill != CUBLAS_FILL_MODE_LOWER && fill != CUBLAS_FILL_MODE_UPPER)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "no such half of a matrix");
    return fill == CUBLAS_FILL_MODE_LOWER ? SIMT_LOWER : SIMT_UPPER;
}

static cublasOperation_t operation_of(simt_request *c, cublasOperation_t operation)
{
    if (operation != CUBLAS_OP_N && operation != CUBLAS_OP_T && operation != CUBLAS_OP_C)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "no such operation");
    return operation;
}

static bool wants_vectors(simt_request *c, cusolverEigMode_t mode)
{
    if (mode != CUSOLVER_EIG_MODE_NOVECTOR && mode != CUSOLVER_EIG_MODE_VECTOR)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "no such mode of eigenvectors");
    return mode == CUSOLVER_EIG_MODE_VECTOR;
}

static int launch(const simt_request *c, solver_call *p, void (*run)(simt_library_call *))
{
    return simt_request_launch(c, &p->call, sizeof *p, false, run);
}

static int launch_lapack(simt_request *c, solver_call *p, void (*run)(simt_library_call *))
{
    if (c->status == CUSOLVER_STATUS_SUCCESS && !simt_lapack_start())
        simt_request_refuse(c, CUSOLVER_STATUS_NOT_SUPPORTED,
                            "needs LAPACK, which is not installed: Debian's libopenblas0 or liblapack3");
    return launch(c, p, run);
}

/* --- workspaces. The elements that each call asks for are LAPACK's, with blocks of 32 columns: they differ from call to call, as cuSOLVER's
 * do, so that a program that takes one call's for another's is found here and not on a GPU, where the other writes past the end. */

enum { OF_BYTES = 256 }; /* of the calls that take their type as an argument */

static long of_blocks(long n)
{
    return n > 0 ? 32 * n : 1;
}

static long of_eigen(long n)
{
    return 1 + 6 * n + 2 * n * n;
}

static long of_svd(long m, long n)
{
    return m < n ? 5 * n + 3 * m : 5 * m + 3 * n;
}

static int workspace(simt_request *c, int *size, long elements)
{
    if (!size)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "the address for the size is null");
    else if (elements < 0 || elements > INT_MAX)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "a negative size, or one above 2^31");
    else
        *size = (int)elements;
    return c->status;
}

static void needs_parameters(simt_request *c, const void *parameters)
{
    if (!parameters)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "the parameters of Jacobi's method were not created");
}

static int workspaces(simt_request *c, size_t *device, size_t *host)
{
    if (!device || !host)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "the address for a size is null");
    else if (c->status == CUSOLVER_STATUS_SUCCESS)
        *device = *host = OF_BYTES;
    return c->status;
}

static void uses(simt_request *c, void *work, long elements, long least, size_t size)
{
    if (least > 0)
        simt_request_workspace(c, work, elements > 0 ? (size_t)elements * size : 0, (size_t)least * size);
}

static int cholesky(simt_request *c, cudaDataType type, cublasFillMode_t fill, long n, void *a, long lda, int *info)
{
    solver_call p = of_matrix(c, type, a, n, n, lda, info);

    p.a.part = part_of(c, fill);
    return launch(c, &p, run_cholesky);
}

static int cholesky_solution(simt_request *c, cudaDataType type, cublasFillMode_t fill, long n, long columns,
                             const void *a, long lda, void *b, long ldb, int *info)
{
    solver_call p = of_matrix(c, type, a, n, n, lda, info);

    p.b = matrix(c, "B", b, type, n, columns, ldb);
    p.a.part = part_of(c, fill);
    return launch(c, &p, run_cholesky_solution);
}

static int lu(simt_request *c, cudaDataType type, long m, long n, void *a, long lda, void *pivots,
              cudaDataType of_pivots, int *info)
{
    solver_call p = of_matrix(c, type, a, m, n, lda, info);

    p.pivots = vector(c, "devIpiv", pivots, of_pivots, !pivots ? 0 : m < n ? m : n);
    return launch(c, &p, run_lu);
}

static int lu_solution(simt_request *c, cudaDataType type, cublasOperation_t operation, long n, long columns,
                       const void *a, long lda, const void *pivots, cudaDataType of_pivots, void *b, long ldb,
                       int *info)
{
    solver_call p = of_matrix(c, type, a, n, n, lda, info);

    p.b = matrix(c, "B", b, type, n, columns, ldb);
    p.pivots = vector(c, "devIpiv", pivots, of_pivots, pivots ? n : 0);
    p.operation = operation_of(c, operation);
    return launch(c, &p, run_lu_solution);
}

static int qr(simt_request *c, cudaDataType type, long m, long n, void *a, long lda, void *tau, int *info)
{
    solver_call p = of_matrix(c, type, a, m, n, lda, info);

    p.tau = vector(c, "TAU", tau, type, m < n ? m : n);
    return launch(c, &p, run_qr);
}

static int apply_q(simt_request *c, cudaDataType type, cublasSideMode_t side, cublasOperation_t operation, long m,
                   long n, long k, const void *a, long lda, const void *tau, void *to, long ldc, int *info)
{
    bool left = side == CUBLAS_SIDE_LEFT;
    solver_call p = of_matrix(c, type, a, left ? m : n, k, lda, info);

    if (!left && side != CUBLAS_SIDE_RIGHT)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "no such side");
    if (k > p.a.rows)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "more reflectors than rows");
    p.left = left;
    p.operation = operation_of(c, operation);
    p.b = matrix(c, "C", to, type, m, n, ldc);
    p.tau = vector(c, "tau", tau, type, k);
    p.count = k;
    return launch(c, &p, run_apply_q);
}

static int make_q(simt_request *c, cudaDataType type, long m, long n, long k, void *a, long lda, const void *tau,
                  int *info)
{
    solver_call p = of_matrix(c, type, a, m, n, lda, info);

    if (n > m || k > n)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE,
                            "more columns than rows, or more reflectors than columns");
    p.tau = vector(c, "tau", tau, type, k);
    p.count = k;
    return launch(c, &p, run_make_q);
}

static int eigen(simt_request *c, cudaDataType type, cusolverEigMode_t mode, cublasFillMode_t fill, long n, void *a,
                 long lda, void *w, int *info, long count)
{
    solver_call p = of_matrix(c, type, a, n, n, lda, info);

    if (count < 0)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "a negative count of a batch");
    p.a.part = part_of(c, fill);
    p.vectors = wants_vectors(c, mode);
    p.values = vector(c, "W", w, real_of(type), n);
    p.values.batch_stride = n;
    p.count = count;
    return launch_lapack(c, &p, run_eigen);
}

static int general_eigen(simt_request *c, cudaDataType type, cusolverEigType_t kind, cusolverEigMode_t mode,
                         cublasFillMode_t fill, long n, void *a, long lda, void *b, long ldb, void *w, int *info)
{
    solver_call p = of_matrix(c, type, a, n, n, lda, info);

    if (kind != CUSOLVER_EIG_TYPE_1 && kind != CUSOLVER_EIG_TYPE_2 && kind != CUSOLVER_EIG_TYPE_3)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "no such type of eigenvalue problem");
    p.kind = kind;
    p.b = matrix(c, "B", b, type, n, n, ldb);
    p.a.part = p.b.part = part_of(c, fill);
    p.vectors = wants_vectors(c, mode);
    p.values = vector(c, "W", w, real_of(type), n);
    return launch_lapack(c, &p, run_eigen);
}

/* How many of `all` singular vectors are wanted, of which there are `least` at least. */
static long wanted(simt_request *c, int job, long least, long all)
{
    if (job != 'A' && job != 'S' && job != 'N')
        simt_request_refuse(c, job == 'O' ? CUSOLVER_STATUS_NOT_SUPPORTED : CUSOLVER_STATUS_INVALID_VALUE,
                            "singular vectors are wanted as neither A, S nor N");
    return job == 'A' ? all : job == 'S' ? least : 0;
}

static int svd(simt_request *c, cudaDataType type, int job_u, int job_v, long m, long n, void *a, long lda, void *s,
               void *u, long ldu, void *vt, long ldvt, int *info)
{
    solver_call p = of_matrix(c, type, a, m, n, lda, info);
    long columns = wanted(c, job_u, n, m), rows = wanted(c, job_v, n, n);

    if (m < n)
        simt_request_refuse(c, CUSOLVER_STATUS_INVALID_VALUE, "fewer rows than columns, which gesvd does not take");
    p.values = vector(c, "S", s, real_of(type), n);
    p.u = matrix(c, "U", columns ? u : NULL, type, m, columns, columns ? ldu : m + 1);
    p.v = simt_view_transposed(matrix(c, "VT", rows ? vt : NULL, type, rows, n, rows ? ldvt : 1));
    p.vectors = true; /* conjugate */
    return launch_lapack(c, &p, run_svd);
}

static int svd_by_jacobi(simt_request *c, cudaDataType type, cusolverEigMode_t mode, int economy, long m, long n,
                         void *a, long lda, void *s, void *u, long ldu, void *v, long ldv, int *info)
{
    solver_call p = of_matrix(c, type, a, m, n, lda, info);
    bool vectors = wants_vectors(c, mode);
    long least = m < n ? m : n;

    p.values = vector(c, "S", s, real_of(type), least);
    p.u = matrix(c, "U", vectors ? u : NULL, type, m, !vectors ? 0 : economy ? least : m, vectors ? ldu : m + 1);
    p.v = matrix(c, "V", vectors ? v : NULL, type, n, !vectors ? 0 : economy ? least : n, vectors ? ldv : n + 1);
    return launch_lapack(c, &p, run_svd);
}

/* --- calls. Nothing is computed in a workspace. */

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define CALL(name, arguments, ...)                                                                                     \
    cusolverStatus_t cusolverDn##name arguments                                                                        \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        simt_request c = simt_request_begin(&library, "cusolverDn" #name, PLACE, handle);                              \
                                                                                                                       \
        return (cusolverStatus_t)(__VA_ARGS__);                                                                        \
    }
#define CALL_OF(name, arguments, ...) CALL(name, arguments, __VA_ARGS__) /* the name is put together first */

#define CALLS(t, T, R, type, sy, mqr, gqr)                                                                             \
    CALL_OF(t##potrf_bufferSize, (cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a, int lda, int *size),  \
            workspace(&c, size, of_blocks(n)))                                                                         \
    CALL_OF(t##potrf,                                                                                                  \
            (cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a, int lda, T *work, int size, int *info),    \
            uses(&c, work, size, of_blocks(n), sizeof *work), cholesky(&c, type, fill, n, a, lda, info))               \
    CALL_OF(t##potrs,                                                                                                  \
            (cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns, const T *a, int lda, T *b, int ldb, \
             int *info),                                                                                               \
            cholesky_solution(&c, type, fill, n, columns, a, lda, b, ldb, info))                                       \
    CALL_OF(t##getrf_bufferSize, (cusolverDnHandle_t handle, int m, int n, T *a, int lda, int *size),                  \
            workspace(&c, size, of_blocks(n)))                                                                         \
    CALL_OF(t##getrf, (cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *work, int *pivots, int *info),       \
            uses(&c, work, of_blocks(n), of_blocks(n), sizeof *work),                                                  \
            lu(&c, type, m, n, a, lda, pivots, CUDA_R_32I, info))                                                      \
    CALL_OF(t##getrs,                                                                                                  \
            (cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns, const T *a, int lda,                 \
             const int *pivots, T *b, int ldb, int *info),                                                             \
            lu_solution(&c, type, op, n, columns, a, lda, pivots, CUDA_R_32I, b, ldb, info))                           \
    CALL_OF(t##geqrf_bufferSize, (cusolverDnHandle_t handle, int m, int n, T *a, int lda, int *size),                  \
            workspace(&c, size, of_blocks(n)))                                                                         \
    CALL_OF(t##geqrf, (cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau, T *work, int size, int *info),  \
            uses(&c, work, size, of_blocks(n), sizeof *work), qr(&c, type, m, n, a, lda, tau, info))                   \
    CALL_OF(t##mqr##_bufferSize,                                                                                       \
            (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T *a,  \
             int lda, const T *tau, const T *to, int ldc, int *size),                                                  \
            workspace(&c, size, of_blocks(side == CUBLAS_SIDE_LEFT ? n : m)))                                          \
    CALL_OF(t##mqr,                                                                                                    \
            (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T *a,  \
             int lda, const T *tau, T *to, int ldc, T *work, int size, int *info),                                     \
            uses(&c, work, size, of_blocks(side == CUBLAS_SIDE_LEFT ? n : m), sizeof *work),                           \
            apply_q(&c, type, side, op, m, n, k, a, lda, tau, to, ldc, info))                                          \
    CALL_OF(t##gqr##_bufferSize,                                                                                       \
            (cusolverDnHandle_t handle, int m, int n, int k, const T *a, int lda, const T *tau, int *size),            \
            workspace(&c, size, of_blocks(n)))                                                                         \
    CALL_OF(                                                                                                           \
        t##gqr,                                                                                                        \
        (cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda, const T *tau, T *work, int size, int *info),   \
        uses(&c, work, size, of_blocks(n), sizeof *work), make_q(&c, type, m, n, k, a, lda, tau, info))                \
    CALL_OF(t##sy##evd_bufferSize,                                                                                     \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n, const T *a, int lda,     \
             const R *w, int *size),                                                                                   \
            workspace(&c, size, of_eigen(n)))                                                                          \
    CALL_OF(t##sy##evd,                                                                                                \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T *a, int lda, R *w,     \
             T *work, int size, int *info),                                                                            \
            uses(&c, work, size, of_eigen(n), sizeof *work), eigen(&c, type, mode, fill, n, a, lda, w, info, 1))       \
    CALL_OF(t##sy##evj_bufferSize,                                                                                     \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n, const T *a, int lda,     \
             const R *w, int *size, syevjInfo_t parameters),                                                           \
            workspace(&c, size, of_eigen(n)))                                                                          \
    CALL_OF(t##sy##evj,                                                                                                \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T *a, int lda, R *w,     \
             T *work, int size, int *info, syevjInfo_t parameters),                                                    \
            needs_parameters(&c, parameters), uses(&c, work, size, of_eigen(n), sizeof *work),                         \
            eigen(&c, type, mode, fill, n, a, lda, w, info, 1))                                                        \
    CALL_OF(t##sy##evjBatched_bufferSize,                                                                              \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n, const T *a, int lda,     \
             const R *w, int *size, syevjInfo_t parameters, int count),                                                \
            workspace(&c, size, of_eigen(n)))                                                                          \
    CALL_OF(t##sy##evjBatched,                                                                                         \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T *a, int lda, R *w,     \
             T *work, int size, int *info, syevjInfo_t parameters, int count),                                         \
            needs_parameters(&c, parameters), uses(&c, work, size, of_eigen(n), sizeof *work),                         \
            eigen(&c, type, mode, fill, n, a, lda, w, info, count))                                                    \
    CALL_OF(t##sy##gvd_bufferSize,                                                                                     \
            (cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t mode, cublasFillMode_t fill, int n,  \
             const T *a, int lda, const T *b, int ldb, const R *w, int *size),                                         \
            workspace(&c, size, of_eigen(n)))                                                                          \
    CALL_OF(t##sy##gvd,                                                                                                \
            (cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t mode, cublasFillMode_t fill, int n,  \
             T *a, int lda, T *b, int ldb, R *w, T *work, int size, int *info),                                        \
            uses(&c, work, size, of_eigen(n), sizeof *work),                                                           \
            general_eigen(&c, type, kind, mode, fill, n, a, lda, b, ldb, w, info))                                     \
    CALL_OF(t##gesvd_bufferSize, (cusolverDnHandle_t handle, int m, int n, int *size),                                 \
            workspace(&c, size, of_svd(m, n)))                                                                         \
    CALL_OF(t##gesvd,                                                                                                  \
            (cusolverDnHandle_t handle, signed char job_u, signed char job_v, int m, int n, T *a, int lda, R *s, T *u, \
             int ldu, T *vt, int ldvt, T *work, int size, R *real_work, int *info),                                    \
            uses(&c, work, size, of_svd(m, n), sizeof *work),                                                          \
            svd(&c, type, job_u, job_v, m, n, a, lda, s, u, ldu, vt, ldvt, info))                                      \
    CALL_OF(t##gesvdj_bufferSize,                                                                                      \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, int economy, int m, int n, const T *a, int lda,        \
             const R *s, const T *u, int ldu, const T *v, int ldv, int *size, gesvdjInfo_t parameters),                \
            workspace(&c, size, of_svd(m, n)))                                                                         \
    CALL_OF(t##gesvdj,                                                                                                 \
            (cusolverDnHandle_t handle, cusolverEigMode_t mode, int economy, int m, int n, T *a, int lda, R *s, T *u,  \
             int ldu, T *v, int ldv, T *work, int size, int *info, gesvdjInfo_t parameters),                           \
            needs_parameters(&c, parameters), uses(&c, work, size, of_svd(m, n), sizeof *work),                        \
            svd_by_jacobi(&c, type, mode, economy, m, n, a, lda, s, u, ldu, v, ldv, info))

CALLS(S, float, float, CUDA_R_32F, sy, ormqr, orgqr)
CALLS(D, double, double, CUDA_R_64F, sy, ormqr, orgqr)
CALLS(C, cuComplex, float, CUDA_C_32F, he, unmqr, ungqr)
CALLS(Z, cuDoubleComplex, double, CUDA_C_64F, he, unmqr, ungqr)

CALL(Xpotrf_bufferSize,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t fill, int64_t n, cudaDataType type,
      const void *a, int64_t lda, cudaDataType of_work, size_t *device, size_t *host),
     workspaces(&c, device, host))
CALL(Xpotrf,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t fill, int64_t n, cudaDataType type,
      void *a, int64_t lda, cudaDataType of_work, void *device, size_t device_size, void *host, size_t host_size,
      int *info),
     uses(&c, device, (long)device_size, OF_BYTES, 1), cholesky(&c, type, fill, n, a, lda, info))
CALL(Xpotrs,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t fill, int64_t n, int64_t columns,
      cudaDataType type, const void *a, int64_t lda, cudaDataType of_b, void *b, int64_t ldb, int *info),
     cholesky_solution(&c, type, fill, n, columns, a, lda, b, ldb, info))
CALL(Xgetrf_bufferSize,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n, cudaDataType type, const void *a,
      int64_t lda, cudaDataType of_work, size_t *device, size_t *host),
     workspaces(&c, device, host))
CALL(Xgetrf,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n, cudaDataType type, void *a,
      int64_t lda, int64_t *pivots, cudaDataType of_work, void *device, size_t device_size, void *host,
      size_t host_size, int *info),
     uses(&c, device, (long)device_size, OF_BYTES, 1), lu(&c, type, m, n, a, lda, pivots, CUDA_R_64I, info))
CALL(Xgetrs,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasOperation_t op, int64_t n, int64_t columns,
      cudaDataType type, const void *a, int64_t lda, const int64_t *pivots, cudaDataType of_b, void *b, int64_t ldb,
      int *info),
     lu_solution(&c, type, op, n, columns, a, lda, pivots, CUDA_R_64I, b, ldb, info))
CALL(Xgeqrf_bufferSize,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n, cudaDataType type, const void *a,
      int64_t lda, cudaDataType of_tau, const void *tau, cudaDataType of_work, size_t *device, size_t *host),
     workspaces(&c, device, host))
CALL(Xgeqrf,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n, cudaDataType type, void *a,
      int64_t lda, cudaDataType of_tau, void *tau, cudaDataType of_work, void *device, size_t device_size, void *host,
      size_t host_size, int *info),
     uses(&c, device, (long)device_size, OF_BYTES, 1), qr(&c, type, m, n, a, lda, tau, info))
CALL(Xsyevd_bufferSize,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, cusolverEigMode_t mode, cublasFillMode_t fill,
      int64_t n, cudaDataType type, const void *a, int64_t lda, cudaDataType of_w, const void *w, cudaDataType of_work,
      size_t *device, size_t *host),
     workspaces(&c, device, host))
CALL(Xsyevd,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, cusolverEigMode_t mode, cublasFillMode_t fill,
      int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType of_w, void *w, cudaDataType of_work,
      void *device, size_t device_size, void *host, size_t host_size, int *info),
     uses(&c, device, (long)device_size, OF_BYTES, 1), eigen(&c, type, mode, fill, n, a, lda, w, info, 1))
CALL(Xgesvd_bufferSize,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, signed char job_u, signed char job_v, int64_t m,
      int64_t n, cudaDataType type, const void *a, int64_t lda, cudaDataType of_s, const void *s, cudaDataType of_u,
      const void *u, int64_t ldu, cudaDataType of_vt, const void *vt, int64_t ldvt, cudaDataType of_work,
      size_t *device, size_t *host),
     workspaces(&c, device, host))
CALL(Xgesvd,
     (cusolverDnHandle_t handle, cusolverDnParams_t parameters, signed char job_u, signed char job_v, int64_t m,
      int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType of_s, void *s, cudaDataType of_u, void *u,
      int64_t ldu, cudaDataType of_vt, void *vt, int64_t ldvt, cudaDataType of_work, void *device, size_t device_size,
      void *host, size_t host_size, int *info),
     uses(&c, device, (long)device_size, OF_BYTES, 1),
     svd(&c, type, job_u, job_v, m, n, a, lda, s, u, ldu, vt, ldvt, info))

#pragma GCC visibility pop
