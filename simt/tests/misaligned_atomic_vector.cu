// expect: misaligned
// SPDX-License-Identifier: BSD-2-Clause
//
// A sum of vectors of 16 bytes at a multiple of 8.
__global__ void sum(float *numbers)
{
    atomicAdd((float4 *)(numbers + 2), make_float4(1, 2, 3, 4));
}

int main()
{
    float *numbers;

    cudaMalloc(&numbers, 8 * sizeof *numbers);
    cudaMemset(numbers, 0, 8 * sizeof *numbers);
    sum<<<1, 1>>>(numbers);
    return cudaDeviceSynchronize() != cudaSuccess;
}
