// expect: barrier
// SPDX-License-Identifier: BSD-2-Clause
//
// The first barrier is in one branch only; the other threads continue to the second.
__global__ void sums(const int *in, int *out, int n)
{
    __shared__ int part[96];
    int t = threadIdx.x;

    if (t >= n)
        return;
    part[t] = in[t];
    if (t < 64)
        __syncthreads();
    if (t == 0)
        for (int i = 1; i < n; i++)
            part[0] += part[i];
    __syncthreads();
    out[t] = part[0];
}

int main()
{
    enum { N = 70 };
    int data[N], *in, *out;

    for (int i = 0; i < N; i++)
        data[i] = i;
    cudaMalloc(&in, sizeof data);
    cudaMalloc(&out, sizeof data);
    cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice);
    sums<<<1, 96>>>(in, out, N);
    cudaMemcpy(data, out, sizeof data, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        if (data[i] != N * (N - 1) / 2)
            return 1;
    return cudaDeviceSynchronize() != cudaSuccess;
}
