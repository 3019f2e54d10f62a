/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuBLAS: contract in cublas_v2.h. A function is a product, a solution, a sum, a pair or a reduction of views (dense.h); vectors
 * are matrices of one column. What is called with a zero factor is not read, as BLAS has it.
 */
#include "dense.h"
#include "factor.h"
#include "request.h"

#include "../include/cublas_v2.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static simt_library library = {.not_initialized = CUBLAS_STATUS_NOT_INITIALIZED,
                               .invalid_value = CUBLAS_STATUS_INVALID_VALUE,
                               .execution_failed = CUBLAS_STATUS_EXECUTION_FAILED};

/* --- statuses */

static const struct {
    cublasStatus_t number;
    const char *name, *text;
} statuses[] = {
#define ROW(name, number, text) {name, #name, text},
    SIMT_CUBLAS_STATUS(ROW)
#undef ROW
};

const char *cublasGetStatusName(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].number == status)
            return statuses[i].name;
    return "unknown error code";
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].number == status)
            return statuses[i].text;
    return "unknown error code";
}

/* --- handles */

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    SIMT_LIBRARY_CALL;

    simt_dense_start();
    return simt_handle_create(&library, handle);
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    SIMT_LIBRARY_CALL;
    cublasStatus_t status = simt_handle_destroy(&library, "cublasDestroy", PLACE, handle);

    return status != CUBLAS_STATUS_SUCCESS || cudaDeviceSynchronize() == cudaSuccess ? status
                                                                                     : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
{
    SIMT_LIBRARY_CALL;

    *version = CUBLAS_VERSION;
    return simt_request_begin(&library, "cublasGetVersion", PLACE, handle).status;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};

    if ((unsigned)type > PATCH_LEVEL || !value)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = version[type];
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void)
{
    return CUDART_VERSION;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes)
{
    SIMT_LIBRARY_CALL;

    (void)workspace;
    (void)bytes;
    return simt_request_begin(&library, "cublasSetWorkspace", PLACE, handle).status;
}

#define MODE(what, type, member)                                                                                       \
    SIMT_HANDLE_GETTER(library, cublasStatus_t, cublasGet##what, cublasHandle_t, type, member)                         \
    SIMT_HANDLE_SETTER(library, cublasStatus_t, cublasSet##what, cublasHandle_t, type, member)

SIMT_HANDLE_STREAM(library, cublasStatus_t, cublas, cublasHandle_t)
MODE(PointerMode, cublasPointerMode_t, pointer_mode)
MODE(AtomicsMode, cublasAtomicsMode_t, atomics_mode)
MODE(MathMode, cublasMath_t, math_mode)

/* --- copies */

/* Without a stream it is a copy that the host waits for, like cudaMemcpy. */
static cublasStatus_t copy(const char *name, const void *place, long rows, long columns, long size, const void *from,
                           long lda, void *to, long ldb, cudaMemcpyKind kind, const cudaStream_t *stream)
{
    simt_request c = simt_request_of(&library, name, place);
    cudaError_t error;

    if (rows < 0 || columns < 0 || size <= 0 || lda < (rows ? rows : 1) || ldb < (rows ? rows : 1))
        simt_request_refuse(&c, CUBLAS_STATUS_INVALID_VALUE,
                            "a negative size, or a leading dimension or an increment that is too small");
    if (c.status != CUBLAS_STATUS_SUCCESS || rows == 0 || columns == 0)
        return c.status;
    if (lda == rows && ldb == rows) /* one piece */
        error = stream ? cudaMemcpyAsync(to, from, (size_t)(rows * columns * size), kind, *stream)
                       : cudaMemcpy(to, from, (size_t)(rows * columns * size), kind);
    else
        error = stream ? cudaMemcpy2DAsync(to, (size_t)(ldb * size), from, (size_t)(lda * size), (size_t)(rows * size),
                                           (size_t)columns, kind, *stream)
                       : cudaMemcpy2D(to, (size_t)(ldb * size), from, (size_t)(lda * size), (size_t)(rows * size),
                                      (size_t)columns, kind);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

#define COPIES(name, kind)                                                                                             \
    cublasStatus_t name##Vector(int n, int size, const void *from, int incx, void *to, int incy)                       \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return copy(#name "Vector", PLACE, 1, n, size, from, incx, to, incy, kind, NULL);                              \
    }                                                                                                                  \
    cublasStatus_t name##Matrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb)         \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return copy(#name "Matrix", PLACE, rows, columns, size, from, lda, to, ldb, kind, NULL);                       \
    }                                                                                                                  \
    cublasStatus_t name##VectorAsync(int n, int size, const void *from, int incx, void *to, int incy,                  \
                                     cudaStream_t stream)                                                              \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return copy(#name "VectorAsync", PLACE, 1, n, size, from, incx, to, incy, kind, &stream);                      \
    }                                                                                                                  \
    cublasStatus_t name##MatrixAsync(int rows, int columns, int size, const void *from, int lda, void *to, int ldb,    \
                                     cudaStream_t stream)                                                              \
    {                                                                                                                  \
        SIMT_LIBRARY_CALL;                                                                                             \
        return copy(#name "MatrixAsync", PLACE, rows, columns, size, from, lda, to, ldb, kind, &stream);               \
    }

COPIES(cublasSet, cudaMemcpyHostToDevice)
COPIES(cublasGet, cudaMemcpyDeviceToHost)

/* --- arguments */

static void needs(simt_request *c, const void *pointer, const char *what)
{
    char text[64];

    snprintf(text, sizeof text, "%s is null", what);
    if (!pointer)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, text);
}

