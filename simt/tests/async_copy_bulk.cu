// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Bulk copies: one thread announces the bytes of a tile to a barrier in memory and copies the tile, all threads wait at the barrier. A
// second barrier says when the tile may be overwritten.
#include "ptx.cuh"

#include <cstdio>

constexpr int THREADS = 64, TILES = 5, COUNT = THREADS * TILES, BYTES = THREADS * (int)sizeof(int);

__global__ void mirror(const int *from, int *to)
{
    __shared__ alignas(16) int tile[THREADS];
    __shared__ uint64_t full, empty;
    int i = (int)threadIdx.x;

    if (i == 0) {
        init(&full, 1);
        init(&empty, THREADS);
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads();
    for (int t = 0; t < TILES; t++) {
        if (i == 0) {
            wait(&empty, (t + 1) % 2);
            announce(&full, BYTES);
            load_bulk(tile, &from[t * THREADS], BYTES, &full);
        }
        wait(&full, t % 2);
        to[t * THREADS + i] = tile[THREADS - 1 - i];
        asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
        arrive(&empty);
    }
}

int main()
{
    int *memory, got[COUNT], wrong = 0;

    cudaMalloc(&memory, 2 * sizeof got);
    for (int i = 0; i < COUNT; i++)
        got[i] = i * i;
    cudaMemcpy(memory, got, sizeof got, cudaMemcpyHostToDevice);
    mirror<<<1, THREADS>>>(memory, memory + COUNT);
    cudaMemcpy(got, memory + COUNT, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        int mirrored = i / THREADS * THREADS + THREADS - 1 - i % THREADS;

        wrong += got[i] != mirrored * mirrored;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
