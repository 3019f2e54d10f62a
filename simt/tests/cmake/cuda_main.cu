/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Fills an array in a kernel of its own and has the library add it.
 */
#include "total.h"
#include <cstdio>

__global__ void fill(int *numbers)
{
    numbers[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *numbers;

    cudaMalloc(&numbers, 100 * sizeof *numbers);
    fill<<<1, 100>>>(numbers);
    std::printf("%s: %d\n", SUMS_NAME, total(numbers, 100));
    return total(numbers, 100) != 99 * 50;
}
