// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// The last copy of 24 bytes goes past the end.
__global__ void k(char *memory, const char *in)
{
    memcpy(memory + 24 * threadIdx.x, in + 24 * threadIdx.x, 24);
}

int main()
{
    char got[760], *memory, *in;

    cudaMalloc(&in, 768);
    cudaMemset(in, 0, 768);
    cudaMalloc(&memory, sizeof got);
    k<<<1, 32>>>(memory, in);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    return 0;
}
