// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel tells the host by a flag in its memory that a result is there. The host polls, and copies it in another stream.
__global__ void tell(int *result, volatile int *flag)
{
    *result = 7;
    __threadfence_system();
    *flag = 1;
}

int main()
{
    int *result, *flag, *got;
    cudaStream_t a, b;

    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
    cudaMallocHost(&got, sizeof *got);
    cudaMalloc(&result, sizeof *result);
    *flag = 0;
    tell<<<1, 1, 0, a>>>(result, flag);
    while (*(volatile int *)flag == 0)
        continue;
    cudaMemcpyAsync(got, result, sizeof *got, cudaMemcpyDeviceToHost, b);
    cudaStreamSynchronize(b);
    return *got != 7;
}
