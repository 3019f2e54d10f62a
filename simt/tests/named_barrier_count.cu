// expect: barrier
// SPDX-License-Identifier: BSD-2-Clause
//
// Named barriers. A warp of a block fills a buffer, two others take it out: the producer waits at `empty` and arrives at `full`,
// the consumers wait at `full` and arrive at `empty`. Then each half of a block has a barrier of its own, and then the block has
// one with another number than 0, which does not wait for threads that have exited. The last warp is a partial one.
// Broken: the warps of the first half count differently.
#include <cstdio>

enum { FULL = 1, EMPTY = 2, ROUNDS = 5, PARTIES = 96, THREADS = 120, STAY = 110 };

__device__ void wait_at(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive_at(int number, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void pipeline(int *out)
{
    __shared__ int buffer[32];
    int i = (int)threadIdx.x;

    if (i < 32) {
        for (int round = 0; round < ROUNDS; round++) {
            if (round > 0)
                wait_at(EMPTY, PARTIES);
            buffer[i] = round * 100 + i;
            arrive_at(FULL, PARTIES);
        }
    } else if (i < PARTIES) {
        for (int round = 0; round < ROUNDS; round++) {
            wait_at(FULL, PARTIES);
            out[(blockIdx.x * ROUNDS + round) * 64 + i - 32] = buffer[(i * 7) % 32];
            if (round < ROUNDS - 1)
                arrive_at(EMPTY, PARTIES);
        }
    }
}

__global__ void halves(int *out)
{
    __shared__ int left[64], right[64], sums[2];
    int i = (int)threadIdx.x, sum = 0;

    if (i < 64) {
        left[i] = i;
        __barrier_sync_count(3, i < 32 ? 64 : 96);
        for (int k = 0; i == 0 && k < 64; k++)
            sum += left[k];
    } else {
        right[i - 64] = i;
        asm volatile("barrier.sync 4, 64;" ::: "memory"); // 32 threads and a warp of 24, which counts as 32
        for (int k = 64; i == 64 && k < THREADS; k++)
            sum += right[k - 64];
    }
    if (i % 64 == 0)
        sums[i / 64] = sum;
    if (i >= STAY)
        return;
    __barrier_sync(5);
    out[i] = sums[0] + 2 * sums[1];
}

int main()
{
    static int got[2 * ROUNDS * 64];
    int *out, wrong = 0, first = 63 * 64 / 2, second = (THREADS - 1) * THREADS / 2 - first;

    cudaMalloc(&out, sizeof got);
    pipeline<<<2, THREADS>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * ROUNDS * 64; i++)
        wrong += got[i] != i / 64 % ROUNDS * 100 + ((i % 64 + 32) * 7) % 32;
    halves<<<1, THREADS>>>(out);
    cudaMemcpy(got, out, STAY * sizeof *got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < STAY; i++)
        wrong += got[i] != first + 2 * second;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
