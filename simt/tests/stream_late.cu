// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Work of three streams in the order that events, waiting, polling, and the default stream make: a filled buffer is doubled in one
// stream, summed in another and copied in a third; the pinned source is used again after an event; memory of a pool is freed in the
// stream that used it last.
#include <cstdio>

enum { ROUNDS = 4, N = 64 };

__global__ void twice(int *to, const int *from)
{
    to[threadIdx.x] = 2 * from[threadIdx.x];
}

__global__ void sum(int *total, const int *from)
{
    atomicAdd(total, from[threadIdx.x]);
}

static void note(void *seen)
{
    ++*(int *)seen;
}

int main()
{
    cudaStream_t a, b, c;
    cudaEvent_t copied, doubled, summed;
    int *from, *to, *total, *source, *result, seen = 0, expected = 0;

    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
    cudaEventCreate(&copied);
    cudaEventCreate(&doubled);
    cudaEventCreate(&summed);
    cudaMalloc(&from, N * sizeof *from);
    cudaMalloc(&total, ROUNDS * sizeof *total);
    cudaMallocHost(&source, N * sizeof *source);
    cudaMallocHost(&result, ROUNDS * sizeof *result);
    cudaMemset(total, 0, ROUNDS * sizeof *total);
    cudaDeviceSynchronize();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            expected += 2 * (source[i] = round + i);
        cudaMallocAsync(&to, N * sizeof *to, a);
        cudaMemcpyAsync(from, source, N * sizeof *from, cudaMemcpyHostToDevice, a);
        cudaEventRecord(copied, a);
        twice<<<1, N, 0, a>>>(to, from);
        cudaEventRecord(doubled, a);
        cudaStreamWaitEvent(b, doubled, 0);
        sum<<<1, N, 0, b>>>(total + round, to);
        cudaFreeAsync(to, b);
        cudaEventRecord(summed, b);
        cudaLaunchHostFunc(b, note, &seen);
        cudaStreamWaitEvent(c, summed, 0);
        cudaMemcpyAsync(result + round, total + round, sizeof *result, cudaMemcpyDeviceToHost, c);
        if (round % 2)
            cudaEventSynchronize(copied);
        else
            while (cudaEventQuery(copied) == cudaErrorNotReady)
                ;
    }
    cudaStreamSynchronize(c);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaStreamDestroy(c);
    cudaEventDestroy(copied);
    cudaEventDestroy(doubled);
    cudaEventDestroy(summed);
    for (int round = 0; round < ROUNDS; round++)
        expected -= result[round];
    printf("%d, %d functions\n", expected, seen);
    return expected != 0 || seen != ROUNDS;
}
