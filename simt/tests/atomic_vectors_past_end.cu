// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// A sum of vectors whose last number is behind the end of the memory.
__global__ void sum(float *numbers)
{
    atomicAdd((float4 *)(numbers + 4), make_float4(1, 2, 3, 4));
}

int main()
{
    float *numbers;

    cudaMalloc(&numbers, 7 * sizeof *numbers);
    cudaMemset(numbers, 0, 7 * sizeof *numbers);
    sum<<<1, 1>>>(numbers);
    return cudaDeviceSynchronize() != cudaSuccess;
}
