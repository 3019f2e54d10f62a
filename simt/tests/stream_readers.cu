// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Two streams read the same word, by several blocks. The first one writes it when the second one has read.
__global__ void total(const int *x, int *sum)
{
    atomicAdd(sum, *x);
}

__global__ void change(int *x)
{
    if (threadIdx.x == 0)
        *x = 3;
    __syncthreads();
    if (*x != 3)
        *x = 4;
}

int main()
{
    int *x, *sum, got;
    cudaStream_t a, b;
    cudaEvent_t read;

    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&read);
    cudaMalloc(&x, sizeof *x);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(x, 0, sizeof *x);
    cudaMemset(sum, 0, sizeof *sum);
    for (int i = 0; i < 3; i++) {
        total<<<3, 32, 0, a>>>(x, sum);
        total<<<2, 32, 0, b>>>(x, sum);
        cudaEventRecord(read, b);
        cudaStreamWaitEvent(a, read, 0);
        change<<<1, 2, 0, a>>>(x);
        cudaEventRecord(read, a);
        cudaStreamWaitEvent(b, read, 0);
    }
    cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
    return got != 2 * 3 * (3 + 2) * 32;
}
