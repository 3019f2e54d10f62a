// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cuSPARSE against plain loops on dense matrices of small integers, so that every order of the sums gives the same number.
#include <cstdio>
#include <cusparse.h>
#include <vector>

enum { N = 7, M = 5, K = 3 };

static cusparseHandle_t handle;
static int wrong;
static const float one = 1, two = 2, zero = 0;

static void ok(cusparseStatus_t status, const char *what)
{
    if (status != CUSPARSE_STATUS_SUCCESS) {
        printf("%s: %s\n", what, cusparseGetErrorString(status));
        wrong++;
    }
}

#define OK(call) ok(call, #call)

template <typename T> static T *device(const std::vector<T> &v)
{
    T *p = nullptr;

    cudaMalloc(&p, v.size() * sizeof(T));
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

static void *space(size_t size)
{
    void *p;

    cudaMalloc(&p, size);
    return p;
}

template <typename T> static void expect(const T *got, const std::vector<T> &right, const char *what)
{
    std::vector<T> v(right.size());

    cudaMemcpy(v.data(), got, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
    if (v != right) {
        printf("%s is wrong\n", what);
        wrong++;
    }
}

// By rows; every third entry is not 0.
static std::vector<float> dense_of(int rows, int columns, int step)
{
    std::vector<float> a(rows * columns);

    for (int i = 0; i < rows * columns; i += step)
        a[i] = (float)(i % 5 + 1);
    return a;
}

static std::vector<float> times(const std::vector<float> &a, const std::vector<float> &b, int rows, int inner,
                                int columns)
{
    std::vector<float> c(rows * columns);

    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            for (int j = 0; j < inner; j++)
                c[i * columns + k] += a[i * inner + j] * b[j * columns + k];
    return c;
}

struct matrix {
    int rows, columns;
    std::vector<int> offsets, indices, row_indices;
    std::vector<float> values, dense;
    int *d_offsets, *d_indices, *d_rows;
    float *d_values;
    cusparseSpMatDescr_t csr, coo;

    matrix(int r, int c, const std::vector<float> &from) : rows(r), columns(c), offsets(1, 0), dense(from)
    {
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < columns; k++)
                if (from[i * columns + k] != 0) {
                    row_indices.push_back(i);
                    indices.push_back(k);
                    values.push_back(from[i * columns + k]);
                }
            offsets.push_back((int)indices.size());
        }
        d_offsets = device(offsets);
        d_indices = device(indices);
        d_rows = device(row_indices);
        d_values = device(values);
        OK(cusparseCreateCsr(&csr, rows, columns, (int64_t)values.size(), d_offsets, d_indices, d_values,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
        OK(cusparseCreateCoo(&coo, rows, columns, (int64_t)values.size(), d_rows, d_indices, d_values,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    }
};

static void vectors(const matrix &a)
{
    std::vector<float> x = dense_of(a.columns, 1, 1), y = dense_of(a.rows, 1, 1),
                       right = times(a.dense, x, a.rows, a.columns, 1);
    std::vector<float> back(a.columns);
    float *d_x = device(x), *d_y = device(y);
    cusparseDnVecDescr_t vx, vy;
    size_t size;

    OK(cusparseCreateDnVec(&vx, a.columns, d_x, CUDA_R_32F));
    OK(cusparseCreateDnVec(&vy, a.rows, d_y, CUDA_R_32F));
    OK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.csr, vx, &two, vy, CUDA_R_32F,
                               CUSPARSE_SPMV_ALG_DEFAULT, &size));
    OK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.csr, vx, &two, vy, CUDA_R_32F,
                    CUSPARSE_SPMV_ALG_DEFAULT, space(size)));
    for (int i = 0; i < a.rows; i++)
        right[i] += 2 * y[i];
    expect(d_y, right, "SpMV");
    for (int i = 0; i < a.rows; i++)
        for (int k = 0; k < a.columns; k++)
            back[k] += 2 * a.dense[i * a.columns + k] * right[i];
    OK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_TRANSPOSE, &two, a.coo, vy, &zero, vx, CUDA_R_32F,
                               CUSPARSE_SPMV_ALG_DEFAULT, &size));
    OK(cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &two, a.coo, vy, &zero, vx, CUDA_R_32F,
                    CUSPARSE_SPMV_ALG_DEFAULT, space(size)));
    OK(cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &two, a.coo, vy, &zero, vx, CUDA_R_32F,
                    CUSPARSE_SPMV_ALG_DEFAULT, nullptr)); // of which a GPU's library needs none
    expect(d_x, back, "SpMV of a transposed matrix");
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
}

