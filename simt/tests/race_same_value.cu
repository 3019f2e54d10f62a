// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Many threads set the same flag.
__global__ void k(int *found)
{
    if (threadIdx.x % 3 == 0)
        atomicExch(found, 1);
}

int main()
{
    int got, *memory;

    cudaMalloc(&memory, 4 * sizeof(int));
    cudaMemset(memory, 0, 4 * sizeof(int));
    k<<<2, 32>>>(memory);
    return cudaMemcpy(&got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess || got != 1;
}
