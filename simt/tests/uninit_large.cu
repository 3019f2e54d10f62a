// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// An allocation of 3 GiB of which little is used takes little memory.
#include <sys/resource.h>

static const size_t N = (size_t)3 << 28;

__global__ void ends(int *data)
{
    size_t i = threadIdx.x == 0 ? 0 : threadIdx.x == 1 ? N / 2 : N - 1;

    data[i] = threadIdx.x;
    data[i] += 1;
}

int main()
{
    struct rusage usage;
    int last = 0, *data;

    for (int round = 0; round < 3; round++) {
        if (cudaMalloc(&data, N * sizeof(int)) != cudaSuccess)
            return 1;
        ends<<<1, 3>>>(data);
        cudaMemcpy(&last, data + N - 1, sizeof last, cudaMemcpyDeviceToHost);
        if (last != 3 || cudaFree(data) != cudaSuccess)
            return 1;
    }
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss > 1 << 20; // KiB
}