static void matrices(const matrix &a)
{
    std::vector<float> b = dense_of(a.columns, K, 2), right = times(a.dense, b, a.rows, a.columns, K),
                       turned(a.rows * K);
    float *d_b = device(b), *d_c;
    cusparseDnMatDescr_t mb, mc, ma;
    size_t size;

    cudaMalloc(&d_c, N * N * sizeof *d_c);
    OK(cusparseCreateDnMat(&mb, a.columns, K, K, d_b, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    OK(cusparseCreateDnMat(&mc, a.rows, K, a.rows, d_c, CUDA_R_32F, CUSPARSE_ORDER_COL));
    OK(cusparseSpMM_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.csr,
                               mb, &zero, mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, &size));
    OK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.csr, mb, &zero,
                    mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, space(size)));
    for (int i = 0; i < a.rows; i++)
        for (int k = 0; k < K; k++)
            turned[k * a.rows + i] = right[i * K + k];
    expect(d_c, turned, "SpMM");
    OK(cusparseCreateDnMat(&ma, a.rows, a.columns, a.columns, d_c, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    OK(cusparseSparseToDense_bufferSize(handle, a.csr, ma, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &size));
    OK(cusparseSparseToDense(handle, a.csr, ma, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, space(size)));
    expect(d_c, a.dense, "SparseToDense");
    cudaMemset(d_c, 0, a.dense.size() * sizeof *d_c);
    OK(cusparseSparseToDense(handle, a.coo, ma, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    expect(d_c, a.dense, "SparseToDense");
    cusparseSpMatDescr_t made;
    int64_t rows, columns, count;
    int *offsets, *indices;
    float *values;
    cudaMalloc(&offsets, (a.rows + 1) * sizeof *offsets);
    OK(cusparseCreateCsr(&made, a.rows, a.columns, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    OK(cusparseDenseToSparse_bufferSize(handle, ma, made, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &size));
    void *buffer = space(size);
    OK(cusparseDenseToSparse_analysis(handle, ma, made, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    OK(cusparseSpMatGetSize(made, &rows, &columns, &count));
    cudaMalloc(&indices, count * sizeof *indices);
    cudaMalloc(&values, count * sizeof *values);
    OK(cusparseCsrSetPointers(made, offsets, indices, values));
    OK(cusparseDenseToSparse_convert(handle, ma, made, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    expect(offsets, a.offsets, "DenseToSparse's offsets");
    expect(indices, a.indices, "DenseToSparse's indices");
    expect(values, a.values, "DenseToSparse's values");
    OK(cusparseXcsr2coo(handle, offsets, (int)count, a.rows, indices, CUSPARSE_INDEX_BASE_ZERO));
    expect(indices, a.row_indices, "csr2coo");
    OK(cusparseXcoo2csr(handle, indices, (int)count, a.rows, offsets, CUSPARSE_INDEX_BASE_ZERO));
    expect(offsets, a.offsets, "coo2csr");
}

static void sparse_product(const matrix &a, const matrix &b)
{
    matrix right(a.rows, b.columns, times(a.dense, b.dense, a.rows, a.columns, b.columns));
    int *offsets, *indices;
    float *values;
    cusparseSpMatDescr_t c;
    cusparseSpGEMMDescr_t plan;
    const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
    size_t size = 0;
    void *buffer;
    int64_t rows, columns, count;

    cudaMalloc(&offsets, (a.rows + 1) * sizeof *offsets);
    OK(cusparseCreateCsr(&c, a.rows, b.columns, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    OK(cusparseSpGEMM_createDescr(&plan));
    OK(cusparseSpGEMM_workEstimation(handle, n, n, &one, a.csr, b.csr, &zero, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT,
                                     plan, &size, nullptr));
    cudaMalloc(&buffer, size);
    OK(cusparseSpGEMM_workEstimation(handle, n, n, &one, a.csr, b.csr, &zero, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT,
                                     plan, &size, buffer));
    OK(cusparseSpGEMM_compute(handle, n, n, &one, a.csr, b.csr, &zero, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, plan,
                              &size, nullptr));
    OK(cusparseSpGEMM_compute(handle, n, n, &one, a.csr, b.csr, &zero, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, plan,
                              &size, space(size)));
    OK(cusparseSpMatGetSize(c, &rows, &columns, &count));
    cudaMalloc(&indices, count * sizeof *indices);
    cudaMalloc(&values, count * sizeof *values);
    OK(cusparseCsrSetPointers(c, offsets, indices, values));
    OK(cusparseSpGEMM_copy(handle, n, n, &one, a.csr, b.csr, &zero, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, plan));
    expect(offsets, right.offsets, "SpGEMM's offsets");
    expect(indices, right.indices, "SpGEMM's indices");
    expect(values, right.values, "SpGEMM's values");
    OK(cusparseSpGEMM_destroyDescr(plan));
    // C = 2 A B where C has an entry
    float *d_a = device(a.dense), *d_b = device(b.dense);
    cusparseDnMatDescr_t ma, mb;
    OK(cusparseCreateDnMat(&ma, a.rows, a.columns, a.columns, d_a, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    OK(cusparseCreateDnMat(&mb, b.rows, b.columns, b.columns, d_b, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    OK(cusparseSDDMM_bufferSize(handle, n, n, &two, ma, mb, &zero, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, &size));
    OK(cusparseSDDMM(handle, n, n, &two, ma, mb, &zero, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, space(size)));
    for (float &v : right.values)
        v *= 2;
    expect(values, right.values, "SDDMM");
}

// Triangular, of ones and a diagonal of 2: x is computed from y = A x.
static void solution(bool upper)
{
    std::vector<float> dense(N * N), x = dense_of(N, 1, 1);

    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            dense[i * N + k] = i == k ? 2.0f : (upper ? k > i : k < i) ? 1.0f : 0.0f;
    matrix a(N, N, dense);
    float *d_y = device(times(dense, x, N, N, 1)), *d_x;
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t plan;
    cusparseFillMode_t fill = upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
    size_t size;

    cudaMalloc(&d_x, N * sizeof *d_x);
    OK(cusparseCreateDnVec(&vx, N, d_x, CUDA_R_32F));
    OK(cusparseCreateDnVec(&vy, N, d_y, CUDA_R_32F));
    OK(cusparseSpMatSetAttribute(a.csr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    OK(cusparseSpSV_createDescr(&plan));
    OK(cusparseSpSV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.csr, vy, vx, CUDA_R_32F,
                               CUSPARSE_SPSV_ALG_DEFAULT, plan, &size));
    OK(cusparseSpSV_analysis(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.csr, vy, vx, CUDA_R_32F,
                             CUSPARSE_SPSV_ALG_DEFAULT, plan, space(size)));
    OK(cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.csr, vy, vx, CUDA_R_32F,
                          CUSPARSE_SPSV_ALG_DEFAULT, plan));
    expect(d_x, x, upper ? "SpSV, upper" : "SpSV, lower");
}

static void transposition(const matrix &a)
{
    std::vector<float> dense(a.rows * a.columns);
    int *offsets, *indices;
    float *values;
    size_t size;

    for (int i = 0; i < a.rows; i++)
        for (int k = 0; k < a.columns; k++)
            dense[k * a.rows + i] = a.dense[i * a.columns + k];
    matrix right(a.columns, a.rows, dense);
    cudaMalloc(&offsets, (a.columns + 1) * sizeof *offsets);
    cudaMalloc(&indices, a.values.size() * sizeof *indices);
    cudaMalloc(&values, a.values.size() * sizeof *values);
    OK(cusparseCsr2cscEx2_bufferSize(handle, a.rows, a.columns, (int)a.values.size(), a.d_values, a.d_offsets,
                                     a.d_indices, values, offsets, indices, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                                     CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &size));
    OK(cusparseCsr2cscEx2(handle, a.rows, a.columns, (int)a.values.size(), a.d_values, a.d_offsets, a.d_indices, values,
                          offsets, indices, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                          CUSPARSE_CSR2CSC_ALG1, space(size)));
    expect(offsets, right.offsets, "csr2csc's offsets");
    expect(indices, right.indices, "csr2csc's indices");
    expect(values, right.values, "csr2csc's values");
}

int main()
{
    OK(cusparseCreate(&handle));
    matrix a(N, M, dense_of(N, M, 3)), b(M, N, dense_of(M, N, 4));
    vectors(a);
    matrices(a);
    sparse_product(a, b);
    solution(false);
    solution(true);
    transposition(a);
    OK(cusparseDestroySpMat(a.csr));
    OK(cusparseDestroy(handle));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