/* A matrix of `rows` and `columns` after the operation. */
static simt_view matrix(simt_request *c, const char *name, const simt_cublas_matrix *m, long rows, long columns,
                        simt_cublas_batch batch)
{
    bool transposed = m->operation == CUBLAS_OP_T || m->operation == CUBLAS_OP_C;
    long stored = transposed ? columns : rows;
    simt_view v = {.name = name,
                   .type = m->type,
                   .rows = stored,
                   .columns = transposed ? rows : columns,
                   .row_stride = 1,
                   .column_stride = m->ld,
                   .batch_stride = m->stride,
                   .conjugate = m->operation == CUBLAS_OP_C || m->operation == CUBLAS_OP_CONJG};
    char text[128];

    if ((unsigned)m->operation > CUBLAS_OP_CONJG)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, "no such operation");
    if (rows < 0 || columns < 0)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, "a negative size");
    snprintf(text, sizeof text, "ld%c is %ld, less than the %ld rows of %s", name[0] | 32, (long)m->ld, stored, name);
    if (m->ld < (stored > 1 ? stored : 1))
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, text);
    if (!simt_library_size(m->type))
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED,
                            "simtcc's cuBLAS has no matrices of this type: use float or half");
    if (rows > 0 && columns > 0)
        needs(c, m->at, name);
    if (batch == SIMT_CUBLAS_POINTERS)
        v.array = (void *const *)m->at;
    else
        v.at = (void *)(uintptr_t)m->at;
    return transposed ? simt_view_transposed(v) : v;
}

/* A vector is a matrix of one column; its `ld` is the increment. If that is negative, the first element is the last in
 * memory. */
static simt_view vector(simt_request *c, const char *name, const simt_cublas_matrix *m, long count)
{
    simt_view v = {.name = name, .type = m->type, .rows = count, .columns = 1, .row_stride = m->ld};
    char text[64];

    if (count < 0)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, "a negative size");
    snprintf(text, sizeof text, "inc%s is 0", name);
    if (m->ld == 0)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, text);
    if (!simt_library_size(m->type))
        simt_request_refuse(c, CUBLAS_STATUS_NOT_SUPPORTED,
                            "simtcc's cuBLAS has no vectors of this type: use float or half");
    if (count > 0)
        needs(c, m->at, name);
    v.at = (char *)(uintptr_t)m->at + (m->ld < 0 ? (1 - count) * m->ld * (long)simt_library_size(m->type) : 0);
    return v;
}

static simt_part part_of(simt_request *c, cublasFillMode_t fill)
{
    if (fill != CUBLAS_FILL_MODE_LOWER && fill != CUBLAS_FILL_MODE_UPPER)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, "no such fill mode");
    return fill == CUBLAS_FILL_MODE_LOWER ? SIMT_LOWER : SIMT_UPPER;
}

/* A triangular or symmetric matrix: which part of the stored one is read. */
static simt_view square(simt_request *c, const simt_cublas_matrix *m, long rows, cublasFillMode_t fill, simt_rest rest)
{
    simt_view v = matrix(c, "A", m, rows, rows, SIMT_CUBLAS_STRIDED);

    v.part = part_of(c, fill);
    v.rest = rest;
    if (m->operation == CUBLAS_OP_T || m->operation == CUBLAS_OP_C) /* it is transposed already */
        v.part = v.part == SIMT_LOWER ? SIMT_UPPER : SIMT_LOWER;
    return v;
}

/* to = alpha a + beta b; NULL: without that term. */
static void combine(bool complex, long count, double *to, simt_number alpha, const double *a, simt_number beta,
                    const double *b)
{
    for (long i = 0; i < count; i++) {
        simt_number v = {0, 0};

        if (a)
            v = simt_number_product(complex, alpha, simt_number_get(a, complex, i));
        if (b)
            v = simt_number_sum(v, simt_number_product(complex, beta, simt_number_get(b, complex, i)));
        simt_number_put(to, complex, i, v);
    }
}

/* --- products: c = alpha a b + beta c */

typedef struct product_call {
    simt_library_call call;
    simt_factor alpha, beta;
    simt_view a, b, c;
    long count;
    bool complex;
} product_call;

