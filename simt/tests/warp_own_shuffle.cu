// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A program that declares its own __shfl_down may call it.
static __device__ int __shfl_down(int value, unsigned distance)
{
    return __shfl_down_sync(0xffffffffu, value, distance);
}

__global__ void kernel(int *p)
{
    p[threadIdx.x] = __shfl_down((int)threadIdx.x, 1);
}

int main()
{
    int *p, seen[32];

    cudaMalloc(&p, sizeof seen);
    kernel<<<1, 32>>>(p);
    cudaMemcpy(seen, p, sizeof seen, cudaMemcpyDeviceToHost);
    cudaFree(p);
    return seen[0] == 1 && seen[30] == 31 && seen[31] == 31 ? 0 : 1;
}
