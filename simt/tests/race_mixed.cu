// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A sum by atomics, read by atomics.
__global__ void k(int *out)
{
    atomicAdd(&out[0], 1);
    if (atomicAdd(&out[0], 0) > 40)
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
