// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cublasLt: D = ReLU(alpha A^T B + beta C + bias), in batches, against a plain loop; small integers, so that every order of the sums
// gives the same number. B is by rows, A by columns. C and D are by columns, and, without the bias, by rows.
#include <cstdio>
#include <cublasLt.h>
#include <vector>

enum { M = 6, N = 5, K = 7, BATCH = 2 };

static int wrong;

static void ok(cublasStatus_t status, const char *what)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        printf("%s: %s\n", what, cublasGetStatusString(status));
        wrong++;
    }
}

#define OK(call) ok(call, #call)

static std::vector<float> numbers(int count, int seed)
{
    std::vector<float> v(count);

    for (int i = 0; i < count; i++)
        v[i] = (float)((i * 7 + seed) % 9 - 4);
    return v;
}

static float *device(const std::vector<float> &v)
{
    float *p;

    cudaMalloc(&p, v.size() * sizeof *p);
    cudaMemcpy(p, v.data(), v.size() * sizeof *p, cudaMemcpyHostToDevice);
    return p;
}

static cublasLtMatrixLayout_t layout(int rows, int columns, int ld, int64_t stride)
{
    cublasLtMatrixLayout_t made;
    const int batch = BATCH;

    OK(cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, rows, columns, ld));
    OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
    OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
    return made;
}

int main()
{
    std::vector<float> a = numbers(BATCH * K * M, 1), b = numbers(BATCH * K * N, 2), c = numbers(BATCH * M * N, 3),
                       bias = numbers(M, 4), d(BATCH * M * N);
    float *d_a = device(a), *d_b = device(b), *d_c = device(c), *d_bias = device(bias), *d_d;
    const float alpha = 2, beta = 3;
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t best;
    const cublasOperation_t turned = CUBLAS_OP_T;
    const cublasLtEpilogue_t with_bias = CUBLASLT_EPILOGUE_RELU_BIAS, without = CUBLASLT_EPILOGUE_RELU;
    const cublasLtOrder_t by_rows = CUBLASLT_ORDER_ROW;
    const size_t most = 1 << 20;
    int found = 0;
    void *workspace;

    cudaMalloc(&d_d, d.size() * sizeof *d_d);
    cudaMalloc(&workspace, most);
    OK(cublasLtCreate(&handle));
    OK(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned));
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias, sizeof d_bias));
    OK(cublasLtMatmulPreferenceCreate(&preference));
    OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most));
    cublasLtMatrixLayout_t la = layout(K, M, K, K * M), lb = layout(K, N, N, K * N);
    OK(cublasLtMatrixLayoutSetAttribute(lb, CUBLASLT_MATRIX_LAYOUT_ORDER, &by_rows, sizeof by_rows));
    for (int rows = 0; rows < 2; rows++) {
        const cublasLtEpilogue_t epilogue = rows ? without : with_bias;
        cublasLtMatrixLayout_t lc = layout(M, N, rows ? N : M, M * N), ld = layout(M, N, rows ? N : M, M * N);

        OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
        if (rows) {
            d_bias = nullptr; // D by rows takes none, even where the epilogue adds none
            OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias, sizeof d_bias));
            OK(cublasLtMatrixLayoutSetAttribute(lc, CUBLASLT_MATRIX_LAYOUT_ORDER, &by_rows, sizeof by_rows));
            OK(cublasLtMatrixLayoutSetAttribute(ld, CUBLASLT_MATRIX_LAYOUT_ORDER, &by_rows, sizeof by_rows));
        }
        OK(cublasLtMatmulAlgoGetHeuristic(handle, product, la, lb, lc, ld, preference, 1, &best, &found));
        if (found != 1)
            wrong++;
        OK(cublasLtMatmul(handle, product, &alpha, d_a, la, d_b, lb, &beta, d_c, lc, d_d, ld, &best.algo, workspace,
                          best.workspaceSize, 0));
        cudaMemcpy(d.data(), d_d, d.size() * sizeof *d_d, cudaMemcpyDeviceToHost);
        for (int i = 0; i < BATCH; i++)
            for (int row = 0; row < M; row++)
                for (int column = 0; column < N; column++) {
                    int at = i * M * N + (rows ? row * N + column : column * M + row);
                    float v = 0;

                    for (int k = 0; k < K; k++)
                        v += a[i * K * M + row * K + k] * b[i * K * N + k * N + column];
                    v = alpha * v + beta * c[at] + (rows ? 0 : bias[row]);
                    wrong += d[at] != (v > 0 ? v : 0);
                }
        OK(cublasLtMatrixLayoutDestroy(lc));
        OK(cublasLtMatrixLayoutDestroy(ld));
    }
    OK(cublasLtMatrixLayoutDestroy(la));
    OK(cublasLtMatmulPreferenceDestroy(preference));
    OK(cublasLtMatmulDescDestroy(product));
    OK(cublasLtDestroy(handle));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