static void run_product(simt_library_call *l)
{
    const product_call *p = (const product_call *)l;
    const long size = p->c.rows * p->c.columns;
    simt_number alpha = simt_factor_value(l, &p->alpha), beta = simt_factor_value(l, &p->beta);

    for (long i = 0; i < p->count; i++) {
        double *ab = NULL, *old = NULL;

        if (!simt_number_is_zero(alpha) && p->a.columns > 0) {
            const double *a = simt_view_read(l, &p->a, i, p->complex), *b = simt_view_read(l, &p->b, i, p->complex);

            ab = simt_library_scratch((size_t)size, 2 * sizeof *ab);
            simt_dense_multiply(p->complex, p->c.rows, p->c.columns, p->a.columns, a, b, ab);
        }
        if (!simt_number_is_zero(beta))
            old = simt_view_read(l, &p->c, i, p->complex);
        if (!ab && !old)
            ab = simt_library_scratch((size_t)size, 2 * sizeof *ab);
        combine(p->complex, size, ab ? ab : old, alpha, ab, beta, old);
        simt_view_write(l, &p->c, i, p->complex, ab ? ab : old);
        simt_library_release();
    }
}

static cublasStatus_t multiply(const simt_request *c, product_call *p)
{
    if (c->status == CUBLAS_STATUS_SUCCESS && (p->c.rows == 0 || p->c.columns == 0 || p->count == 0))
        return c->status;
    p->complex = simt_library_is_complex(p->c.type) || simt_library_is_complex(p->a.type);
    return simt_request_launch(c, &p->call, sizeof *p, false, run_product);
}

static void take_factors(simt_request *c, const simt_cublas_scalars *s, product_call *p)
{
    p->alpha = simt_factor_of(c, "alpha", s->alpha, s->type, 1);
    p->beta = simt_factor_of(c, "beta", s->beta, s->type, 0);
}

cudaDataType simt_cublas_scale_type(cublasComputeType_t compute, cudaDataType of_c)
{
    bool complex = simt_library_is_complex(of_c);

    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return complex ? CUDA_C_64F : CUDA_R_64F;
    default:
        return complex ? CUDA_C_32F : CUDA_R_32F;
    }
}

/* Bytes with sums in integers go to the tensor cores four at a time. What else the library of CUDA 13.0 refuses on an H200 was found by
 * 648 calls: all four pairs of operations, sizes of 2, 4 and 8, leading dimensions of 8, 10 and 12, and addresses. */
static void needs_words(simt_request *asked, long n, long k, const simt_cublas_matrix *a, const simt_cublas_matrix *b,
                        simt_cublas_batch batch)
{
    bool of_b = b->operation != CUBLAS_OP_N, of_both = of_b && a->operation != CUBLAS_OP_N;

    if (a->ld % 4 != 0 || b->ld % 4 != 0)
        simt_request_refuse(asked, CUBLAS_STATUS_NOT_SUPPORTED, "for bytes, lda and ldb are multiples of 4");
    if (batch == SIMT_CUBLAS_STRIDED && ((uintptr_t)a->at % 4 != 0 || (uintptr_t)b->at % 4 != 0))
        simt_request_refuse(asked, CUBLAS_STATUS_NOT_SUPPORTED, "for bytes, A and B are aligned to 4 bytes");
    if ((of_b && n % 4 != 0) || (of_both && k % 4 != 0))
        simt_request_refuse(asked, CUBLAS_STATUS_NOT_SUPPORTED,
                            "for bytes, n is a multiple of 4 where B is transposed, and k where A is, too");
}

cublasStatus_t simt_cublas_gemm(const char *name, cublasHandle_t handle, int64_t m, int64_t n, int64_t k,
                                simt_cublas_scalars s, simt_cublas_matrix a, simt_cublas_matrix b, simt_cublas_matrix c,
                                int64_t count, simt_cublas_batch batch)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_begin(&library, name, PLACE, handle);
    product_call p = {.count = count};

    needs(&asked, s.alpha, "alpha");
    needs(&asked, s.beta, "beta");
    if (count < 0)
        simt_request_refuse(&asked, CUBLAS_STATUS_INVALID_VALUE, "a negative count of a batch");
    take_factors(&asked, &s, &p);
    p.a = matrix(&asked, "A", &a, m, k, batch);
    p.b = matrix(&asked, "B", &b, k, n, batch);
    p.c = matrix(&asked, "C", &c, m, n, batch);
    if (a.type == CUDA_R_8I && c.type == CUDA_R_32I)
        needs_words(&asked, n, k, &a, &b, batch);
    return multiply(&asked, &p);
}

