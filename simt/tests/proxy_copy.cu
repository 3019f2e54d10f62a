// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Bulk copies and ordinary accesses of the same memory: each tile is made in global memory by ordinary writes, copied to shared memory,
// changed there by all threads, and copied back. A fence between the proxies stands between each ordinary write and the copy that
// reads or overwrites it.
#include "ptx.cuh"

#include <cstdio>

constexpr int THREADS = 64, TILES = 4, COUNT = THREADS * TILES, BYTES = THREADS * (int)sizeof(int);

__global__ void change(int *memory, int *sums)
{
    __shared__ alignas(128) int tile[THREADS];
    __shared__ uint64_t full;
    int i = (int)threadIdx.x;

    if (i == 0) {
        init(&full, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    tile[i] = -1;
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); /* before the first load overwrites them */
    for (int t = 0; t < TILES; t++) {
        int *here = memory + t * THREADS;

        here[i] = t * THREADS + i;
        asm volatile("fence.proxy.async.global;" : : : "memory"); /* before the load reads them */
        __syncthreads();
        if (i == 0) {
            announce(&full, BYTES);
            load_bulk(tile, here, BYTES, &full);
        }
        wait(&full, t % 2);
        tile[i] = tile[i] * 3 + 1;
        asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); /* before the store reads them */
        __syncthreads();
        if (i == 0) {
            store_bulk(here, tile, BYTES);
            commit_bulk();
            asm volatile("cp.async.bulk.wait_group.read 0;" : : : "memory");
        }
        __syncthreads();
        tile[i] = t; /* the store has read the tile */
        __syncthreads();
        asm volatile("fence.proxy.async;" : : : "memory"); /* before the next load, and by the thread that issues it */
    }
    if (i == 0)
        asm volatile("cp.async.bulk.wait_group 0;" : : : "memory");
    __syncthreads();
    for (int t = 0; t < TILES; t++) /* the stores have written */
        sums[i] += memory[t * THREADS + i];
}

int main()
{
    int *memory, got[COUNT + THREADS], wrong = 0;

    cudaMalloc(&memory, sizeof got);
    cudaMemset(memory, 0, sizeof got);
    change<<<1, THREADS>>>(memory, memory + COUNT);
    cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        wrong += got[i] != 3 * i + 1;
    for (int i = 0; i < THREADS; i++)
        wrong += got[COUNT + i] != 3 * (4 * i + 6 * THREADS) + 4;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
