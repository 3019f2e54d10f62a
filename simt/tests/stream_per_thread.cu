// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Right with -default-stream=per-thread, too, where the default stream is one of the host thread's own: it waits for other streams
// by events only. options.test compiles it so.
__global__ void add(int *x)
{
    x[threadIdx.x] += 1;
}

int main()
{
    int got[32], *x;
    cudaStream_t a;
    cudaEvent_t done;

    cudaStreamCreate(&a);
    cudaEventCreate(&done);
    cudaMalloc(&x, sizeof got);
    cudaMemset(x, 0, sizeof got);
    add<<<1, 32>>>(x);
    cudaEventRecord(done);
    cudaStreamWaitEvent(a, done, 0);
    add<<<1, 32, 0, a>>>(x);
    cudaStreamSynchronize(a);
    add<<<1, 32>>>(x);
    cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost);
    return got[31] != 3;
}
