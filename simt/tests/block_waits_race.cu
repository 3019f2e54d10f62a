// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Block 1 waits for block 0, and reads what block 0 wrote without a fence.
__global__ void pass(int *data, volatile int *flag)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        data[32 + threadIdx.x] = data[threadIdx.x];
    }
}

int main()
{
    int result[64], *data, *flag;

    cudaMalloc(&data, sizeof result);
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    pass<<<2, 32>>>(data, flag);
    cudaMemcpy(result, data, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        if (result[i] != i % 32)
            return 1;
    return 0;
}
