// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel writes behind the part of its host memory that the program registered.
#include <sys/mman.h>

__global__ void fill(int *numbers, int from)
{
    numbers[from + threadIdx.x] = 1;
}

int main()
{
    const size_t size = 1 << 16;
    int *numbers = (int *)mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *device;

    if (numbers == MAP_FAILED || cudaHostRegister(numbers, size, cudaHostRegisterMapped) != cudaSuccess ||
        cudaHostGetDevicePointer((void **)&device, numbers, 0) != cudaSuccess)
        return 1;
    fill<<<1, 32>>>(device, (int)(size / sizeof *numbers));
    return cudaDeviceSynchronize() != cudaSuccess;
}
