// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Asynchronous copies whose end a barrier in memory counts: one warp copies, another one waits at the barrier. In even rounds the
// arrival of the copies is one of those that the barrier expects; in odd rounds each thread arrives itself, too.
#include <cstdint>
#include <cstdio>
#include <cuda_pipeline.h>

constexpr int ROUNDS = 4, LANES = 32;

__global__ void ring(const int *from, int *to)
{
    __shared__ __mbarrier_t full, empty;
    __shared__ alignas(16) int tile[4 * LANES];
    int lane = (int)threadIdx.x % LANES;

    if (threadIdx.x == 0) {
        __mbarrier_init(&full, LANES);
        __mbarrier_init(&empty, LANES);
    }
    __syncthreads();
    for (int round = 0; round < ROUNDS; round++)
        if (threadIdx.x < LANES) {
            while (!__mbarrier_try_wait_parity(&empty, (round + 1) % 2, 1000))
                continue;
            __pipeline_memcpy_async(&tile[4 * lane], &from[4 * (round * LANES + lane)], 16);
            if (round % 2 == 0) {
                asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
                             :
                             : "r"((uint32_t)__cvta_generic_to_shared(&full))
                             : "memory");
            } else {
                __pipeline_arrive_on(&full);
                (void)__mbarrier_arrive(&full);
            }
        } else {
            while (!__mbarrier_test_wait_parity(&full, round % 2))
                continue;
            for (int k = 0; k < 4; k++)
                to[4 * (round * LANES + lane) + k] = tile[4 * (LANES - 1 - lane) + k];
            (void)__mbarrier_arrive(&empty);
        }
}

int main()
{
    constexpr int COUNT = 4 * ROUNDS * LANES;
    int *memory, got[COUNT], wrong = 0;

    cudaMalloc(&memory, 2 * sizeof got);
    for (int i = 0; i < COUNT; i++)
        got[i] = i * i;
    cudaMemcpy(memory, got, sizeof got, cudaMemcpyHostToDevice);
    ring<<<1, 2 * LANES>>>(memory, memory + COUNT);
    cudaMemcpy(got, memory + COUNT, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        int k = i % 4, lane = i / 4 % LANES, mirrored = 4 * (i / 4 / LANES * LANES + LANES - 1 - lane) + k;

        wrong += got[i] != mirrored * mirrored;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
