/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuBLAS, for C and C++. A call is a launch in the stream of its handle: its matrices and vectors are device memory and are
 * checked like those of a kernel, element by element. Sums are computed in double and rounded once to the type of the result; a
 * GPU adds in another order, and in the compute type, so its last bits differ.
 *
 * A call returns CUBLAS_STATUS_NOT_INITIALIZED for what is no handle, and CUBLAS_STATUS_INVALID_VALUE for a negative size, a
 * leading dimension below the rows, an increment of 0, a null pointer that is needed or an unknown enumerator; each is a finding
 * `api`. CUBLAS_STATUS_NOT_SUPPORTED: a combination of types that is not here. CUBLAS_STATUS_EXECUTION_FAILED: the launch failed.
 * What this header does not declare, simtcc refuses by name.
 */
#ifndef SIMT_CUBLAS_V2_H
#define SIMT_CUBLAS_V2_H

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#include <stdint.h>

#if defined __cplusplus && defined __CUDACC__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

/* The guards of CUDA's own headers, which programs ask for. */
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION   130000

/* Every status: name, number, what cublasGetStatusString says. */
#define SIMT_CUBLAS_STATUS(row)                                                                                        \
    row(CUBLAS_STATUS_SUCCESS, 0, "success") row(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")  \
        row(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")                                           \
            row(CUBLAS_STATUS_INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function")        \
                row(CUBLAS_STATUS_ARCH_MISMATCH, 8,                                                                    \
                    "the function requires an architectural feature absent from the architecture of the device")       \
                    row(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed")                       \
                        row(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the function failed to launch on the GPU")            \
                            row(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")                      \
                                row(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the functionality is not supported")             \
                                    row(CUBLAS_STATUS_LICENSE_ERROR, 16, "the functionality requires a license")

#define SIMT_CUBLAS_ENUMERATOR(name, number, text) name = number,
typedef enum cublasStatus_t { SIMT_CUBLAS_STATUS(SIMT_CUBLAS_ENUMERATOR) } cublasStatus_t;
#undef SIMT_CUBLAS_ENUMERATOR
typedef cublasStatus_t cublasStatus;

typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_OP_C,
    CUBLAS_OP_HERMITAN = CUBLAS_OP_C,
    CUBLAS_OP_CONJG
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
/* Which algorithm is chosen changes nothing here. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0,
    CUBLAS_GEMM_ALGO1,
    CUBLAS_GEMM_ALGO2,
    CUBLAS_GEMM_ALGO3,
    CUBLAS_GEMM_ALGO4,
    CUBLAS_GEMM_ALGO5,
    CUBLAS_GEMM_ALGO6,
    CUBLAS_GEMM_ALGO7,
    CUBLAS_GEMM_ALGO8,
    CUBLAS_GEMM_ALGO9,
    CUBLAS_GEMM_ALGO10,
    CUBLAS_GEMM_ALGO11,
    CUBLAS_GEMM_ALGO12,
    CUBLAS_GEMM_ALGO13,
    CUBLAS_GEMM_ALGO14,
    CUBLAS_GEMM_ALGO15,
    CUBLAS_GEMM_ALGO16,
    CUBLAS_GEMM_ALGO17,
    CUBLAS_GEMM_ALGO18,
    CUBLAS_GEMM_ALGO19,
    CUBLAS_GEMM_ALGO20,
    CUBLAS_GEMM_ALGO21,
    CUBLAS_GEMM_ALGO22,
    CUBLAS_GEMM_ALGO23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP,
    CUBLAS_GEMM_ALGO1_TENSOR_OP,
    CUBLAS_GEMM_ALGO2_TENSOR_OP,
    CUBLAS_GEMM_ALGO3_TENSOR_OP,
    CUBLAS_GEMM_ALGO4_TENSOR_OP,
    CUBLAS_GEMM_ALGO5_TENSOR_OP,
    CUBLAS_GEMM_ALGO6_TENSOR_OP,
    CUBLAS_GEMM_ALGO7_TENSOR_OP,
    CUBLAS_GEMM_ALGO8_TENSOR_OP,
    CUBLAS_GEMM_ALGO9_TENSOR_OP,
    CUBLAS_GEMM_ALGO10_TENSOR_OP,
    CUBLAS_GEMM_ALGO11_TENSOR_OP,
    CUBLAS_GEMM_ALGO12_TENSOR_OP,
    CUBLAS_GEMM_ALGO13_TENSOR_OP,
    CUBLAS_GEMM_ALGO14_TENSOR_OP,
    CUBLAS_GEMM_ALGO15_TENSOR_OP,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

/* The compute type of the functions Ex; in C++ also as before CUDA 11, as the type of the sums. */
#ifdef __cplusplus
struct simt_cublas_compute {
    cublasComputeType_t type;

    simt_cublas_compute(cublasComputeType_t t) : type(t)
    {
    }
    simt_cublas_compute(cudaDataType of_sums)
        : type(of_sums == CUDA_R_16F                            ? CUBLAS_COMPUTE_16F
               : of_sums == CUDA_R_32I                          ? CUBLAS_COMPUTE_32I
               : of_sums == CUDA_R_64F || of_sums == CUDA_C_64F ? CUBLAS_COMPUTE_64F
                                                                : CUBLAS_COMPUTE_32F)
    {
    }
    operator cublasComputeType_t() const
    {
        return type;
    }
};
#else
typedef cublasComputeType_t simt_cublas_compute;
#endif

typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes); /* without effect */
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode); /* kept, without effect */
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode); /* kept, without effect */
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* Copies between the host and the device. MAPPING_ERROR: cudaMemcpy2D failed. */
cublasStatus_t cublasSetVector(int n, int size, const void *from, int incx, void *to, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *from, int incx, void *to, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *from, int lda, void *to, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *from, int incx, void *to, int incy, cudaStream_t);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *from, int incx, void *to, int incy, cudaStream_t);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *from, int lda, void *to, int ldb,
                                    cudaStream_t);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *from, int lda, void *to, int ldb,
                                    cudaStream_t);

