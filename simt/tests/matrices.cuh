// SPDX-License-Identifier: BSD-2-Clause
//
// What programs of tensor cores share: matrices of halves on the device, A of m x k by rows and B of k x n, and the comparison of a kernel's
// result with a loop. Elements are whole numbers of at most 2 and 3, so that every order of a sum is exact, and that of 341 terms is a half.
#ifndef SIMT_TESTS_MATRICES_CUH
#define SIMT_TESTS_MATRICES_CUH

#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

struct matrices {
    const int m, n, k;
    const bool by_columns; // of B
    half *a, *b;

    matrices(int m, int n, int k, bool by_columns) : m(m), n(n), k(k), by_columns(by_columns)
    {
        a = upload(m * k, value_of_a);
        b = upload(k * n, value_of_b);
    }

    // Compares m x n sums on the device with `factor` times those of the products of elements `first` to `end` - 1 of a row of A and a column of B.
    template <typename Sum> int wrong(const Sum *sums, float factor, int first, int end) const
    {
        std::vector<Sum> got((size_t)m * n);
        int count = 0;

        cudaMemcpy(got.data(), sums, got.size() * sizeof(Sum), cudaMemcpyDeviceToHost);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;

                for (int p = first; p < end; p++)
                    sum += value_of_a(i * k + p) * value_of_b(by_columns ? j * k + p : p * n + j);
                count += (float)got[(size_t)i * n + j] != factor * sum;
            }
        printf("%d wrong\n", count);
        return count;
    }

    template <typename Sum> int wrong(const Sum *sums, float factor = 1) const
    {
        return wrong(sums, factor, 0, k);
    }

  private:
    static float value_of_a(int i)
    {
        return (float)(i * 7 % 5 - 2);
    }

    static float value_of_b(int i)
    {
        return (float)(i * 5 % 7 - 3);
    }

    static half *upload(int count, float (*value)(int))
    {
        std::vector<half> values(count);
        half *device;

        for (int i = 0; i < count; i++)
            values[i] = (half)value(i);
        cudaMalloc(&device, count * sizeof(half));
        cudaMemcpy(device, values.data(), count * sizeof(half), cudaMemcpyHostToDevice);
        return device;
    }
};

#endif
