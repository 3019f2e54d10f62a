// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel waits for a flag that the host sets after the launch. Work in its stream comes after it, work in another stream does
// not wait for it. Copies go to memory of cudaMallocHost: a copy to other memory of the host would wait for the kernel.
#include <stdio.h>

__global__ void wait(volatile int *flag, int *out)
{
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    __syncthreads();
    out[threadIdx.x] = *flag + threadIdx.x;
}

__global__ void twice(int *out)
{
    out[threadIdx.x] *= 2;
}

int main()
{
    int *result, *other, wrong = 0, *flag, *out, *seven;
    cudaStream_t waiting, free_one;
    cudaEvent_t done;

    cudaMallocHost(&flag, sizeof(int));
    cudaMallocHost(&result, 64 * sizeof(int));
    cudaMallocHost(&other, sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMalloc(&seven, sizeof(int));
    cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    cudaMemset(out, 0, 64 * sizeof(int));
    twice<<<1, 64>>>(out); // CUDA loads a kernel when it is first launched, and loading waits for kernels that run
    cudaDeviceSynchronize();
    for (int round = 1; round <= 3; round++) {
        *(volatile int *)flag = 0;
        wait<<<1, 64, 0, waiting>>>(flag, out);
        twice<<<1, 64, 0, waiting>>>(out);
        cudaMemcpyAsync(result, out, 64 * sizeof(int), cudaMemcpyDeviceToHost, waiting);
        cudaEventRecord(done, waiting);
        wrong += cudaEventQuery(done) != cudaErrorNotReady || cudaStreamQuery(waiting) != cudaErrorNotReady;
        cudaMemsetAsync(seven, 7, sizeof(int), free_one);
        cudaMemcpyAsync(other, seven, sizeof(int), cudaMemcpyDeviceToHost, free_one);
        cudaStreamSynchronize(free_one);
        wrong += *other != 0x07070707;
        *(volatile int *)flag = round;
        if (round == 1)
            cudaEventSynchronize(done);
        else if (round == 2)
            cudaStreamSynchronize(waiting);
        else
            cudaDeviceSynchronize();
        wrong += cudaEventQuery(done) != cudaSuccess;
        for (int i = 0; i < 64; i++)
            wrong += result[i] != 2 * (round + i);
    }
    return wrong != 0;
}
