// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Barriers in memory, by parity: one warp fills a ring of two stages, the other one empties it. A thread of the producer waits
// until a stage is empty, and a thread of the consumer until it is full.
#include <cstdint>
#include <cstdio>

constexpr int STAGES = 2, ROUNDS = 6, LANES = 32;

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__device__ void init(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(place(barrier)), "r"(count) : "memory");
}

__device__ void arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(place(barrier)) : "memory");
}

__device__ bool is_complete(uint64_t *barrier, uint32_t parity)
{
    uint32_t complete;

    asm volatile("{\n"
                 ".reg .pred complete;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, complete;\n"
                 "}"
                 : "=r"(complete)
                 : "r"(place(barrier)), "r"(parity)
                 : "memory");
    return complete;
}

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    while (!is_complete(barrier, parity))
        continue;
}

__global__ void ring(const int *from, int *to)
{
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ int stage[STAGES][LANES];
    int lane = (int)threadIdx.x % LANES;

    stage[threadIdx.x / LANES][lane] = -1;
    if (threadIdx.x == 0)
        for (int i = 0; i < STAGES; i++) {
            init(&full[i], LANES);
            init(&empty[i], LANES);
        }
    __syncthreads();
    for (int round = 0; round < ROUNDS; round++) {
        int i = round % STAGES;
        uint32_t parity = round / STAGES % 2;

        if (threadIdx.x < LANES) {
            wait(&empty[i], parity ^ 1); // passes at once in the first round
            stage[i][lane] = from[round * LANES + lane];
            arrive(&full[i]);
        } else {
            wait(&full[i], parity);
            to[round * LANES + lane] = stage[i][LANES - 1 - lane];
            arrive(&empty[i]);
        }
    }
}

int main()
{
    constexpr int COUNT = ROUNDS * LANES;
    int *memory, got[COUNT], wrong = 0;

    cudaMalloc(&memory, 2 * sizeof got);
    for (int i = 0; i < COUNT; i++)
        got[i] = i * i;
    cudaMemcpy(memory, got, sizeof got, cudaMemcpyHostToDevice);
    ring<<<1, 2 * LANES>>>(memory, memory + COUNT);
    cudaMemcpy(got, memory + COUNT, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        int mirrored = i / LANES * LANES + LANES - 1 - i % LANES;

        wrong += got[i] != mirrored * mirrored;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