/* What the functions below are made of. `call` is the name of the function that the program called; a program does not call
 * these. Sizes are in elements. */
typedef struct simt_cublas_matrix {
    const void *at; /* in a batch of pointers: their array */
    cudaDataType type;
    int64_t ld, stride; /* of columns, and from matrix to matrix of a batch; of a vector: its increment */
    int operation;      /* cublasOperation_t */
} simt_cublas_matrix;

typedef struct simt_cublas_scalars {
    const void *alpha, *beta;
    cudaDataType type;
} simt_cublas_scalars;

typedef enum simt_cublas_batch { SIMT_CUBLAS_STRIDED, SIMT_CUBLAS_POINTERS } simt_cublas_batch;
typedef enum simt_cublas_reduction {
    SIMT_CUBLAS_DOT,
    SIMT_CUBLAS_DOT_CONJUGATE,
    SIMT_CUBLAS_NORM,
    SIMT_CUBLAS_SUM,
    SIMT_CUBLAS_MAX,
    SIMT_CUBLAS_MIN
} simt_cublas_reduction;

typedef enum simt_cublas_factor {
    SIMT_CUBLAS_LU,
    SIMT_CUBLAS_LU_SOLUTION,
    SIMT_CUBLAS_LU_INVERSE,
    SIMT_CUBLAS_INVERSE,
    SIMT_CUBLAS_QR,
    SIMT_CUBLAS_LEAST_SQUARES
} simt_cublas_factor;

cublasStatus_t simt_cublas_gemm(const char *call, cublasHandle_t, int64_t m, int64_t n, int64_t k, simt_cublas_scalars,
                                simt_cublas_matrix a, simt_cublas_matrix b, simt_cublas_matrix c, int64_t count,
                                simt_cublas_batch);
cublasStatus_t simt_cublas_gemv(const char *call, cublasHandle_t, int64_t m, int64_t n, simt_cublas_scalars,
                                simt_cublas_matrix a, simt_cublas_matrix x, simt_cublas_matrix y);
cublasStatus_t simt_cublas_ger(const char *call, cublasHandle_t, int64_t m, int64_t n, simt_cublas_scalars,
                               simt_cublas_matrix x, simt_cublas_matrix y, simt_cublas_matrix a, int conjugate);
/* a is square, of n rows, or m if it is on the left; b and c have m rows and n columns. */
cublasStatus_t simt_cublas_symm(const char *call, cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int hermitian,
                                int64_t m, int64_t n, simt_cublas_scalars, simt_cublas_matrix a, simt_cublas_matrix b,
                                simt_cublas_matrix c, int vectors);
cublasStatus_t simt_cublas_syrk(const char *call, cublasHandle_t, cublasFillMode_t, int hermitian, int64_t n, int64_t k,
                                simt_cublas_scalars, simt_cublas_matrix a, simt_cublas_matrix c);
cublasStatus_t simt_cublas_trmm(const char *call, cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasDiagType_t,
                                int64_t m, int64_t n, simt_cublas_scalars, simt_cublas_matrix a, simt_cublas_matrix b,
                                simt_cublas_matrix c, int vectors);
cublasStatus_t simt_cublas_trsm(const char *call, cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasDiagType_t,
                                int64_t m, int64_t n, simt_cublas_scalars, simt_cublas_matrix a, simt_cublas_matrix b,
                                int64_t count, simt_cublas_batch, int vectors);
