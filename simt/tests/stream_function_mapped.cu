// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A function of one stream writes a factor to mapped memory; a kernel of another stream, which waits for it by an event, reads it.

__global__ void scale(float *x, const float *factor)
{
    x[threadIdx.x] = *factor * (float)threadIdx.x;
}

static void choose(void *factor)
{
    *(float *)factor = 2;
}

int main()
{
    cudaStream_t a, b;
    cudaEvent_t chosen;
    float *factor, *of_device, *x, got[32];

    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&chosen);
    cudaMalloc(&x, sizeof got);
    cudaHostAlloc(&factor, sizeof *factor, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&of_device, factor, 0);
    *factor = 1;
    for (int round = 0; round < 3; round++) {
        cudaLaunchHostFunc(a, choose, factor);
        cudaEventRecord(chosen, a);
        cudaStreamWaitEvent(b, chosen, 0);
        scale<<<1, 32, 0, b>>>(x, of_device);
        cudaStreamSynchronize(b);
        cudaStreamSynchronize(a);
    }
    cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost);
    cudaFreeHost(factor);
    return got[3] != 6;
}
