/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuSOLVER's dense factorisations and solutions, for C and C++, of S, D, C and Z: Cholesky (potrf, potrs), LU (getrf, getrs), QR
 * (geqrf, ormqr, orgqr), eigenvalues (syevd, syevj and its batches, sygvd) and singular values (gesvd without 'O', gesvdj); and the
 * functions X of these that take a type by its number. Eigenvalues and singular values are LAPACK's, which a program loads when it runs; where
 * neither libopenblas.so.0 nor liblapack.so.3 is found, their calls return CUSOLVER_STATUS_NOT_SUPPORTED, which is a finding `api`. The
 * sign, or phase, of a vector is not that of a GPU.
 * A call is a launch in the stream of its handle; matrices are by columns, in device memory, and are checked like those of a
 * kernel. All is computed in double and rounded once; a GPU's last bits differ. Workspaces are asked for but not used.
 *
 * A call returns CUSOLVER_STATUS_NOT_INITIALIZED for what is no handle, and CUSOLVER_STATUS_INVALID_VALUE for a negative size, a
 * leading dimension below the rows or a null pointer that is needed; each is a finding `api`. CUSOLVER_STATUS_EXECUTION_FAILED:
 * the launch failed. That a matrix is singular or not positive definite stands in *devInfo, as cuSOLVER has it. What this header
 * does not declare, simtcc refuses by name.
 */
#ifndef SIMT_CUSOLVERDN_H
#define SIMT_CUSOLVERDN_H

#include "cublas_v2.h"

#define CUSOLVERDN_H_      /* the guard of CUDA's own header */
#define CUSOLVER_VER_MAJOR 12
#define CUSOLVER_VER_MINOR 0
#define CUSOLVER_VER_PATCH 0
#define CUSOLVER_VERSION   12000

typedef enum {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_MAPPING_ERROR = 5,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7,
    CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9
} cusolverStatus_t;

typedef enum { CUSOLVER_EIG_TYPE_1 = 1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3 } cusolverEigType_t;
typedef enum { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR } cusolverEigMode_t;
typedef int cusolver_int_t;

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t, *syevjInfo_t, *gesvdjInfo_t;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *parameters);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters);
/* What Jacobi's method is told changes nothing here. */
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sorted);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sorted);

#define SIMT_CUSOLVER(t, T, _R, sy, mqr, gqr)                                                                          \
    cusolverStatus_t cusolverDn##t##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a,    \
                                                     int lda, int *size);                                              \
    cusolverStatus_t cusolverDn##t##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a, int lda,      \
                                          T *work, int size, int *info);                                               \
    cusolverStatus_t cusolverDn##t##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,        \
                                          const T *a, int lda, T *b, int ldb, int *info);                              \
    cusolverStatus_t cusolverDn##t##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,           \
                                                     int *size);                                                       \
    cusolverStatus_t cusolverDn##t##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *work,             \
                                          int *pivots, int *info);                                                     \
    cusolverStatus_t cusolverDn##t##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,         \
                                          const T *a, int lda, const int *pivots, T *b, int ldb, int *info);           \
    cusolverStatus_t cusolverDn##t##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,           \
                                                     int *size);                                                       \
    cusolverStatus_t cusolverDn##t##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau, T *work,     \
                                          int size, int *info);                                                        \
    cusolverStatus_t cusolverDn##t##mqr##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,                 \
                                                     cublasOperation_t op, int m, int n, int k, const T *a, int lda,   \
                                                     const T *tau, const T *to, int ldc, int *size);                   \
    cusolverStatus_t cusolverDn##t##mqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, \
                                        int n, int k, const T *a, int lda, const T *tau, T *to, int ldc, T *work,      \
                                        int size, int *info);                                                          \
    cusolverStatus_t cusolverDn##t##gqr##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const T *a,       \
                                                     int lda, const T *tau, int *size);                                \
    cusolverStatus_t cusolverDn##t##gqr(cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda, const T *tau,   \
                                        T *work, int size, int *info);                                                 \
    cusolverStatus_t cusolverDn##t##sy##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,              \
                                                       cublasFillMode_t fill, int n, const T *a, int lda, const _R *w, \
                                                       int *size);                                                     \
    cusolverStatus_t cusolverDn##t##sy##evd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,  \
                                            int n, T *a, int lda, _R *w, T *work, int size, int *info);                \
    cusolverStatus_t cusolverDn##t##sy##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,              \
                                                       cublasFillMode_t fill, int n, const T *a, int lda, const _R *w, \
                                                       int *size, syevjInfo_t parameters);                             \
    cusolverStatus_t cusolverDn##t##sy##evj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,  \
                                            int n, T *a, int lda, _R *w, T *work, int size, int *info,                 \
                                            syevjInfo_t parameters);                                                   \
    cusolverStatus_t cusolverDn##t##sy##evjBatched_bufferSize(                                                         \
        cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n, const T *a, int lda,          \
        const _R *w, int *size, syevjInfo_t parameters, int count);                                                    \
    cusolverStatus_t cusolverDn##t##sy##evjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,                  \
                                                   cublasFillMode_t fill, int n, T *a, int lda, _R *w, T *work,        \
                                                   int size, int *info, syevjInfo_t parameters, int count);            \
    cusolverStatus_t cusolverDn##t##sy##gvd_bufferSize(                                                                \
        cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t mode, cublasFillMode_t fill, int n,       \
        const T *a, int lda, const T *b, int ldb, const _R *w, int *size);                                             \
    cusolverStatus_t cusolverDn##t##sy##gvd(cusolverDnHandle_t handle, cusolverEigType_t kind, cusolverEigMode_t mode, \
                                            cublasFillMode_t fill, int n, T *a, int lda, T *b, int ldb, _R *w,         \
                                            T *work, int size, int *info);                                             \
    cusolverStatus_t cusolverDn##t##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *size);              \
    cusolverStatus_t cusolverDn##t##gesvd(cusolverDnHandle_t handle, signed char job_u, signed char job_v, int m,      \
                                          int n, T *a, int lda, _R *s, T *u, int ldu, T *vt, int ldvt, T *work,        \
                                          int size, _R *real_work, int *info);                                         \
    cusolverStatus_t cusolverDn##t##gesvdj_bufferSize(                                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t mode, int economy, int m, int n, const T *a, int lda,             \
        const _R *s, const T *u, int ldu, const T *v, int ldv, int *size, gesvdjInfo_t parameters);                    \
    cusolverStatus_t cusolverDn##t##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economy, int m,      \
                                           int n, T *a, int lda, _R *s, T *u, int ldu, T *v, int ldv, T *work,         \
                                           int size, int *info, gesvdjInfo_t parameters);
