// expect: undefined
// SPDX-License-Identifier: BSD-2-Clause
//
// A read past a row of an array, but within the array.
__global__ void k(int *out, const int *at)
{
    __shared__ int rows[4][8];
    int t = threadIdx.x, local[8];

    rows[t / 8][t % 8] = t;
    for (int i = 0; i < 8; i++)
        local[i] = t * i;
    __syncthreads();
    out[t] = local[t & 7];
    out[t] = rows[1][at[t]];
}

int main()
{
    int host[32], *out, *at;

    for (int i = 0; i < 32; i++)
        host[i] = i / 3;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&at, sizeof host);
    cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(out, at);
    return cudaDeviceSynchronize() != cudaSuccess;
}
