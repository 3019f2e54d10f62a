/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cuSPARSE, for C and C++: the generic interface, and conversions of the older one. A call is a launch in the stream of its handle;
 * what it reads and writes is device memory and is checked like that of a kernel, element by element. Sums are computed in double
 * and rounded once; a GPU's last bits differ. Buffers are asked for but not used.
 *
 * A call returns CUSPARSE_STATUS_NOT_INITIALIZED for what is no handle, and CUSPARSE_STATUS_INVALID_VALUE for a negative size, a
 * null pointer that is needed, or sizes that do not fit; each is a finding `api`, as is an index outside the matrix.
 * CUSPARSE_STATUS_NOT_SUPPORTED: a type or format that is not here. CUSPARSE_STATUS_EXECUTION_FAILED: the launch failed. What this
 * header does not declare, simtcc refuses by name.
 */
#ifndef SIMT_CUSPARSE_H
#define SIMT_CUSPARSE_H

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#include <stdint.h>

#define CUSPARSE_H_        /* the guard of CUDA's own header */
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VERSION   12600

#define SIMT_CUSPARSE_STATUS(row)                                                                                      \
    row(CUSPARSE_STATUS_SUCCESS, 0, "success") row(CUSPARSE_STATUS_NOT_INITIALIZED, 1, "initialization error")         \
        row(CUSPARSE_STATUS_ALLOC_FAILED, 2, "out of memory") row(CUSPARSE_STATUS_INVALID_VALUE, 3, "invalid value")   \
            row(CUSPARSE_STATUS_ARCH_MISMATCH, 4, "architecture mismatch")                                             \
                row(CUSPARSE_STATUS_MAPPING_ERROR, 5, "texture memory mapping error")                                  \
                    row(CUSPARSE_STATUS_EXECUTION_FAILED, 6, "kernel launch failure")                                  \
                        row(CUSPARSE_STATUS_INTERNAL_ERROR, 7, "internal error")                                       \
                            row(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, 8, "matrix type not supported")             \
                                row(CUSPARSE_STATUS_ZERO_PIVOT, 9, "zero pivot")                                       \
                                    row(CUSPARSE_STATUS_NOT_SUPPORTED, 10, "operation not supported")                  \
                                        row(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, 11, "insufficient resources")

#define SIMT_CUSPARSE_ENUMERATOR(name, number, text) name = number,
typedef enum { SIMT_CUSPARSE_STATUS(SIMT_CUSPARSE_ENUMERATOR) } cusparseStatus_t;
#undef SIMT_CUSPARSE_ENUMERATOR

typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC,
    CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE,
    CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 } cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
/* Which algorithm is chosen changes nothing here. */
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT,
    CUSPARSE_SPMV_COO_ALG1,
    CUSPARSE_SPMV_CSR_ALG1,
    CUSPARSE_SPMV_CSR_ALG2,
    CUSPARSE_SPMV_COO_ALG2
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC,
    CUSPARSE_SPGEMM_ALG1,
    CUSPARSE_SPGEMM_ALG2,
    CUSPARSE_SPGEMM_ALG3
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpMatDescr const *cusparseConstSpMatDescr_t;
typedef struct cusparseDnVecDescr const *cusparseConstDnVecDescr_t;
typedef struct cusparseDnMatDescr const *cusparseConstDnMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseSpVecDescr const *cusparseConstSpVecDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);

/* What the older calls ask of a matrix beside its arrays. */
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t fill);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t diagonal);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor);

/* --- matrices and vectors */

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                                   void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                                   void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                                   void *row_indices, void *column_indices, void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t count,
                                        const void *offsets, const void *indices, const void *values,
                                        cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                        cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                      int64_t *count);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_indices, void *column_indices,
                                        void *values);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           const void *value, size_t size);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t count, void *values, cudaDataType type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t count, const void *values,
                                          cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,
                                     void *values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,
                                          const void *values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values);
