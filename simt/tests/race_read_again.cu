// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// All threads of a block read two words. After a barrier one of them reads them again, and after another barrier a thread of
// another warp changes them.
__global__ void k(int *words, int *out)
{
    __shared__ int shared;
    int t = threadIdx.x, *word = words + blockIdx.x;

    if (t == 0)
        shared = 1;
    __syncthreads();
    out[blockIdx.x * 128 + t] = shared + *word;
    __syncthreads();
    if (t == 64)
        out[blockIdx.x * 128 + t] += shared + *word;
    __syncthreads();
    if (t == 0) {
        shared = 2;
        *word = 2;
    }
    __syncthreads();
    if (t == 32)
        out[blockIdx.x * 128 + t] += shared;
}

int main()
{
    int got[2 * 128], *memory, *words;

    cudaMalloc(&memory, sizeof got);
    cudaMalloc(&words, 2 * sizeof *words);
    cudaMemset(words, 0, 2 * sizeof *words);
    k<<<2, 128>>>(words, memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 2 * 128; i++)
        if (got[i] != (i % 128 == 64 ? 2 : i % 128 == 32 ? 3 : 1))
            return 1;
    return 0;
}
