// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// cudaFree is given host memory.
__global__ void copy(const int *from, int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = from[i];
}

int main()
{
    enum { N = 150 };
    int in[N], out[N], *from, *to;

    for (int i = 0; i < N; i++)
        in[i] = i * i;
    cudaMalloc(&from, sizeof in);
    cudaMalloc(&to, sizeof out);
    cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
    copy<<<3, 64>>>(from, to, N);
    cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        if (out[i] != i * i)
            return 1;
    cudaFree(from);
    cudaFree(out);
    return 0;
}