/* Batches, for SpMM and SDDMM: elements from one matrix to the next; one that is no batch serves all. */
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t values);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t stride);

/* --- sparse vectors, with each index once: y = alpha x + beta y; x's values from y; x's values into y; x y, or conj(x) y */

#define SIMT_CUSPARSE_SPVV                                                                                             \
    cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,         \
        void *result, cudaDataType compute

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t rows, int64_t count, void *indices,
                                     void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                     cudaDataType type);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *vector, int64_t rows, int64_t count,
                                          const void *indices, const void *values, cusparseIndexType_t index_type,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void **values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseSpVV_bufferSize(SIMT_CUSPARSE_SPVV, size_t *size);
cusparseStatus_t cusparseSpVV(SIMT_CUSPARSE_SPVV, void *buffer);

/* --- products: y = alpha op(A) x + beta y, C = alpha op(A) op(B) + beta C; of sddmm only the entries that C has */

/* The parameters of each family up to the buffer, or the size of one. */
#define SIMT_CUSPARSE_SPMV                                                                                             \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,                   \
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,                   \
        cusparseSpMVAlg_t algorithm
#define SIMT_CUSPARSE_PRODUCT(a_type, b_type, c_type, algorithm_type)                                                  \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha, a_type a,          \
        b_type b, const void *beta, c_type c, cudaDataType compute, algorithm_type algorithm
#define SIMT_CUSPARSE_SPMM                                                                                             \
    SIMT_CUSPARSE_PRODUCT(cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cusparseSpMMAlg_t)
#define SIMT_CUSPARSE_SDDMM                                                                                            \
    SIMT_CUSPARSE_PRODUCT(cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t, cusparseSpMatDescr_t,                  \
                          cusparseSDDMMAlg_t)
#define SIMT_CUSPARSE_SPGEMM                                                                                           \
    SIMT_CUSPARSE_PRODUCT(cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, cusparseSpMatDescr_t,                  \
                          cusparseSpGEMMAlg_t),                                                                        \
        cusparseSpGEMMDescr_t descriptor
#define SIMT_CUSPARSE_SPSV                                                                                             \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,                   \
        cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm,        \
        cusparseSpSVDescr_t descriptor
#define SIMT_CUSPARSE_SPSM                                                                                             \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                    \
        cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType compute,        \
        cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor
#define SIMT_CUSPARSE_TO_DENSE                                                                                         \
    cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm
#define SIMT_CUSPARSE_TO_SPARSE                                                                                        \
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm
#define SIMT_CUSPARSE_TO_CSC                                                                                           \
    cusparseHandle_t handle, int rows, int columns, int count, const void *values, const int *offsets,                 \
        const int *indices, void *to_values, int *to_offsets, int *to_indices, cudaDataType type,                      \
        cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm

cusparseStatus_t cusparseSpMV_bufferSize(SIMT_CUSPARSE_SPMV, size_t *size);
cusparseStatus_t cusparseSpMV_preprocess(SIMT_CUSPARSE_SPMV, void *buffer);
cusparseStatus_t cusparseSpMV(SIMT_CUSPARSE_SPMV, void *buffer);
cusparseStatus_t cusparseSpMM_bufferSize(SIMT_CUSPARSE_SPMM, size_t *size);
cusparseStatus_t cusparseSpMM_preprocess(SIMT_CUSPARSE_SPMM, void *buffer);
cusparseStatus_t cusparseSpMM(SIMT_CUSPARSE_SPMM, void *buffer);
cusparseStatus_t cusparseSDDMM_bufferSize(SIMT_CUSPARSE_SDDMM, size_t *size);
cusparseStatus_t cusparseSDDMM_preprocess(SIMT_CUSPARSE_SDDMM, void *buffer);
cusparseStatus_t cusparseSDDMM(SIMT_CUSPARSE_SDDMM, void *buffer);
/* Both sparse, by rows. After `compute` cusparseSpMatGetSize says how many entries C has, after `copy` they are there. With a null
 * buffer the first two only say its size. */
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descriptor);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor);
cusparseStatus_t cusparseSpGEMM_workEstimation(SIMT_CUSPARSE_SPGEMM, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMM_compute(SIMT_CUSPARSE_SPGEMM, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMM_copy(SIMT_CUSPARSE_SPGEMM);

/* --- solutions: y = alpha inverse(op(A)) x, C = alpha inverse(op(A)) op(B), A triangular by its attributes */

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descriptor);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor);
cusparseStatus_t cusparseSpSV_bufferSize(SIMT_CUSPARSE_SPSV, size_t *size);
cusparseStatus_t cusparseSpSV_analysis(SIMT_CUSPARSE_SPSV, void *buffer);
cusparseStatus_t cusparseSpSV_solve(SIMT_CUSPARSE_SPSV);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descriptor);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor);
cusparseStatus_t cusparseSpSM_bufferSize(SIMT_CUSPARSE_SPSM, size_t *size);
cusparseStatus_t cusparseSpSM_analysis(SIMT_CUSPARSE_SPSM, void *buffer);
cusparseStatus_t cusparseSpSM_solve(SIMT_CUSPARSE_SPSM);

/* --- conversions */

cusparseStatus_t cusparseSparseToDense_bufferSize(SIMT_CUSPARSE_TO_DENSE, size_t *size);
cusparseStatus_t cusparseSparseToDense(SIMT_CUSPARSE_TO_DENSE, void *buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(SIMT_CUSPARSE_TO_SPARSE, size_t *size);
cusparseStatus_t cusparseDenseToSparse_analysis(SIMT_CUSPARSE_TO_SPARSE, void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(SIMT_CUSPARSE_TO_SPARSE, void *buffer);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int count, int rows, int *row_indices,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *row_indices, int count, int rows, int *offsets,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(SIMT_CUSPARSE_TO_CSC, size_t *size);
cusparseStatus_t cusparseCsr2cscEx2(SIMT_CUSPARSE_TO_CSC, void *buffer);

/* --- older calls, of a matrix by rows: its indices in order, with the permutation that was there; the entries of a dense one that are
 * not 0, in each row or column and in all; LU that keeps the entries which A has, and the row of the first pivot that is 0 (or -1) */

typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL } cusparseSolvePolicy_t;

#define SIMT_CUSPARSE_ILU(T)                                                                                           \
    cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, T *values, const int *offsets,  \
        const int *indices, csrilu02Info_t info

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns, int count,
                                                const int *offsets, const int *indices, size_t *size);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int columns, int count,
                                  const cusparseMatDescr_t descriptor, const int *offsets, int *indices,
                                  int *permutation, void *buffer);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int count, int *permutation);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position);
#define SIMT_CUSPARSE_OF_TYPE(t, T)                                                                                    \
    cusparseStatus_t cusparse##t##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,   \
                                      const cusparseMatDescr_t descriptor, const T *values, int ld, int *counts,       \
                                      int *total);                                                                     \
    cusparseStatus_t cusparse##t##csrilu02_bufferSize(SIMT_CUSPARSE_ILU(T), int *size);                                \
    cusparseStatus_t cusparse##t##csrilu02_analysis(SIMT_CUSPARSE_ILU(const T), cusparseSolvePolicy_t policy,          \
                                                    void *buffer);                                                     \
    cusparseStatus_t cusparse##t##csrilu02(SIMT_CUSPARSE_ILU(T), cusparseSolvePolicy_t policy, void *buffer);
SIMT_CUSPARSE_OF_TYPE(S, float)
SIMT_CUSPARSE_OF_TYPE(D, double)
SIMT_CUSPARSE_OF_TYPE(C, cuComplex)
SIMT_CUSPARSE_OF_TYPE(Z, cuDoubleComplex)
#undef SIMT_CUSPARSE_OF_TYPE

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