/* c = alpha a + beta b */
cublasStatus_t simt_cublas_geam(const char *call, cublasHandle_t, int64_t m, int64_t n, simt_cublas_scalars,
                                simt_cublas_matrix a, simt_cublas_matrix b, simt_cublas_matrix c);
cublasStatus_t simt_cublas_dgmm(const char *call, cublasHandle_t, cublasSideMode_t, int64_t m, int64_t n,
                                simt_cublas_matrix a, simt_cublas_matrix x, simt_cublas_matrix c);
/* y = alpha x + y; y may be x: x = alpha x; without alpha: y = x */
cublasStatus_t simt_cublas_axpy(const char *call, cublasHandle_t, int64_t n, simt_cublas_scalars, simt_cublas_matrix x,
                                simt_cublas_matrix y);
/* x, y = c x + s y, c y - s x, where alpha is c and beta is s; without them x, y = y, x */
cublasStatus_t simt_cublas_rot(const char *call, cublasHandle_t, int64_t n, simt_cublas_scalars, simt_cublas_matrix x,
                               simt_cublas_matrix y);
cublasStatus_t simt_cublas_reduce(const char *call, cublasHandle_t, simt_cublas_reduction, int64_t n,
                                  simt_cublas_matrix x, simt_cublas_matrix y, void *result, cudaDataType result_type);
/* Of each matrix of a batch of pointers. b: the right sides, the inverse, or the reflectors' factors. `info` is on the device, one for
 * each matrix; *host_info is 0 for right arguments. */
cublasStatus_t simt_cublas_factors(const char *call, cublasHandle_t, simt_cublas_factor, int64_t m, int64_t n,
                                   int64_t columns, simt_cublas_matrix a, simt_cublas_matrix b, const int *pivots,
                                   int *info, int *host_info, int64_t count);
cudaDataType simt_cublas_scale_type(cublasComputeType_t compute, cudaDataType of_c);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* Inlined at any -O, so that findings have the line of the call. */
#define SIMT_CUBLAS static inline __attribute__((always_inline, unused)) cublasStatus_t

static inline __attribute__((always_inline, unused)) simt_cublas_matrix
simt_cublas_of(const void *at, cudaDataType type, int64_t ld, int64_t stride, int operation)
{
    simt_cublas_matrix a;

    a.at = at;
    a.type = type;
    a.ld = ld;
    a.stride = stride;
    a.operation = operation;
    return a;
}

static inline __attribute__((always_inline, unused)) simt_cublas_scalars
simt_cublas_scale(const void *alpha, const void *beta, cudaDataType type)
{
    simt_cublas_scalars s;

    s.alpha = alpha;
    s.beta = beta;
    s.type = type;
    return s;
}

