/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A shared library that keeps its device memory to itself.
 */
__global__ void twice(int *number)
{
    *number *= 2;
}

extern "C" int shared_twice(int number)
{
    int *memory;

    cudaMalloc(&memory, sizeof *memory);
    cudaMemcpy(memory, &number, sizeof number, cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(memory);
    cudaMemcpy(&number, memory, sizeof number, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    return number;
}
