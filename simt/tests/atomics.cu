// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Atomic operations of each kind on shared and global memory.
__global__ void histogram(const unsigned char *in, int n, unsigned *bins, unsigned long long *extremes)
{
    __shared__ unsigned local[16];

    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&local[in[i] & 15], 1);
        atomicMax(&extremes[0], (unsigned long long)in[i]);
        atomicMin(&extremes[1], (unsigned long long)in[i]);
        atomicXor(&extremes[2], (unsigned long long)in[i]);
    }
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main()
{
    unsigned char in[500], *device;
    unsigned bins[16], *device_bins;
    unsigned long long extremes[3] = {0, 1000, 0}, *device_extremes;
    unsigned expected[16] = {0}, parity = 0;

    for (int i = 0; i < 500; i++) {
        in[i] = (unsigned char)(i * 7 % 200 + 3);
        expected[in[i] & 15]++;
        parity ^= in[i];
    }
    cudaMalloc(&device, sizeof in);
    cudaMalloc(&device_bins, sizeof bins);
    cudaMalloc(&device_extremes, sizeof extremes);
    cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(device_extremes, extremes, sizeof extremes, cudaMemcpyHostToDevice);
    cudaMemset(device_bins, 0, sizeof bins);
    histogram<<<1, 70>>>(device, 500, device_bins, device_extremes);
    cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost);
    cudaMemcpy(extremes, device_extremes, sizeof extremes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        if (bins[i] != expected[i])
            return 1;
    return extremes[0] != 202 || extremes[1] != 3 || extremes[2] != parity;
}
