// expect: barrier
// SPDX-License-Identifier: BSD-2-Clause
//
// Half of the threads wait at one barrier and half at another, which is in the same line.
__device__ __forceinline__ void meet() { __syncthreads(); }

__global__ void reverse(int *data)
{
    __shared__ int low[64], high[64];
    int t = threadIdx.x;

#pragma unroll
    for (int tile = 0; tile < 4; tile++) {
        int *base = data + tile * 128;

        low[t] = base[t];
        if (t & 1)
            high[t] = base[64 + t];
        else
            high[t] = base[64 + (t ^ 1) - 1];
        meet();
        if (t & 1)
            base[t] = high[63 - t];
        else
            base[t] = high[62 - t + 1];
        base[64 + t] = low[63 - t];
        if (t & 1) __syncthreads(); else __syncthreads();
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