cublasStatus_t simt_cublas_gemv(const char *name, cublasHandle_t handle, int64_t m, int64_t n, simt_cublas_scalars s,
                                simt_cublas_matrix a, simt_cublas_matrix x, simt_cublas_matrix y)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, name, PLACE, handle);
    bool transposed = a.operation != CUBLAS_OP_N;
    product_call p = {.count = 1};

    needs(&c, s.alpha, "alpha");
    needs(&c, s.beta, "beta");
    take_factors(&c, &s, &p);
    p.a = matrix(&c, "A", &a, transposed ? n : m, transposed ? m : n, SIMT_CUBLAS_STRIDED);
    p.b = vector(&c, "x", &x, transposed ? m : n);
    p.c = vector(&c, "y", &y, transposed ? n : m);
    return multiply(&c, &p);
}

cublasStatus_t simt_cublas_ger(const char *name, cublasHandle_t handle, int64_t m, int64_t n, simt_cublas_scalars s,
                               simt_cublas_matrix x, simt_cublas_matrix y, simt_cublas_matrix a, int conjugate)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, name, PLACE, handle);
    product_call p = {.count = 1};

    needs(&c, s.alpha, "alpha");
    take_factors(&c, &s, &p);
    p.beta.value.real = 1;
    p.a = vector(&c, "x", &x, m);
    p.b = simt_view_transposed(vector(&c, "y", &y, n));
    p.b.conjugate = conjugate != 0;
    p.c = matrix(&c, "A", &a, m, n, SIMT_CUBLAS_STRIDED);
    return multiply(&c, &p);
}

/* On the right, a product is that of the transposed matrices. */
static void place_side(product_call *p, bool left)
{
    if (left)
        return;
    p->a = simt_view_transposed(p->a);
    p->b = simt_view_transposed(p->b);
    p->c = simt_view_transposed(p->c);
}

static bool is_left(simt_request *c, cublasSideMode_t side)
{
    if (side != CUBLAS_SIDE_LEFT && side != CUBLAS_SIDE_RIGHT)
        simt_request_refuse(c, CUBLAS_STATUS_INVALID_VALUE, "no such side");
    return side == CUBLAS_SIDE_LEFT;
}

static simt_view matrix_or_vector(simt_request *c, const char *names, const simt_cublas_matrix *m, long rows,
                                  long columns, int vectors)
{
    const char *name = vectors ? names + 2 : names; /* of two letters, each ended by a 0 */

    return vectors ? vector(c, name, m, rows) : matrix(c, name, m, rows, columns, SIMT_CUBLAS_STRIDED);
}

cublasStatus_t simt_cublas_symm(const char *name, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                int hermitian, int64_t m, int64_t n, simt_cublas_scalars s, simt_cublas_matrix a,
                                simt_cublas_matrix b, simt_cublas_matrix c, int vectors)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_begin(&library, name, PLACE, handle);
    bool left = is_left(&asked, side);
    product_call p = {.count = 1};

    needs(&asked, s.alpha, "alpha");
    needs(&asked, s.beta, "beta");
    take_factors(&asked, &s, &p);
    p.a = square(&asked, &a, left ? m : n, fill, hermitian ? SIMT_HERMITIAN : SIMT_SYMMETRIC);
    p.b = matrix_or_vector(&asked, "B\0x", &b, m, n, vectors);
    p.c = matrix_or_vector(&asked, "C\0y", &c, m, n, vectors);
    place_side(&p, left);
    return multiply(&asked, &p);
}

cublasStatus_t simt_cublas_syrk(const char *name, cublasHandle_t handle, cublasFillMode_t fill, int hermitian,
                                int64_t n, int64_t k, simt_cublas_scalars s, simt_cublas_matrix a, simt_cublas_matrix c)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_begin(&library, name, PLACE, handle);
    product_call p = {.count = 1};

    needs(&asked, s.alpha, "alpha");
    needs(&asked, s.beta, "beta");
    take_factors(&asked, &s, &p);
    p.a = matrix(&asked, "A", &a, n, k, SIMT_CUBLAS_STRIDED);
    p.b = simt_view_transposed(p.a);
    p.b.conjugate = hermitian && !p.a.conjugate;
    p.c = matrix(&asked, "C", &c, n, n, SIMT_CUBLAS_STRIDED);
    p.c.part = part_of(&asked, fill);
    p.c.rest = hermitian ? SIMT_HERMITIAN : SIMT_ZEROS;
    return multiply(&asked, &p);
}

cublasStatus_t simt_cublas_trmm(const char *name, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                cublasDiagType_t diagonal, int64_t m, int64_t n, simt_cublas_scalars s,
                                simt_cublas_matrix a, simt_cublas_matrix b, simt_cublas_matrix c, int vectors)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_begin(&library, name, PLACE, handle);
    bool left = is_left(&asked, side);
    product_call p = {.count = 1};

    if (!vectors)
        needs(&asked, s.alpha, "alpha");
    take_factors(&asked, &s, &p);
    p.a = square(&asked, &a, left ? m : n, fill, SIMT_ZEROS);
    p.a.unit = diagonal == CUBLAS_DIAG_UNIT;
    p.b = matrix_or_vector(&asked, "B\0x", &b, m, n, vectors);
    p.c = matrix_or_vector(&asked, "C\0x", &c, m, n, vectors);
    place_side(&p, left);
    return multiply(&asked, &p);
}

