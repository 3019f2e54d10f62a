// expect: uninit
// SPDX-License-Identifier: BSD-2-Clause
//
// Tickets are drawn from a counter that was never written.
__global__ void k(int *counter, int *out)
{
    int ticket = atomicAdd(counter, 1);

    if (ticket >= 0 && ticket < 32)
        out[ticket] = threadIdx.x;
}

int main()
{
    int got[32], seen = 0, *memory;

    cudaMalloc(&memory, 33 * sizeof(int));
    cudaMemset(memory + 1, 0, 32 * sizeof(int));
    k<<<1, 32>>>(memory, memory + 1);
    if (cudaMemcpy(got, memory + 1, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        seen |= 1 << got[i];
    return seen != -1;
}
