// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Square roots by bisection, in registers alone: no access, no wait. The interval ends as a part of the root, since floats near
// 1,000 are 6e-5 apart.
#include <cstdio>

enum { ROOTS = 2 };

__device__ float root(float of)
{
    float low = 0, high = of > 1 ? of : 1;

    while (high - low > 1e-6f * high) {
        float middle = low + (high - low) / 2;

        if (middle * middle > of)
            high = middle;
        else
            low = middle;
    }
    return high;
}

__global__ void roots(float *of)
{
    of[threadIdx.x] = root(of[threadIdx.x]);
}

int main()
{
    float numbers[ROOTS], got[ROOTS], *on_device;

    for (int i = 0; i < ROOTS; i++)
        numbers[i] = 500000.0f * (i + 1);
    cudaMalloc(&on_device, sizeof numbers);
    cudaMemcpy(on_device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    roots<<<1, ROOTS>>>(on_device);
    if (cudaMemcpy(got, on_device, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < ROOTS; i++)
        if (got[i] * got[i] / numbers[i] < 0.99999f || got[i] * got[i] / numbers[i] > 1.00001f)
            return 1;
    printf("%.0f\n", got[1]);
    return 0;
}