/* --- solutions: b = alpha inverse(a) b */

static void run_solve(simt_library_call *l)
{
    const product_call *p = (const product_call *)l;
    simt_number alpha = simt_factor_value(l, &p->alpha);
    long size = p->b.rows * p->b.columns;

    for (long i = 0; i < p->count; i++) {
        double *b;

        if (simt_number_is_zero(alpha)) {
            b = simt_library_scratch((size_t)size, 2 * sizeof *b);
        } else {
            const double *a = simt_view_read(l, &p->a, i, p->complex);

            b = simt_view_read(l, &p->b, i, p->complex);
            combine(p->complex, size, b, alpha, b, alpha, NULL);
            simt_dense_solve(p->complex, p->a.part == SIMT_LOWER, p->b.rows, p->b.columns, a, b);
        }
        simt_view_write(l, &p->b, i, p->complex, b);
        simt_library_release();
    }
}

cublasStatus_t simt_cublas_trsm(const char *name, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                cublasDiagType_t diagonal, int64_t m, int64_t n, simt_cublas_scalars s,
                                simt_cublas_matrix a, simt_cublas_matrix b, int64_t count, simt_cublas_batch batch,
                                int vectors)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_begin(&library, name, PLACE, handle);
    bool left = is_left(&asked, side);
    product_call p = {.count = count};

    if (!vectors)
        needs(&asked, s.alpha, "alpha");
    if (count < 0)
        simt_request_refuse(&asked, CUBLAS_STATUS_INVALID_VALUE, "a negative count of a batch");
    take_factors(&asked, &s, &p);
    p.a = square(&asked, &a, left ? m : n, fill, SIMT_ZEROS);
    p.a.unit = diagonal == CUBLAS_DIAG_UNIT;
    p.b = matrix_or_vector(&asked, "B\0x", &b, m, n, vectors);
    if (batch == SIMT_CUBLAS_POINTERS) {
        p.a.array = (void *const *)a.at;
        p.b.array = (void *const *)b.at;
    }
    p.c = p.b;
    place_side(&p, left);
    if (asked.status == CUBLAS_STATUS_SUCCESS && (m == 0 || n == 0 || count == 0))
        return asked.status;
    p.complex = simt_library_is_complex(p.b.type);
    return simt_request_launch(&asked, &p.call, sizeof p, false, run_solve);
}

/* --- sums: c = alpha a + beta b */

static void run_sum(simt_library_call *l)
{
    const product_call *p = (const product_call *)l;
    simt_number alpha = simt_factor_value(l, &p->alpha), beta = simt_factor_value(l, &p->beta);
    long size = p->c.rows * p->c.columns;
    double *a = simt_number_is_zero(alpha) ? NULL : simt_view_read(l, &p->a, 0, p->complex);
    double *b = simt_number_is_zero(beta) ? NULL : simt_view_read(l, &p->b, 0, p->complex);
    double *c = simt_library_scratch((size_t)size, 2 * sizeof *c);

    combine(p->complex, size, c, alpha, a, beta, b);
    simt_view_write(l, &p->c, 0, p->complex, c);
}

static cublasStatus_t add(const simt_request *c, product_call *p)
{
    if (c->status == CUBLAS_STATUS_SUCCESS && (p->c.rows == 0 || p->c.columns == 0))
        return c->status;
    p->complex = simt_library_is_complex(p->c.type);
    return simt_request_launch(c, &p->call, sizeof *p, false, run_sum);
}

cublasStatus_t simt_cublas_geam(const char *name, cublasHandle_t handle, int64_t m, int64_t n, simt_cublas_scalars s,
                                simt_cublas_matrix a, simt_cublas_matrix b, simt_cublas_matrix c)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_begin(&library, name, PLACE, handle);
    product_call p = {.count = 1};

    needs(&asked, s.alpha, "alpha");
    needs(&asked, s.beta, "beta");
    take_factors(&asked, &s, &p);
    /* a matrix whose factor is 0 may be null */
    if (!p.alpha.device && simt_number_is_zero(p.alpha.value))
        p.a = p.c;
    else
        p.a = matrix(&asked, "A", &a, m, n, SIMT_CUBLAS_STRIDED);
    if (!p.beta.device && simt_number_is_zero(p.beta.value))
        p.b = p.c;
    else
        p.b = matrix(&asked, "B", &b, m, n, SIMT_CUBLAS_STRIDED);
    p.c = matrix(&asked, "C", &c, m, n, SIMT_CUBLAS_STRIDED);
    return add(&asked, &p);
}

