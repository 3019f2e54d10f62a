// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// The host allocates by its constant, the kernel counts by the device's, which is larger.
#ifdef __CUDA_ARCH__
constexpr int size = 64;
#else
constexpr int size = 32;
#endif

__global__ void kernel(int *p)
{
    for (int i = 0; i < size; i++)
        p[i] = i;
}

int main()
{
    int *p;

    cudaMalloc(&p, size * sizeof *p);
    kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
}