/* clang-format off */
/* Functions of vectors and matrices of one type T. */
#define SIMT_CUBLAS_ALL(_S, T, SIMT_TYPE)                                                                              \
    SIMT_CUBLAS cublas##_S##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy)        \
    { return simt_cublas_axpy(__func__, h, n, simt_cublas_scale(alpha, 0, SIMT_TYPE),                                  \
                              simt_cublas_of(x, SIMT_TYPE, incx, 0, 0), simt_cublas_of(y, SIMT_TYPE, incy, 0, 0)); }   \
    SIMT_CUBLAS cublas##_S##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy)                        \
    { return simt_cublas_axpy(__func__, h, n, simt_cublas_scale(0, 0, SIMT_TYPE),                                      \
                              simt_cublas_of(x, SIMT_TYPE, incx, 0, 0), simt_cublas_of(y, SIMT_TYPE, incy, 0, 0)); }   \
    SIMT_CUBLAS cublas##_S##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx)                              \
    { return simt_cublas_axpy(__func__, h, n, simt_cublas_scale(alpha, 0, SIMT_TYPE),                                  \
                              simt_cublas_of(x, SIMT_TYPE, incx, 0, 0), simt_cublas_of(x, SIMT_TYPE, incx, 0, 0)); }   \
    SIMT_CUBLAS cublas##_S##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy)                              \
    { return simt_cublas_rot(__func__, h, n, simt_cublas_scale(0, 0, SIMT_TYPE),                                       \
                             simt_cublas_of(x, SIMT_TYPE, incx, 0, 0), simt_cublas_of(y, SIMT_TYPE, incy, 0, 0)); }    \
    SIMT_CUBLAS cublas##_S##gemv(cublasHandle_t h, cublasOperation_t t, int m, int n, const T *alpha, const T *_A,     \
                                int lda, const T *x, int incx, const T *beta, T *y, int incy)                          \
    { return simt_cublas_gemv(__func__, h, m, n, simt_cublas_scale(alpha, beta, SIMT_TYPE),                            \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, t), simt_cublas_of(x, SIMT_TYPE, incx, 0, 0),      \
                              simt_cublas_of(y, SIMT_TYPE, incy, 0, 0)); }                                             \
    SIMT_CUBLAS cublas##_S##trmv(cublasHandle_t h, cublasFillMode_t u, cublasOperation_t t, cublasDiagType_t d, int n, \
                                const T *_A, int lda, T *x, int incx)                                                  \
    { return simt_cublas_trmm(__func__, h, CUBLAS_SIDE_LEFT, u, d, n, 1, simt_cublas_scale(0, 0, SIMT_TYPE),           \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, t), simt_cublas_of(x, SIMT_TYPE, incx, 0, 0),      \
                              simt_cublas_of(x, SIMT_TYPE, incx, 0, 0), 1); }                                          \
    SIMT_CUBLAS cublas##_S##trsv(cublasHandle_t h, cublasFillMode_t u, cublasOperation_t t, cublasDiagType_t d, int n, \
                                const T *_A, int lda, T *x, int incx)                                                  \
    { return simt_cublas_trsm(__func__, h, CUBLAS_SIDE_LEFT, u, d, n, 1, simt_cublas_scale(0, 0, SIMT_TYPE),           \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, t), simt_cublas_of(x, SIMT_TYPE, incx, 0, 0), 1,   \
                              SIMT_CUBLAS_STRIDED, 1); }                                                               \
    SIMT_CUBLAS cublas##_S##symv(cublasHandle_t h, cublasFillMode_t u, int n, const T *alpha, const T *_A, int lda,    \
                                const T *x, int incx, const T *beta, T *y, int incy)                                   \
    { return simt_cublas_symm(__func__, h, CUBLAS_SIDE_LEFT, u, 0, n, 1, simt_cublas_scale(alpha, beta, SIMT_TYPE),    \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, 0), simt_cublas_of(x, SIMT_TYPE, incx, 0, 0),      \
                              simt_cublas_of(y, SIMT_TYPE, incy, 0, 0), 1); }                                          \
    SIMT_CUBLAS cublas##_S##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,    \
                                const T *alpha, const T *_A, int lda, const T *_B, int ldb, const T *beta, T *_C,      \
                                int ldc)                                                                               \
    { return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, SIMT_TYPE),                         \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, ta), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, tb),    \
                              simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0), 1, SIMT_CUBLAS_STRIDED); }                     \
    SIMT_CUBLAS cublas##_S##gemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,    \
                                       int k, const T *alpha, const T *const _A[], int lda, const T *const _B[],       \
                                       int ldb, const T *beta, T *const _C[], int ldc, int count)                      \
    { return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, SIMT_TYPE),                         \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, ta), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, tb),    \
                              simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0), count, SIMT_CUBLAS_POINTERS); }                \
    SIMT_CUBLAS cublas##_S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,    \
                                              int n, int k, const T *alpha, const T *_A, int lda, long long stride_a,  \
                                              const T *_B, int ldb, long long stride_b, const T *beta, T *_C, int ldc, \
                                              long long stride_c, int count)                                           \
    { return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, SIMT_TYPE),                         \
                              simt_cublas_of(_A, SIMT_TYPE, lda, stride_a, ta),                                        \
                              simt_cublas_of(_B, SIMT_TYPE, ldb, stride_b, tb),                                        \
                              simt_cublas_of(_C, SIMT_TYPE, ldc, stride_c, 0), count, SIMT_CUBLAS_STRIDED); }          \
    SIMT_CUBLAS cublas##_S##symm(cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t u, int m, int n,               \
                                const T *alpha, const T *_A, int lda, const T *_B, int ldb, const T *beta, T *_C,      \
                                int ldc)                                                                               \
    { return simt_cublas_symm(__func__, h, s, u, 0, m, n, simt_cublas_scale(alpha, beta, SIMT_TYPE),                   \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, 0), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, 0),      \
                              simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0), 0); }                                          \
    SIMT_CUBLAS cublas##_S##syrk(cublasHandle_t h, cublasFillMode_t u, cublasOperation_t t, int n, int k,              \
                                const T *alpha, const T *_A, int lda, const T *beta, T *_C, int ldc)                   \
    { return simt_cublas_syrk(__func__, h, u, 0, n, k, simt_cublas_scale(alpha, beta, SIMT_TYPE),                      \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, t), simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0)); }   \
    SIMT_CUBLAS cublas##_S##trmm(cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t u, cublasOperation_t t,        \
                                cublasDiagType_t d, int m, int n, const T *alpha, const T *_A, int lda, const T *_B,   \
                                int ldb, T *_C, int ldc)                                                               \
    { return simt_cublas_trmm(__func__, h, s, u, d, m, n, simt_cublas_scale(alpha, 0, SIMT_TYPE),                      \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, t), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, 0),      \
                              simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0), 0); }                                          \
    SIMT_CUBLAS cublas##_S##trsm(cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t u, cublasOperation_t t,        \
                                cublasDiagType_t d, int m, int n, const T *alpha, const T *_A, int lda, T *_B, int ldb) \
    { return simt_cublas_trsm(__func__, h, s, u, d, m, n, simt_cublas_scale(alpha, 0, SIMT_TYPE),                      \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, t), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, 0), 1,   \
                              SIMT_CUBLAS_STRIDED, 0); }                                                               \
    SIMT_CUBLAS cublas##_S##trsmBatched(cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t u, cublasOperation_t t, \
                                       cublasDiagType_t d, int m, int n, const T *alpha, const T *const _A[], int lda, \
                                       T *const _B[], int ldb, int count)                                              \
    { return simt_cublas_trsm(__func__, h, s, u, d, m, n, simt_cublas_scale(alpha, 0, SIMT_TYPE),                      \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, t), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, 0), count, \
                              SIMT_CUBLAS_POINTERS, 0); }                                                              \
    SIMT_CUBLAS cublas##_S##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,           \
                                const T *alpha, const T *_A, int lda, const T *beta, const T *_B, int ldb, T *_C,      \
                                int ldc)                                                                               \
    { return simt_cublas_geam(__func__, h, m, n, simt_cublas_scale(alpha, beta, SIMT_TYPE),                            \
                              simt_cublas_of(_A, SIMT_TYPE, lda, 0, ta), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, tb),    \
                              simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0)); }                                             \
    SIMT_CUBLAS cublas##_S##dgmm(cublasHandle_t h, cublasSideMode_t s, int m, int n, const T *_A, int lda, const T *x, \
                                int incx, T *_C, int ldc)                                                              \
    { return simt_cublas_dgmm(__func__, h, s, m, n, simt_cublas_of(_A, SIMT_TYPE, lda, 0, 0),                          \
                              simt_cublas_of(x, SIMT_TYPE, incx, 0, 0), simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0)); }   \
    SIMT_CUBLAS cublas##_S##getrfBatched(cublasHandle_t h, int n, T *const _A[], int lda, int *_P, int *info, int      \
          count)                                                                                                       \
    { return simt_cublas_factors(__func__, h, SIMT_CUBLAS_LU, n, n, 0, simt_cublas_of(_A, SIMT_TYPE, lda, 0,           \
          0), simt_cublas_of(0, SIMT_TYPE, 1, 0, 0), _P, info, 0, count); }                                            \
    SIMT_CUBLAS cublas##_S##getrsBatched(cublasHandle_t h, cublasOperation_t t, int n, int k, const T *const           \
          _A[], int lda, const int *_P, T *const _B[], int ldb, int *info, int count)                                  \
    { return simt_cublas_factors(__func__, h, SIMT_CUBLAS_LU_SOLUTION, n, n, k, simt_cublas_of(_A, SIMT_TYPE,          \
          lda, 0, t), simt_cublas_of(_B, SIMT_TYPE, ldb, 0, 0), _P, 0, info, count); }                                 \
    SIMT_CUBLAS cublas##_S##getriBatched(cublasHandle_t h, int n, const T *const _A[], int lda, const int *_P, T       \
          *const _C[], int ldc, int *info, int count)                                                                  \
    { return simt_cublas_factors(__func__, h, SIMT_CUBLAS_LU_INVERSE, n, n, n, simt_cublas_of(_A, SIMT_TYPE,           \
          lda, 0, 0), simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0), _P, info, 0, count); }                                 \
    SIMT_CUBLAS cublas##_S##matinvBatched(cublasHandle_t h, int n, const T *const _A[], int lda, T *const _C[],        \
          int ldc, int *info, int count)                                                                               \
    { return simt_cublas_factors(__func__, h, SIMT_CUBLAS_INVERSE, n, n, n, simt_cublas_of(_A, SIMT_TYPE, lda,         \
          0, 0), simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0), 0, info, 0, count); }                                       \
    SIMT_CUBLAS cublas##_S##geqrfBatched(cublasHandle_t h, int m, int n, T *const _A[], int lda, T *const tau[],       \
          int *info, int count)                                                                                        \
    { return simt_cublas_factors(__func__, h, SIMT_CUBLAS_QR, m, n, 1, simt_cublas_of(_A, SIMT_TYPE, lda, 0,           \
          0), simt_cublas_of(tau, SIMT_TYPE, m > 1 ? m : 1, 0, 0), 0, 0, info, count); }                               \
    SIMT_CUBLAS cublas##_S##gelsBatched(cublasHandle_t h, cublasOperation_t t, int m, int n, int k, T *const           \
          _A[], int lda, T *const _C[], int ldc, int *info, int *device_info, int count)                               \
    { return simt_cublas_factors(__func__, h, SIMT_CUBLAS_LEAST_SQUARES, m, n, k, simt_cublas_of(_A, SIMT_TYPE,        \
          lda, 0, t), simt_cublas_of(_C, SIMT_TYPE, ldc, 0, 0), 0, device_info, info, count); }