cublasStatus_t simt_cublas_axpy(const char *name, cublasHandle_t handle, int64_t n, simt_cublas_scalars s,
                                simt_cublas_matrix x, simt_cublas_matrix y)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, name, PLACE, handle);
    bool copies = name[sizeof "cublasSco" - 2] == 'o'; /* cublasScopy: the only one that has no alpha */
    product_call p = {.count = 1};

    if (!copies)
        needs(&c, s.alpha, "alpha");
    take_factors(&c, &s, &p);
    p.a = vector(&c, "x", &x, n);
    p.b = p.c = vector(&c, x.at == y.at ? "x" : "y", &y, n);
    p.beta.value.real = !copies && x.at != y.at;
    return add(&c, &p);
}

/* --- pairs */

static void run_rot(simt_library_call *l)
{
    const product_call *p = (const product_call *)l;
    simt_number c = simt_factor_value(l, &p->alpha), s = simt_factor_value(l, &p->beta),
                minus_s = {-s.real, -s.imaginary};
    double *x = simt_view_read(l, &p->a, 0, p->complex), *y = simt_view_read(l, &p->b, 0, p->complex);
    double *to = simt_library_scratch((size_t)p->a.rows, 2 * sizeof *to);
    bool swaps = p->count == 0;

    if (!swaps) {
        combine(p->complex, p->a.rows, to, c, x, s, y);
        combine(p->complex, p->a.rows, y, c, y, minus_s, x);
    }
    simt_view_write(l, &p->a, 0, p->complex, swaps ? y : to);
    simt_view_write(l, &p->b, 0, p->complex, swaps ? x : y);
}

cublasStatus_t simt_cublas_rot(const char *name, cublasHandle_t handle, int64_t n, simt_cublas_scalars s,
                               simt_cublas_matrix x, simt_cublas_matrix y)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, name, PLACE, handle);
    product_call p = {.count = s.alpha || s.beta};

    if (p.count) {
        needs(&c, s.alpha, "c");
        needs(&c, s.beta, "s");
    }
    take_factors(&c, &s, &p);
    p.a = vector(&c, "x", &x, n);
    p.b = vector(&c, "y", &y, n);
    p.complex = simt_library_is_complex(x.type);
    return n == 0 ? c.status : simt_request_launch(&c, &p.call, sizeof p, false, run_rot);
}

/* --- a matrix times a diagonal one */

static void run_dgmm(simt_library_call *l)
{
    const product_call *p = (const product_call *)l;
    double *a = simt_view_read(l, &p->a, 0, p->complex), *x = simt_view_read(l, &p->b, 0, p->complex);

    for (long j = 0; j < p->a.columns; j++)
        for (long i = 0; i < p->a.rows; i++)
            simt_number_put(a, p->complex, i + j * p->a.rows,
                            simt_number_product(p->complex, simt_number_get(a, p->complex, i + j * p->a.rows),
                                                simt_number_get(x, p->complex, p->count ? i : j)));
    simt_view_write(l, &p->c, 0, p->complex, a);
}

cublasStatus_t simt_cublas_dgmm(const char *name, cublasHandle_t handle, cublasSideMode_t side, int64_t m, int64_t n,
                                simt_cublas_matrix a, simt_cublas_matrix x, simt_cublas_matrix c)
{
    SIMT_LIBRARY_CALL;
    simt_request asked = simt_request_begin(&library, name, PLACE, handle);
    product_call p = {.count = is_left(&asked, side), .complex = simt_library_is_complex(c.type)};

    p.a = matrix(&asked, "A", &a, m, n, SIMT_CUBLAS_STRIDED);
    p.b = vector(&asked, "x", &x, p.count ? m : n);
    p.c = matrix(&asked, "C", &c, m, n, SIMT_CUBLAS_STRIDED);
    return m == 0 || n == 0 ? asked.status : simt_request_launch(&asked, &p.call, sizeof p, false, run_dgmm);
}

/* --- reductions */

typedef struct reduce_call {
    simt_library_call call;
    simt_cublas_reduction kind;
    simt_view x, y;
    void *result;
    bool on_device;
    cudaDataType result_type;
} reduce_call;

static double size_of(simt_number v)
{
    return fabs(v.real) + fabs(v.imaginary);
}

/* Scaled by the largest part, so that no square overflows. */
static double norm(const double *x, long count)
{
    double largest = 0, squares = 0;

    for (long i = 0; i < count; i++)
        largest = fabs(x[i]) > largest || x[i] != x[i] ? fabs(x[i]) : largest;
    if (largest == 0 || largest != largest || isinf(largest))
        return largest;
    for (long i = 0; i < count; i++)
        squares += x[i] / largest * (x[i] / largest);
    return largest * sqrt(squares);
}

