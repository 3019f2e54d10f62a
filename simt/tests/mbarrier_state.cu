// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Barriers in memory, by state: arrivals that count several, that do not complete, that drop out, bytes that are expected; and the
// memory of one is used for another thing after mbarrier.inval.
#include <cstdint>
#include <cstdio>

constexpr int THREADS = 64;

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__device__ void init(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(place(barrier)), "r"(count) : "memory");
}

__device__ uint64_t arrive(uint64_t *barrier)
{
    uint64_t state;

    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(place(barrier)) : "memory");
    return state;
}

__device__ void wait(uint64_t *barrier, uint64_t state)
{
    asm volatile("{\n"
                 ".reg .pred complete;\n"
                 "again:\n"
                 "mbarrier.test_wait.shared.b64 complete, [%0], %1;\n"
                 "@!complete bra again;\n"
                 "}"
                 :
                 : "r"(place(barrier)), "l"(state)
                 : "memory");
}

__global__ void exchange(int *to)
{
    __shared__ uint64_t barrier, other;
    __shared__ int value[THREADS];
    int i = (int)threadIdx.x;
    uint64_t state;
    uint32_t pending;

    if (i == 0) {
        init(&barrier, THREADS);
        init(&other, THREADS + 1);
    }
    __syncthreads();

    value[i] = i;
    state = arrive(&barrier);
    wait(&barrier, state);
    to[i] = value[THREADS - 1 - i];

    // the first thread arrives for the second one, too, which waits for the next phase without an arrival of its own
    __syncwarp();
    if (i == 0) {
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(state) : "r"(place(&barrier)) : "memory");
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
        if (pending < 2 || pending > THREADS)
            to[0] = -1;
    }
    if (i == 1)
        asm volatile("{\n"
                     ".reg .pred complete;\n"
                     "again:\n"
                     "mbarrier.test_wait.parity.shared.b64 complete, [%0], 1;\n"
                     "@!complete bra again;\n"
                     "}"
                     :
                     : "r"(place(&barrier))
                     : "memory");
    else
        wait(&barrier, arrive(&barrier));
    value[i] = 2 * i; // was read before the second phase

    // bytes that somebody brings, and one arrival that is never expected again
    if (i == 0) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;" : : "r"(place(&other)) : "memory");
        asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" : : "r"(place(&other)) : "memory");
    }
    state = arrive(&other);
    if (i == 1)
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" : : "r"(place(&other)) : "memory");
    wait(&other, state);
    to[THREADS + i] = value[THREADS - 1 - i];
    wait(&other, arrive(&other));
    value[i] = 3 * i;

    __syncthreads(); // not needed: `other` has ordered every use of `barrier`
    if (i == 0)
        asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(place(&barrier)) : "memory");
    __syncthreads();
    if (i == 1)
        barrier = 7;
    __syncthreads();
    to[2 * THREADS + i] = value[THREADS - 1 - i] * (int)barrier;
}

int main()
{
    int *memory, got[3 * THREADS], wrong = 0;

    cudaMalloc(&memory, sizeof got);
    exchange<<<1, THREADS>>>(memory);
    cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++) {
        int mirrored = THREADS - 1 - i;

        wrong += got[i] != mirrored;
        wrong += got[THREADS + i] != 2 * mirrored;
        wrong += got[2 * THREADS + i] != 21 * mirrored;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