SIMT_CUBLAS_ALL(S, float, CUDA_R_32F)
SIMT_CUBLAS_ALL(D, double, CUDA_R_64F)
SIMT_CUBLAS_ALL(C, cuComplex, CUDA_C_32F)
SIMT_CUBLAS_ALL(Z, cuDoubleComplex, CUDA_C_64F)

/* `name` of a vector of T, with a result of type R. */
#define SIMT_CUBLAS_REDUCE(name, T, type, _R, result_type, kind)                                                       \
    SIMT_CUBLAS cublas##name(cublasHandle_t h, int n, const T *x, int incx, _R *result)                                \
    { return simt_cublas_reduce(__func__, h, kind, n, simt_cublas_of(x, type, incx, 0, 0),                             \
                                simt_cublas_of(x, type, incx, 0, 0), result, result_type); }
#define SIMT_CUBLAS_PRODUCT(name, T, type, kind)                                                                       \
    SIMT_CUBLAS cublas##name(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)           \
    { return simt_cublas_reduce(__func__, h, kind, n, simt_cublas_of(x, type, incx, 0, 0),                             \
                                simt_cublas_of(y, type, incy, 0, 0), result, type); }
#define SIMT_CUBLAS_REDUCTIONS(i, of, T, type, _R, result_type)                                                        \
    SIMT_CUBLAS_REDUCE(of##nrm2, T, type, _R, result_type, SIMT_CUBLAS_NORM)                                           \
    SIMT_CUBLAS_REDUCE(of##asum, T, type, _R, result_type, SIMT_CUBLAS_SUM)                                            \
    SIMT_CUBLAS_REDUCE(I##i##amax, T, type, int, CUDA_R_32I, SIMT_CUBLAS_MAX)                                          \
    SIMT_CUBLAS_REDUCE(I##i##amin, T, type, int, CUDA_R_32I, SIMT_CUBLAS_MIN)

SIMT_CUBLAS_REDUCTIONS(s, S, float, CUDA_R_32F, float, CUDA_R_32F)
SIMT_CUBLAS_REDUCTIONS(d, D, double, CUDA_R_64F, double, CUDA_R_64F)
SIMT_CUBLAS_REDUCTIONS(c, Sc, cuComplex, CUDA_C_32F, float, CUDA_R_32F)
SIMT_CUBLAS_REDUCTIONS(z, Dz, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F)
SIMT_CUBLAS_PRODUCT(Sdot, float, CUDA_R_32F, SIMT_CUBLAS_DOT)
SIMT_CUBLAS_PRODUCT(Ddot, double, CUDA_R_64F, SIMT_CUBLAS_DOT)
SIMT_CUBLAS_PRODUCT(Cdotu, cuComplex, CUDA_C_32F, SIMT_CUBLAS_DOT)
SIMT_CUBLAS_PRODUCT(Zdotu, cuDoubleComplex, CUDA_C_64F, SIMT_CUBLAS_DOT)
SIMT_CUBLAS_PRODUCT(Cdotc, cuComplex, CUDA_C_32F, SIMT_CUBLAS_DOT_CONJUGATE)
SIMT_CUBLAS_PRODUCT(Zdotc, cuDoubleComplex, CUDA_C_64F, SIMT_CUBLAS_DOT_CONJUGATE)

/* Of types by number. Sums are computed in double, whatever the type of the execution. */
#define SIMT_CUBLAS_PRODUCT_EX(name, kind)                                                                             \
    SIMT_CUBLAS cublas##name(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx, const void *y,     \
                             cudaDataType y_type, int incy, void *result, cudaDataType type, cudaDataType execution)   \
    { (void)execution; return simt_cublas_reduce(__func__, h, kind, n, simt_cublas_of(x, x_type, incx, 0, 0),          \
                                                 simt_cublas_of(y, y_type, incy, 0, 0), result, type); }
SIMT_CUBLAS_PRODUCT_EX(DotEx, SIMT_CUBLAS_DOT)
SIMT_CUBLAS_PRODUCT_EX(DotcEx, SIMT_CUBLAS_DOT_CONJUGATE)
SIMT_CUBLAS cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx, void *result,
                         cudaDataType type, cudaDataType execution)
{ (void)execution; return simt_cublas_reduce(__func__, h, SIMT_CUBLAS_NORM, n, simt_cublas_of(x, x_type, incx, 0, 0),
                                             simt_cublas_of(x, x_type, incx, 0, 0), result, type); }

#define SIMT_CUBLAS_GER(name, T, type, conjugate)                                                                      \
    SIMT_CUBLAS cublas##name(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y,         \
                             int incy, T *_A, int lda)                                                                 \
    { return simt_cublas_ger(__func__, h, m, n, simt_cublas_scale(alpha, 0, type),                                     \
                             simt_cublas_of(x, type, incx, 0, 0), simt_cublas_of(y, type, incy, 0, 0),                 \
                             simt_cublas_of(_A, type, lda, 0, 0), conjugate); }

SIMT_CUBLAS_GER(Sger, float, CUDA_R_32F, 0)
SIMT_CUBLAS_GER(Dger, double, CUDA_R_64F, 0)
SIMT_CUBLAS_GER(Cgeru, cuComplex, CUDA_C_32F, 0)
SIMT_CUBLAS_GER(Zgeru, cuDoubleComplex, CUDA_C_64F, 0)
SIMT_CUBLAS_GER(Cgerc, cuComplex, CUDA_C_32F, 1)
SIMT_CUBLAS_GER(Zgerc, cuDoubleComplex, CUDA_C_64F, 1)

/* Of complex vectors and matrices with real factors, and Hermitian ones. */
#define SIMT_CUBLAS_REAL_SCALE(name, T, type, _R, real)                                                                \
    SIMT_CUBLAS cublas##name(cublasHandle_t h, int n, const _R *alpha, T *x, int incx)                                 \
    { return simt_cublas_axpy(__func__, h, n, simt_cublas_scale(alpha, 0, real),                                       \
                              simt_cublas_of(x, type, incx, 0, 0), simt_cublas_of(x, type, incx, 0, 0)); }
#define SIMT_CUBLAS_ROT(name, T, type, _R, real)                                                                       \
    SIMT_CUBLAS cublas##name(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const _R *c, const _R *s)        \
    { return simt_cublas_rot(__func__, h, n, simt_cublas_scale(c, s, real), simt_cublas_of(x, type, incx, 0, 0),       \
                             simt_cublas_of(y, type, incy, 0, 0)); }
#define SIMT_CUBLAS_HERMITIAN(_S, T, type, _R, real)                                                                   \
    SIMT_CUBLAS cublas##_S##hemm(cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t u, int m, int n,               \
                                const T *alpha, const T *_A, int lda, const T *_B, int ldb, const T *beta, T *_C,      \
                                int ldc)                                                                               \
    { return simt_cublas_symm(__func__, h, s, u, 1, m, n, simt_cublas_scale(alpha, beta, type),                        \
                              simt_cublas_of(_A, type, lda, 0, 0), simt_cublas_of(_B, type, ldb, 0, 0),                \
                              simt_cublas_of(_C, type, ldc, 0, 0), 0); }                                               \
    SIMT_CUBLAS cublas##_S##hemv(cublasHandle_t h, cublasFillMode_t u, int n, const T *alpha, const T *_A, int lda,    \
                                const T *x, int incx, const T *beta, T *y, int incy)                                   \
    { return simt_cublas_symm(__func__, h, CUBLAS_SIDE_LEFT, u, 1, n, 1, simt_cublas_scale(alpha, beta, type),         \
                              simt_cublas_of(_A, type, lda, 0, 0), simt_cublas_of(x, type, incx, 0, 0),                \
                              simt_cublas_of(y, type, incy, 0, 0), 1); }                                               \
    SIMT_CUBLAS cublas##_S##herk(cublasHandle_t h, cublasFillMode_t u, cublasOperation_t t, int n, int k,              \
                                const _R *alpha, const T *_A, int lda, const _R *beta, T *_C, int ldc)                 \
    { return simt_cublas_syrk(__func__, h, u, 1, n, k, simt_cublas_scale(alpha, beta, real),                           \
                              simt_cublas_of(_A, type, lda, 0, t), simt_cublas_of(_C, type, ldc, 0, 0)); }

