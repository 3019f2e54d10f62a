// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cuBLAS's factorisations of batches: systems whose solutions are known, by LU, by the inverse, and by least squares; the second
// matrix of the batch has no inverse.
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <vector>

enum { COUNT = 3, N = 5, M = 7, COLUMNS = 2, SINGULAR = 1 };

static int wrong;
static cublasHandle_t handle;

static void ok(cublasStatus_t status)
{
    wrong += status != CUBLAS_STATUS_SUCCESS;
}

struct batch // of matrices with M rows each, by columns, and on the device the array of their addresses
{
    int size;
    double *at, **addresses;

    explicit batch(int columns) : size(M * columns)
    {
        double *each[COUNT];

        cudaMalloc(&at, COUNT * size * sizeof *at);
        cudaMalloc(&addresses, sizeof each);
        for (int i = 0; i < COUNT; i++)
            each[i] = at + i * size;
        cudaMemcpy(addresses, each, sizeof each, cudaMemcpyHostToDevice);
    }
    void take(const std::vector<double> &v)
    {
        cudaMemcpy(at, v.data(), v.size() * sizeof *at, cudaMemcpyHostToDevice);
    }
    std::vector<double> give() const
    {
        std::vector<double> v(COUNT * size);

        cudaMemcpy(v.data(), at, v.size() * sizeof *at, cudaMemcpyDeviceToHost);
        return v;
    }
};

static double element(int index, int i, int j)
{
    return index == SINGULAR && i < N ? (j % 2) + 1 : (i * 5 + j * 3 + index) % 7 + (i == (j + 1) % N ? 9 : 0);
}

static double x_of(int row, int column)
{
    return row - 2 * column + 1;
}

static std::vector<double> matrices()
{
    std::vector<double> a(COUNT * M * N);

    for (int b = 0; b < COUNT; b++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++)
                a[b * M * N + i + j * M] = element(b, i, j);
    return a;
}

static std::vector<double> right_sides(bool transposed)
{
    std::vector<double> v(COUNT * M * COLUMNS);

    for (int b = 0; b < COUNT; b++)
        for (int k = 0; k < COLUMNS; k++)
            for (int i = 0; i < M; i++)
                for (int j = 0; j < N; j++)
                    v[b * M * COLUMNS + i + k * M] += (transposed ? element(b, j, i) : element(b, i, j)) * x_of(j, k);
    return v;
}

static void expect(const std::vector<double> &got, const char *what)
{
    for (int b = 0; b < COUNT; b++)
        for (int k = 0; k < COLUMNS && b != SINGULAR; k++)
            for (int i = 0; i < N; i++)
                if (!(std::fabs(got[b * M * COLUMNS + i + k * M] - x_of(i, k)) < 1e-9)) {
                    printf("%s: x[%d] of column %d of matrix %d is %g\n", what, i, k, b,
                           got[b * M * COLUMNS + i + k * M]);
                    wrong++;
                }
}

static void expect_info(const int *info, const char *what)
{
    int got[COUNT];

    cudaMemcpy(got, info, sizeof got, cudaMemcpyDeviceToHost);
    for (int b = 0; b < COUNT; b++)
        if ((got[b] != 0) != (b == SINGULAR)) {
            printf("%s: the status of matrix %d is %d\n", what, b, got[b]);
            wrong++;
        }
}

static void multiply_inverse(const batch &inverse, const char *what)
{
    batch b(COLUMNS), x(COLUMNS);
    double one = 1, zero = 0;

    b.take(right_sides(false));
    x.take(right_sides(false));
    ok(cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, COLUMNS, N, &one, inverse.addresses, M, b.addresses, M,
                          &zero, x.addresses, M, COUNT));
    expect(x.give(), what);
}

int main()
{
    batch a(N), b(COLUMNS), inverse(N), tau(1);
    int *pivots, *info, status;

    ok(cublasCreate(&handle));
    cudaMalloc(&pivots, COUNT * N * sizeof *pivots);
    cudaMalloc(&info, COUNT * sizeof *info);

    a.take(matrices());
    inverse.take(matrices());
    ok(cublasDgetrfBatched(handle, N, a.addresses, M, pivots, info, COUNT));
    expect_info(info, "LU");
    ok(cublasDgetriBatched(handle, N, a.addresses, M, pivots, inverse.addresses, M, info, COUNT));
    expect_info(info, "the inverse by LU");
    multiply_inverse(inverse, "the inverse by LU");
    for (int t = 0; t < 2; t++) {
        b.take(right_sides(t));
        ok(cublasDgetrsBatched(handle, t ? CUBLAS_OP_T : CUBLAS_OP_N, N, COLUMNS, a.addresses, M, pivots, b.addresses,
                               M, &status, COUNT));
        wrong += status != 0;
        expect(b.give(), t ? "the solution by LU, transposed" : "the solution by LU");
    }

    a.take(matrices());
    ok(cublasDmatinvBatched(handle, N, a.addresses, M, inverse.addresses, M, info, COUNT));
    expect_info(info, "the inverse");
    multiply_inverse(inverse, "the inverse");

    b.take(right_sides(false));
    ok(cublasDgelsBatched(handle, CUBLAS_OP_N, M, N, COLUMNS, a.addresses, M, b.addresses, M, &status, info, COUNT));
    expect(b.give(), "the least squares");
    a.take(matrices());
    ok(cublasDgeqrfBatched(handle, M, N, a.addresses, M, tau.addresses, &status, COUNT));
    ok(cublasDestroy(handle));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