static simt_number reduce(const reduce_call *r, bool complex, long n, const double *x, const double *y)
{
    simt_number total = {0, 0};
    long best = 0;

    if (r->kind == SIMT_CUBLAS_NORM)
        return (simt_number){norm(x, complex ? 2 * n : n), 0};
    for (long i = 0; i < n; i++) {
        simt_number e = simt_number_get(x, complex, i);

        if (r->kind == SIMT_CUBLAS_SUM)
            total.real += size_of(e);
        else if (y)
            total = simt_number_sum(total, simt_number_product(complex, e, simt_number_get(y, complex, i)));
        else if (r->kind == SIMT_CUBLAS_MAX ? size_of(e) > size_of(simt_number_get(x, complex, best))
                                            : size_of(e) < size_of(simt_number_get(x, complex, best)))
            best = i;
    }
    if (r->kind == SIMT_CUBLAS_MAX || r->kind == SIMT_CUBLAS_MIN)
        total.real = n > 0 ? (double)best + 1 : 0; /* counted from 1 */
    return total;
}

static void run_reduce(simt_library_call *l)
{
    const reduce_call *r = (const reduce_call *)l;
    bool complex = simt_library_is_complex(r->x.type);
    bool pair = r->kind == SIMT_CUBLAS_DOT || r->kind == SIMT_CUBLAS_DOT_CONJUGATE;
    const double *x = simt_view_read(l, &r->x, 0, complex), *y = pair ? simt_view_read(l, &r->y, 0, complex) : NULL;
    simt_number v = reduce(r, complex, r->x.rows, x, y);

    simt_library_argument(l, "result", -1);
    if (r->on_device)
        simt_library_write(l, r->result, r->result_type, 0, v);
    else
        simt_library_store(r->result, r->result_type, 0, v);
}

cublasStatus_t simt_cublas_reduce(const char *name, cublasHandle_t handle, simt_cublas_reduction kind, int64_t n,
                                  simt_cublas_matrix x, simt_cublas_matrix y, void *result, cudaDataType result_type)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, name, PLACE, handle);
    reduce_call r = {.kind = kind, .result = result, .result_type = result_type};
    bool pair = kind == SIMT_CUBLAS_DOT || kind == SIMT_CUBLAS_DOT_CONJUGATE;

    needs(&c, result, "the address for the result");
    r.on_device = c.on_device;
    if (c.status == CUBLAS_STATUS_SUCCESS && !r.on_device && simt_library_is_device(name, c.place, "result", result))
        c.status = CUBLAS_STATUS_INVALID_VALUE;
    if (n < 0 || (!pair && x.ld <= 0)) { /* of nothing: 0 */
        n = 0;
        x.ld = 1;
    }
    r.x = vector(&c, "x", &x, n);
    r.y = vector(&c, "y", &y, pair ? n : 0);
    r.x.conjugate = kind == SIMT_CUBLAS_DOT_CONJUGATE;
    return simt_request_launch(&c, &r.call, sizeof r, !r.on_device, run_reduce);
}

/* --- factorisations, of the matrices of a batch */

typedef struct factor_call {
    simt_library_call call;
    simt_cublas_factor kind;
    simt_view a, b;
    bool complex;
    cublasOperation_t operation;
    int *pivots, *info; /* on the device; NULL: none */
    long count;
} factor_call;

static double *numbers(const factor_call *p, long count)
{
    return simt_library_scratch((size_t)count, (p->complex ? 2 : 1) * sizeof(double));
}

static int *read_pivots(const simt_library_call *l, const factor_call *p, long index)
{
    long n = p->a.rows;
    int *pivots = p->pivots ? simt_library_scratch((size_t)n, sizeof *pivots) : NULL;

    simt_library_argument(l, "PivotArray", -1);
    for (long i = 0; i < n && pivots; i++) {
        double row = simt_library_read(l, p->pivots, CUDA_R_32I, index * n + i).real;
        bool right = row >= 1 && row <= (double)n;

        if (!right)
            simt_library_refuse(l->name, l->place, "PivotArray[%ld] is %.0f, which is not in 1 ... %ld", index * n + i,
                                row, n);
        pivots[i] = right ? (int)row : 1;
    }
    return pivots;
}

static void write_pivots(const simt_library_call *l, const factor_call *p, long index, const int *pivots)
{
    simt_library_argument(l, "PivotArray", -1);
    for (long i = 0; i < p->a.rows && p->pivots; i++)
        simt_library_copy(l, &p->pivots[index * p->a.rows + i], &pivots[i], sizeof *pivots);
}

/* The inverse of the factored matrix; NULL, and info, if it has none. */
static double *inverse(const factor_call *p, const double *factors, const int *pivots, long *info)
{
    long n = p->a.rows;
    double *b = numbers(p, n * n);

    for (long i = n; i > 0; i--)
        if (simt_number_is_zero(simt_number_get(factors, p->complex, (i - 1) * (n + 1))))
            *info = i;
    if (*info)
        return NULL;
    for (long i = 0; i < n; i++)
        simt_number_put(b, p->complex, i + i * n, (simt_number){1, 0});
    simt_factor_lu_solve(p->complex, false, false, n, n, factors, pivots, b);
    return b;
}

