// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cuSOLVER: the factors of a matrix solve a system whose solution is known, by Cholesky and by LU, lower and upper, transposed or not.
// The numbers are small, so the solution is exact but for a few bits.
#include <cmath>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

enum { N = 6, COLUMNS = 2, LD = 8 };

static int wrong;
static cusolverDnHandle_t handle;

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if ((call) != CUSOLVER_STATUS_SUCCESS) {                                                                       \
            printf("%s failed\n", #call);                                                                              \
            wrong++;                                                                                                   \
        }                                                                                                              \
    } while (0)

template <typename T> static T *device(const std::vector<T> &v)
{
    T *p;

    cudaMalloc(&p, v.size() * sizeof *p);
    cudaMemcpy(p, v.data(), v.size() * sizeof *p, cudaMemcpyHostToDevice);
    return p;
}

static double x_of(int row, int column)
{
    return row - 2 * column + 1;
}

// By columns: b = A x, or the transposed A's.
static std::vector<double> right_side(const std::vector<double> &a, bool turned)
{
    std::vector<double> b(LD * COLUMNS);

    for (int k = 0; k < COLUMNS; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                b[i + k * LD] += (turned ? a[j + i * LD] : a[i + j * LD]) * x_of(j, k);
    return b;
}

static void expect(const double *b, const int *info, const char *what)
{
    std::vector<double> got(LD * COLUMNS);
    int status = -1;

    cudaMemcpy(got.data(), b, got.size() * sizeof *b, cudaMemcpyDeviceToHost);
    cudaMemcpy(&status, info, sizeof status, cudaMemcpyDeviceToHost);
    for (int k = 0; k < COLUMNS; k++)
        for (int i = 0; i < N; i++)
            if (status != 0 || std::fabs(got[i + k * LD] - x_of(i, k)) > 1e-9) {
                printf("%s: x[%d] of column %d is %g\n", what, i, k, got[i + k * LD]);
                wrong++;
            }
}

static void cholesky(cublasFillMode_t fill)
{
    std::vector<double> a(LD * N);
    int *info, size;
    double *workspace;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i + j * LD] = i == j ? 2 * N : 1.0 / (1 + i + j);
    std::vector<double> full = a;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                a[i + j * LD] = 77; // not read
    double *d_a = device(a), *d_b = device(right_side(full, false));
    cudaMalloc(&info, sizeof *info);
    OK(cusolverDnDpotrf_bufferSize(handle, fill, N, d_a, LD, &size));
    cudaMalloc(&workspace, size * sizeof *workspace);
    OK(cusolverDnDpotrf(handle, fill, N, d_a, LD, workspace, size, info));
    OK(cusolverDnDpotrs(handle, fill, N, COLUMNS, d_a, LD, d_b, LD, info));
    expect(d_b, info, "Cholesky");
    a[0] = -1;
    cudaMemcpy(d_a, a.data(), a.size() * sizeof *d_a, cudaMemcpyHostToDevice);
    OK(cusolverDnDpotrf(handle, fill, N, d_a, LD, workspace, size, info));
    cudaMemcpy(&size, info, sizeof size, cudaMemcpyDeviceToHost);
    wrong += size != 1;
}

static void lu(cublasOperation_t operation)
{
    std::vector<double> a(LD * N);
    int *info, *pivots, size;
    double *workspace;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i + j * LD] = (i * 5 + j * 3) % 7 + (i == (j + 1) % N ? 9 : 0);
    double *d_a = device(a), *d_b = device(right_side(a, operation != CUBLAS_OP_N));
    cudaMalloc(&info, sizeof *info);
    cudaMalloc(&pivots, N * sizeof *pivots);
    OK(cusolverDnDgetrf_bufferSize(handle, N, N, d_a, LD, &size));
    cudaMalloc(&workspace, size * sizeof *workspace);
    OK(cusolverDnDgetrf(handle, N, N, d_a, LD, workspace, pivots, info));
    OK(cusolverDnDgetrs(handle, operation, N, COLUMNS, d_a, LD, pivots, d_b, LD, info));
    expect(d_b, info, "LU");
}

int main()
{
    OK(cusolverDnCreate(&handle));
    cholesky(CUBLAS_FILL_MODE_LOWER);
    cholesky(CUBLAS_FILL_MODE_UPPER);
    lu(CUBLAS_OP_N);
    lu(CUBLAS_OP_T);
    OK(cusolverDnDestroy(handle));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
