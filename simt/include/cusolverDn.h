/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuSOLVER's dense factorisations and solutions, for C and C++: Cholesky (potrf, potrs) and LU (getrf, getrs), of S, D, C and Z.
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

typedef struct cusolverDnContext *cusolverDnHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);

#define SIMT_CUSOLVER(t, T)                                                                                            \
    cusolverStatus_t cusolverDn##t##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a,    \
                                                     int lda, int *size);                                              \
    cusolverStatus_t cusolverDn##t##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a, int lda,      \
                                          T *workspace, int size, int *info);                                          \
    cusolverStatus_t cusolverDn##t##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,        \
                                          const T *a, int lda, T *b, int ldb, int *info);                              \
    cusolverStatus_t cusolverDn##t##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,           \
                                                     int *size);                                                       \
    cusolverStatus_t cusolverDn##t##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *workspace,        \
                                          int *pivots, int *info);                                                     \
    cusolverStatus_t cusolverDn##t##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,         \
                                          const T *a, int lda, const int *pivots, T *b, int ldb, int *info);
SIMT_CUSOLVER(S, float)
SIMT_CUSOLVER(D, double)
SIMT_CUSOLVER(C, cuComplex)
SIMT_CUSOLVER(Z, cuDoubleComplex)
#undef SIMT_CUSOLVER

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
