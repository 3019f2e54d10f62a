// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cuSPARSE: sparse vectors, batches of products, the order of indices, counts of a dense matrix, and LU without fill, whose product
// has A's entries.
#include <cstdio>
#include <cusparse.h>
#include <vector>

enum { LONG = 100 };

static int wrong;
static cusparseHandle_t handle;

static void ok(cusparseStatus_t status)
{
    wrong += status != CUSPARSE_STATUS_SUCCESS;
}

template <typename T> struct array {
    T *at;
    size_t count;

    array(const std::vector<T> &v) : count(v.size())
    {
        cudaMalloc(&at, count * sizeof *at);
        cudaMemcpy(at, v.data(), count * sizeof *at, cudaMemcpyHostToDevice);
    }
    void expect(const std::vector<T> &wanted, const char *what) const
    {
        std::vector<T> got(count);

        cudaMemcpy(got.data(), at, count * sizeof *at, cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < count; i++)
            if (got[i] != wanted[i]) {
                printf("%s: [%zu] is %g\n", what, i, (double)got[i]);
                wrong++;
            }
    }
};

static void test_vectors()
{
    array<int> indices({1, 3, 4});
    array<float> x({10, 20, 30}), y({1, 2, 3, 4, 5});
    cusparseSpVecDescr_t of_x;
    cusparseDnVecDescr_t of_y;
    float alpha = 2, beta = 3, sum = 0;
    size_t size;
    void *buffer;

    ok(cusparseCreateSpVec(&of_x, 5, 3, indices.at, x.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    ok(cusparseCreateDnVec(&of_y, 5, y.at, CUDA_R_32F));
    ok(cusparseAxpby(handle, &alpha, of_x, &beta, of_y));
    y.expect({3, 26, 9, 52, 75}, "axpby");
    ok(cusparseSpVV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, of_x, of_y, &sum, CUDA_R_32F, &size));
    cudaMalloc(&buffer, size);
    ok(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, of_x, of_y, &sum, CUDA_R_32F, buffer));
    wrong += sum != 260 + 1040 + 2250;
    ok(cusparseGather(handle, of_y, of_x));
    x.expect({26, 52, 75}, "gather");
    cudaMemset(y.at, 0, 5 * sizeof *y.at);
    ok(cusparseScatter(handle, of_x, of_y));
    y.expect({0, 26, 0, 52, 75}, "scatter");
    ok(cusparseDestroySpVec(of_x));
    ok(cusparseDestroyDnVec(of_y));
}

/* Two matrices of 2 x 3 with three entries each, sampled from products of 2 x 2 and 2 x 3. The second factor serves both, and so do the
 * offsets: an H200 takes those of the first matrix for all, whatever their stride. */