/* Of one matrix; returns its info. */
static long factor(const simt_library_call *l, const factor_call *p, long index)
{
    long n = p->a.rows, info = 0;
    double *a = simt_view_read(l, &p->a, index, p->complex), *b = NULL;
    int *pivots = simt_library_scratch((size_t)n, sizeof *pivots);

    switch (p->kind) {
    case SIMT_CUBLAS_LU:
        info = simt_factor_lu(p->complex, n, n, a, p->pivots ? pivots : NULL);
        write_pivots(l, p, index, pivots);
        break;
    case SIMT_CUBLAS_LU_SOLUTION:
        b = simt_view_read(l, &p->b, index, p->complex);
        simt_factor_lu_solve(p->complex, p->operation != CUBLAS_OP_N, p->operation == CUBLAS_OP_C, n, p->b.columns, a,
                             read_pivots(l, p, index), b);
        break;
    case SIMT_CUBLAS_LU_INVERSE:
        b = inverse(p, a, read_pivots(l, p, index), &info);
        break;
    case SIMT_CUBLAS_INVERSE:
        info = simt_factor_lu(p->complex, n, n, a, pivots);
        b = inverse(p, a, pivots, &info);
        break;
    case SIMT_CUBLAS_QR:
        b = numbers(p, p->b.rows);
        simt_factor_qr(p->complex, n, p->a.columns, a, b);
        break;
    case SIMT_CUBLAS_LEAST_SQUARES:
        b = simt_view_read(l, &p->b, index, p->complex);
        info = simt_factor_least_squares(p->complex, n, p->a.columns, p->b.columns, a, numbers(p, p->a.columns), b);
        break;
    }
    if (p->kind == SIMT_CUBLAS_LU || p->kind == SIMT_CUBLAS_QR || p->kind == SIMT_CUBLAS_LEAST_SQUARES)
        simt_view_write(l, &p->a, index, p->complex, a);
    if (b)
        simt_view_write(l, &p->b, index, p->complex, b);
    return info;
}

static void run_factor(simt_library_call *l)
{
    const factor_call *p = (const factor_call *)l;

    for (long i = 0; i < p->count; i++) {
        int info = (int)factor(l, p, i);

        simt_library_argument(l, "info", -1);
        if (p->info)
            simt_library_copy(l, &p->info[i], &info, sizeof info);
        simt_library_release();
    }
}

cublasStatus_t simt_cublas_factors(const char *name, cublasHandle_t handle, simt_cublas_factor kind, int64_t m,
                                   int64_t n, int64_t columns, simt_cublas_matrix a, simt_cublas_matrix b,
                                   const int *pivots, int *info, int *host_info, int64_t count)
{
    SIMT_LIBRARY_CALL;
    simt_request c = simt_request_begin(&library, name, PLACE, handle);
    factor_call p = {.kind = kind,
                     .complex = simt_library_is_complex(a.type),
                     .operation = (cublasOperation_t)a.operation,
                     .pivots = (int *)(uintptr_t)pivots,
                     .info = info,
                     .count = count};
    bool squares = kind == SIMT_CUBLAS_LEAST_SQUARES;

    if (count < 0)
        simt_request_refuse(&c, CUBLAS_STATUS_INVALID_VALUE, "a negative count of a batch");
    if (squares && (a.operation != CUBLAS_OP_N || m < n))
        simt_request_refuse(&c, CUBLAS_STATUS_NOT_SUPPORTED,
                            "a transposed matrix, or fewer rows than columns, which gelsBatched does not take");
    if (kind == SIMT_CUBLAS_INVERSE && n > 32)
        simt_request_refuse(&c, CUBLAS_STATUS_INVALID_VALUE, "over 32 rows, which matinvBatched does not take");
    a.operation = CUBLAS_OP_N;
    p.a = matrix(&c, "A", &a, m, n, SIMT_CUBLAS_POINTERS);
    if (kind != SIMT_CUBLAS_LU)
        p.b = matrix(&c,
                     squares                  ? "C"
                     : kind == SIMT_CUBLAS_QR ? "TauArray"
                                              : "B",
                     &b, kind == SIMT_CUBLAS_QR && n < m ? n : m, columns, SIMT_CUBLAS_POINTERS);
    if (host_info && c.status == CUBLAS_STATUS_SUCCESS)
        *host_info = 0;
    if (c.status == CUBLAS_STATUS_SUCCESS && (m == 0 || n == 0 || count == 0))
        return c.status;
    return simt_request_launch(&c, &p.call, sizeof p, false, run_factor);
}
