// expect: refused 10
// SPDX-License-Identifier: BSD-2-Clause
//
// A function of cuBLAS that is not there.
#include <cublas_v2.h>

int product(cublasHandle_t handle, int n, const float *a, float *x)
{
    return cublasSscal(handle, n, a, x, 1) ||
           cublasStpmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, a, x, 1);
}
