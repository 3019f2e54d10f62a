// expect: barrier
// SPDX-License-Identifier: BSD-2-Clause
//
// All threads reach a barrier, but not the same one.
__global__ void reverse(int *data)
{
    __shared__ int low[64], high[64];
    int t = threadIdx.x;

    for (int tile = 0; tile < 4; tile++) {
        int *base = data + tile * 128;

        low[t] = base[t];
        high[t] = base[64 + t];
        __syncthreads();
        base[t] = high[63 - t];
        base[64 + t] = low[63 - t];
        if (t & 1)
            __syncthreads();
        else
            __syncthreads();
    }
}

int main()
{
    int data[512], *device;

    for (int i = 0; i < 512; i++)
        data[i] = i;
    cudaMalloc(&device, sizeof data);
    cudaMemcpy(device, data, sizeof data, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(device);
    cudaMemcpy(data, device, sizeof data, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; i++)
        if (data[i] != (i / 128) * 128 + 127 - i % 128)
            return 1;
    return cudaFree(device) != cudaSuccess;
}