static void test_batch()
{
    array<int> offsets({0, 1, 3}), indices({1, 0, 2, 0, 2, 1});
    array<float> values({1, 1, 1, 1, 1, 1}), a({1, 3, 2, 4, 5, 7, 6, 8}), b({1, 0, 0, 1, 1, 1});
    cusparseSpMatDescr_t c;
    cusparseDnMatDescr_t of_a, of_b;
    float alpha = 1, beta = 10;
    size_t size;
    void *buffer;

    ok(cusparseCreateCsr(&c, 2, 3, 3, offsets.at, indices.at, values.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    ok(cusparseCreateDnMat(&of_a, 2, 2, 2, a.at, CUDA_R_32F, CUSPARSE_ORDER_COL));
    ok(cusparseCreateDnMat(&of_b, 2, 3, 2, b.at, CUDA_R_32F, CUSPARSE_ORDER_COL));
    ok(cusparseCsrSetStridedBatch(c, 2, 0, 3));
    ok(cusparseDnMatSetStridedBatch(of_a, 2, 4));
    ok(cusparseDnMatSetStridedBatch(of_b, 2, 0));
    ok(cusparseSDDMM_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha,
                                of_a, of_b, &beta, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, &size));
    cudaMalloc(&buffer, size);
    ok(cusparseSDDMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, of_a, of_b,
                     &beta, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer));
    values.expect({12, 13, 17, 15, 25, 18}, "SDDMM of a batch");
    ok(cusparseDestroySpMat(c));

    // a long batch: the offsets and the factors of the first product serve all
    std::vector<int> columns;
    std::vector<float> right;
    for (int i = 0; i < LONG; i++) {
        columns.insert(columns.end(), {1, 0, 2});
        right.insert(right.end(), {2, 3, 7});
    }
    array<int> many_indices(columns);
    array<float> many(right);
    cudaMemset(many.at, 0, many.count * sizeof *many.at);
    beta = 0;
    ok(cusparseCreateCsr(&c, 2, 3, 3, offsets.at, many_indices.at, many.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    ok(cusparseCsrSetStridedBatch(c, LONG, 0, 3));
    ok(cusparseDnMatSetStridedBatch(of_a, LONG, 0));
    ok(cusparseDnMatSetStridedBatch(of_b, LONG, 0));
    ok(cusparseSDDMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, of_a, of_b,
                     &beta, c, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer));
    many.expect(right, "SDDMM of a long batch");
    ok(cusparseDestroySpMat(c));
    ok(cusparseDestroyDnMat(of_a));
    ok(cusparseDestroyDnMat(of_b));
}

static void test_rows()
{
    // 4 2 0      1           4 2 0
    // 8 5 1  =   2   1    *    1 1
    // 0 3 9          3  1        6
    array<int> offsets({0, 2, 5, 7}), indices({1, 0, 2, 0, 1, 2, 1}), permutation(std::vector<int>(7)),
        counts({0, 0, 0});
    array<double> values({4, 2, 8, 5, 1, 3, 9}), dense({4, 8, 0, 2, 5, 3, 0, 1, 9});
    cusparseMatDescr_t of;
    csrilu02Info_t info;
    size_t size;
    int bytes, at = 0, total = 0;
    void *buffer;

    ok(cusparseCreateMatDescr(&of));
    ok(cusparseXcsrsort_bufferSizeExt(handle, 3, 3, 7, offsets.at, indices.at, &size));
    cudaMalloc(&buffer, size);
    ok(cusparseCreateIdentityPermutation(handle, 7, permutation.at));
    ok(cusparseXcsrsort(handle, 3, 3, 7, of, offsets.at, indices.at, permutation.at, buffer));
    indices.expect({0, 1, 0, 1, 2, 1, 2}, "sorted indices");
    permutation.expect({1, 0, 3, 4, 2, 6, 5}, "the permutation");
    ok(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, 3, 3, of, dense.at, 3, counts.at, &total));
    counts.expect({2, 3, 2}, "the counts of the rows");
    wrong += total != 7;

    ok(cusparseCreateCsrilu02Info(&info));
    ok(cusparseDcsrilu02_bufferSize(handle, 3, 7, of, values.at, offsets.at, indices.at, info, &bytes));
    ok(cusparseDcsrilu02_analysis(handle, 3, 7, of, values.at, offsets.at, indices.at, info,
                                  CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
    ok(cusparseDcsrilu02(handle, 3, 7, of, values.at, offsets.at, indices.at, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                         buffer));
    values.expect({4, 2, 2, 1, 1, 3, 6}, "LU");
    ok(cusparseXcsrilu02_zeroPivot(handle, info, &at));
    wrong += at != -1;
    cudaMemset(values.at, 0, sizeof *values.at);
    ok(cusparseDcsrilu02(handle, 3, 7, of, values.at, offsets.at, indices.at, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                         buffer));
    wrong += cusparseXcsrilu02_zeroPivot(handle, info, &at) != CUSPARSE_STATUS_ZERO_PIVOT || at != 0;
    ok(cusparseDestroyCsrilu02Info(info));
    ok(cusparseDestroyMatDescr(of));
}

int main()
{
    ok(cusparseCreate(&handle));
    test_vectors();
    test_batch();
    test_rows();
    ok(cusparseDestroy(handle));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