SIMT_CUBLAS_REAL_SCALE(Csscal, cuComplex, CUDA_C_32F, float, CUDA_R_32F)
SIMT_CUBLAS_REAL_SCALE(Zdscal, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F)
SIMT_CUBLAS_ROT(Srot, float, CUDA_R_32F, float, CUDA_R_32F)
SIMT_CUBLAS_ROT(Drot, double, CUDA_R_64F, double, CUDA_R_64F)
SIMT_CUBLAS_ROT(Csrot, cuComplex, CUDA_C_32F, float, CUDA_R_32F)
SIMT_CUBLAS_ROT(Zdrot, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F)
SIMT_CUBLAS_HERMITIAN(C, cuComplex, CUDA_C_32F, float, CUDA_R_32F)
SIMT_CUBLAS_HERMITIAN(Z, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F)

#ifdef __CUDA_FP16_TYPES_EXIST__
SIMT_CUBLAS cublasHgemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                        const __half *alpha, const __half *_A, int lda, const __half *_B, int ldb, const __half *beta,
                        __half *_C, int ldc)
{ return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, CUDA_R_16F),
                          simt_cublas_of(_A, CUDA_R_16F, lda, 0, ta), simt_cublas_of(_B, CUDA_R_16F, ldb, 0, tb),
                          simt_cublas_of(_C, CUDA_R_16F, ldc, 0, 0), 1, SIMT_CUBLAS_STRIDED); }
