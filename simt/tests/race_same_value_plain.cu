// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// They set it by plain stores: a race, although all store the same value.
__global__ void k(int *found)
{
    if (threadIdx.x % 3 == 0)
        *found = 1;
}

int main()
{
    int got, *memory;

    cudaMalloc(&memory, 4 * sizeof(int));
    cudaMemset(memory, 0, 4 * sizeof(int));
    k<<<2, 32>>>(memory);
    return cudaMemcpy(&got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess || got != 1;
}
