// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// What neighbours clear overlaps by a byte.
__global__ void k(char *memory)
{
    memset(memory + 23 * threadIdx.x, 0, 24);
}

int main()
{
    char got[768], *memory;

    cudaMalloc(&memory, sizeof got);
    k<<<1, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    return 0;
}