SIMT_CUBLAS cublasHgemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                               const __half *alpha, const __half *const _A[], int lda, const __half *const _B[], int ldb,
                               const __half *beta, __half *const _C[], int ldc, int count)
{ return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, CUDA_R_16F),
                          simt_cublas_of(_A, CUDA_R_16F, lda, 0, ta), simt_cublas_of(_B, CUDA_R_16F, ldb, 0, tb),
                          simt_cublas_of(_C, CUDA_R_16F, ldc, 0, 0), count, SIMT_CUBLAS_POINTERS); }
SIMT_CUBLAS cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                      const __half *alpha, const __half *_A, int lda, long long stride_a,
                                      const __half *_B, int ldb, long long stride_b, const __half *beta, __half *_C,
                                      int ldc, long long stride_c, int count)
{ return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, CUDA_R_16F),
                          simt_cublas_of(_A, CUDA_R_16F, lda, stride_a, ta),
                          simt_cublas_of(_B, CUDA_R_16F, ldb, stride_b, tb),
                          simt_cublas_of(_C, CUDA_R_16F, ldc, stride_c, 0), count, SIMT_CUBLAS_STRIDED); }
#endif

SIMT_CUBLAS cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                         const void *alpha, const void *_A, cudaDataType of_a, int lda, const void *_B, cudaDataType of_b,
                         int ldb, const void *beta, void *_C, cudaDataType of_c, int ldc, simt_cublas_compute compute,
                         cublasGemmAlgo_t algorithm)
{ (void)algorithm;
  return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, simt_cublas_scale_type(compute, of_c)),
                          simt_cublas_of(_A, of_a, lda, 0, ta), simt_cublas_of(_B, of_b, ldb, 0, tb),
                          simt_cublas_of(_C, of_c, ldc, 0, 0), 1, SIMT_CUBLAS_STRIDED); }
