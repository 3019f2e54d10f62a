// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// One stream writes, another one waits for its event and reads, a third one copies the result.
__global__ void produce(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = (int)threadIdx.x;
}

__global__ void consume(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = x[i] + 1;
}

int main()
{
    int got[256], *x, *y;
    cudaStream_t first, second, third;
    cudaEvent_t produced, consumed;

    cudaStreamCreate(&first);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaStreamCreate(&third);
    cudaEventCreate(&produced);
    cudaEventCreateWithFlags(&consumed, cudaEventDisableTiming);
    cudaMalloc(&x, sizeof got);
    cudaMalloc(&y, sizeof got);
    produce<<<4, 64, 0, first>>>(x);
    cudaEventRecord(produced, first);
    cudaStreamWaitEvent(second, produced, 0);
    consume<<<4, 64, 0, second>>>(x, y);
    cudaEventRecord(consumed, second);
    cudaStreamWaitEvent(third, consumed, 0);
    cudaMemcpyAsync(got, y, sizeof got, cudaMemcpyDeviceToHost, third);
    cudaStreamSynchronize(third);
    for (int i = 0; i < 256; i++)
        if (got[i] != i % 64 + 1)
            return 1;
    return cudaGetLastError() != cudaSuccess;
}
