// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// More threads arrive at a barrier in memory than a vector clock has entries for: the one that waits knows each of them, and no other.
#include <cstdint>

constexpr int THREADS = 512;

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__global__ void collect(int *to)
{
    __shared__ int value[THREADS];
    __shared__ uint64_t barrier;
    const int i = (int)threadIdx.x;

    if (i == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(place(&barrier)), "r"(THREADS) : "memory");
    __syncthreads();
    value[i] = i;
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(place(&barrier)) : "memory");
    if (i != 0)
        return;
    asm volatile("{\n"
                 ".reg .pred complete;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], 0;\n"
                 "@!complete bra again;\n"
                 "}"
                 :
                 : "r"(place(&barrier))
                 : "memory");
    for (int k = 0; k < THREADS; k++)
        *to += value[k];
}

int main()
{
    int *sum, host = 0;

    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    collect<<<1, THREADS>>>(sum);
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    return host != THREADS * (THREADS - 1) / 2;
}
