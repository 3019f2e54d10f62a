// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Kernels access host memory that the program allocated itself and registered.
#include <sys/mman.h>

__global__ void add(int *numbers, int *count)
{
    numbers[threadIdx.x] += (int)threadIdx.x;
    atomicAdd(count, 1);
}

int main()
{
    const size_t size = 1 << 16;
    int *numbers = (int *)mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *device;
    cudaPointerAttributes attributes;
    int wrong = 0;

    if (numbers == MAP_FAILED)
        return 1;
    for (int i = 0; i < 33; i++)
        numbers[i] = i;
    if (cudaHostRegister(numbers, size, cudaHostRegisterMapped) != cudaSuccess ||
        cudaHostGetDevicePointer((void **)&device, numbers, 0) != cudaSuccess ||
        cudaPointerGetAttributes(&attributes, numbers + 8) != cudaSuccess || attributes.type != cudaMemoryTypeHost)
        return 2;
    add<<<1, 32>>>(device, device + 32);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 3;
    for (int i = 0; i < 32; i++)
        wrong += numbers[i] != 2 * i;
    wrong += numbers[32] != 64;
    return cudaHostUnregister(numbers) != cudaSuccess || wrong != 0;
}