SIMT_CUSOLVER(S, float, float, sy, ormqr, orgqr)
SIMT_CUSOLVER(D, double, double, sy, ormqr, orgqr)
SIMT_CUSOLVER(C, cuComplex, float, he, unmqr, ungqr)
SIMT_CUSOLVER(Z, cuDoubleComplex, double, he, unmqr, ungqr)
#undef SIMT_CUSOLVER

/* Of a type by its number. The types of the vectors are taken from that of A. */
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             cublasFillMode_t fill, int64_t n, cudaDataType type, const void *a,
                                             int64_t lda, cudaDataType of_work, size_t *device, size_t *host);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t fill,
                                  int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType of_work,
                                  void *device, size_t device_size, void *host, size_t host_size, int *info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t fill,
                                  int64_t n, int64_t columns, cudaDataType type, const void *a, int64_t lda,
                                  cudaDataType of_b, void *b, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m,
                                             int64_t n, cudaDataType type, const void *a, int64_t lda,
                                             cudaDataType of_work, size_t *device, size_t *host);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n,
                                  cudaDataType type, void *a, int64_t lda, int64_t *pivots, cudaDataType of_work,
                                  void *device, size_t device_size, void *host, size_t host_size, int *info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasOperation_t op,
                                  int64_t n, int64_t columns, cudaDataType type, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType of_b, void *b, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m,
                                             int64_t n, cudaDataType type, const void *a, int64_t lda,
                                             cudaDataType of_tau, const void *tau, cudaDataType of_work, size_t *device,
                                             size_t *host);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n,
                                  cudaDataType type, void *a, int64_t lda, cudaDataType of_tau, void *tau,
                                  cudaDataType of_work, void *device, size_t device_size, void *host, size_t host_size,
                                  int *info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             cusolverEigMode_t mode, cublasFillMode_t fill, int64_t n,
                                             cudaDataType type, const void *a, int64_t lda, cudaDataType of_w,
                                             const void *w, cudaDataType of_work, size_t *device, size_t *host);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cusolverEigMode_t mode,
                                  cublasFillMode_t fill, int64_t n, cudaDataType type, void *a, int64_t lda,
                                  cudaDataType of_w, void *w, cudaDataType of_work, void *device, size_t device_size,
                                  void *host, size_t host_size, int *info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             signed char job_u, signed char job_v, int64_t m, int64_t n,
                                             cudaDataType type, const void *a, int64_t lda, cudaDataType of_s,
                                             const void *s, cudaDataType of_u, const void *u, int64_t ldu,
                                             cudaDataType of_vt, const void *vt, int64_t ldvt, cudaDataType of_work,
                                             size_t *device, size_t *host);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t parameters, signed char job_u,
                                  signed char job_v, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda,
                                  cudaDataType of_s, void *s, cudaDataType of_u, void *u, int64_t ldu,
                                  cudaDataType of_vt, void *vt, int64_t ldvt, cudaDataType of_work, void *device,
                                  size_t device_size, void *host, size_t host_size, int *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
