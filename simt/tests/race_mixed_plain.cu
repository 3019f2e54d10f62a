// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The sum is read by a plain load.
__global__ void k(int *out)
{
    atomicAdd(&out[0], 1);
    if (out[0] > 40)
        out[1 + blockIdx.x] = 1;
}

int main()
{
    int got, *memory;

    cudaMalloc(&memory, 8 * sizeof(int));
    cudaMemset(memory, 0, 8 * sizeof(int));
    k<<<4, 1>>>(memory);
    return cudaMemcpy(&got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess || got != 4;
}