SIMT_CUBLAS cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                const void *alpha, const void *const _A[], cudaDataType of_a, int lda,
                                const void *const _B[], cudaDataType of_b, int ldb, const void *beta, void *const _C[],
                                cudaDataType of_c, int ldc, int count, simt_cublas_compute compute,
                                cublasGemmAlgo_t algorithm)
{ (void)algorithm;
  return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, simt_cublas_scale_type(compute, of_c)),
                          simt_cublas_of(_A, of_a, lda, 0, ta), simt_cublas_of(_B, of_b, ldb, 0, tb),
                          simt_cublas_of(_C, of_c, ldc, 0, 0), count, SIMT_CUBLAS_POINTERS); }
SIMT_CUBLAS cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                       int k, const void *alpha, const void *_A, cudaDataType of_a, int lda,
                                       long long stride_a, const void *_B, cudaDataType of_b, int ldb,
                                       long long stride_b, const void *beta, void *_C, cudaDataType of_c, int ldc,
                                       long long stride_c, int count, simt_cublas_compute compute,
                                       cublasGemmAlgo_t algorithm)
{ (void)algorithm;
  return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, simt_cublas_scale_type(compute, of_c)),
                          simt_cublas_of(_A, of_a, lda, stride_a, ta), simt_cublas_of(_B, of_b, ldb, stride_b, tb),
                          simt_cublas_of(_C, of_c, ldc, stride_c, 0), count, SIMT_CUBLAS_STRIDED); }
/* Sums in float. */
SIMT_CUBLAS cublasSgemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                          const float *alpha, const void *_A, cudaDataType of_a, int lda, const void *_B,
                          cudaDataType of_b, int ldb, const float *beta, void *_C, cudaDataType of_c, int ldc)
{ return simt_cublas_gemm(__func__, h, m, n, k, simt_cublas_scale(alpha, beta, CUDA_R_32F),
                          simt_cublas_of(_A, of_a, lda, 0, ta), simt_cublas_of(_B, of_b, ldb, 0, tb),
                          simt_cublas_of(_C, of_c, ldc, 0, 0), 1, SIMT_CUBLAS_STRIDED); }
/* clang-format on */

/* The names that CUDA's header gives the functions. */
#define cublasCreate_v2         cublasCreate
#define cublasDestroy_v2        cublasDestroy
#define cublasSetStream_v2      cublasSetStream
#define cublasGetStream_v2      cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSgemm_v2          cublasSgemm
#define cublasDgemm_v2          cublasDgemm
#define cublasCgemm_v2          cublasCgemm
#define cublasZgemm_v2          cublasZgemm

#endif
