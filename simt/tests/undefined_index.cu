// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Indices within a local array and a row; a pointer walks over all rows.
__global__ void k(int *out, const int *at)
{
    __shared__ int rows[4][8];
    int t = threadIdx.x, local[8];

    rows[t / 8][t % 8] = t;
    for (int i = 0; i < 8; i++)
        local[i] = t * i;
    __syncthreads();
    out[t] = local[t & 7];
    out[t] = local[at[t] & 7] + rows[1][at[t] & 7] + (&rows[0][0])[at[t] * 2];
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
