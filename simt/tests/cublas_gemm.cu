// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A product of matrices by cublasSgemm, its norm and its largest element, after a kernel that fills them.
#include <cublas_v2.h>

__global__ void fill(float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = (float)(i % 5);
}

int main()
{
    const int m = 8, n = 6, k = 4;
    float *a, *b, *c, **batch, *list[3], result[m * n], sum, one = 1, zero = 0;
    cublasHandle_t handle;
    int largest;

    cudaMalloc(&a, m * k * sizeof *a);
    cudaMalloc(&b, k * n * sizeof *b);
    cudaMalloc(&c, m * n * sizeof *c);
    cudaMalloc(&batch, sizeof list);
    fill<<<1, 64>>>(a, m * k);
    fill<<<1, 64>>>(b, k * n);
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
        return 1;
    if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, m, b, k, &zero, c, m) != CUBLAS_STATUS_SUCCESS)
        return 1;
    list[0] = a;
    list[1] = b;
    list[2] = c;
    cudaMemcpy(batch, list, sizeof list, cudaMemcpyHostToDevice);
    cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, batch, m, batch + 1, k, &one, batch + 2, m, 1);
    cublasSasum(handle, m * n, c, 1, &sum);
    cublasIsamax(handle, m * n, c, 1, &largest);
    cublasGetMatrix(m, n, sizeof *c, c, m, result, m);
    cublasDestroy(handle);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            float expected = 0;

            for (int l = 0; l < k; l++)
                expected += (float)((i + l * m) % 5 * ((l + j * k) % 5));
            if (result[i + j * m] != 2 * expected)
                return 1;
            sum -= 2 * expected;
            if (expected > result[largest - 1] / 2)
                return 1;
        }
    return sum != 0;
}
