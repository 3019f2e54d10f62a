// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Loads and stores of every size, with cache and order modifiers, vectors and address spaces; atomics and reductions.
#include <cstdio>

__device__ unsigned wrong;
__device__ __align__(16) unsigned only_read[4] = {0x80818283, 2, 3, 4};

__device__ void expect(unsigned long long got, unsigned long long want, int line)
{
    if (got != want) {
        printf("line %d: %llx, not %llx\n", line, got, want);
        atomicAdd(&wrong, 1);
    }
}
#define EXPECT(got, want) expect(got, want, __LINE__)

__global__ void loads_and_stores(unsigned *memory)
{
    __shared__ __align__(16) unsigned shared[32];
    unsigned at = (unsigned)__cvta_generic_to_shared(shared), a, b, c, d;
    unsigned long long q;
    unsigned short h;

    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(memory), "r"(0x80818283), "r"(2), "r"(3), "r"(4) : "memory");
    asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2+8];" : "=r"(a), "=r"(b) : "l"(memory));
    EXPECT(a, 3);
    EXPECT(b, 4);
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, _, %2}, [%3];" : "=r"(a), "=r"(b), "=r"(c) : "l"(only_read));
    EXPECT(a, 0x80818283);
    EXPECT(b, 2);
    EXPECT(c, 4);
    asm volatile("ld.global.s8 %0, [%1+3];" : "=r"(a) : "l"(memory));
    EXPECT(a, 0xffffff80);
    asm volatile("ld.ca.global.u8 %0, [%1+3];" : "=r"(a) : "l"(memory));
    EXPECT(a, 0x80);
    asm volatile("ld.s16 %0, [%1];" : "=r"(a) : "l"(memory));
    EXPECT(a, 0xffff8283);
    asm volatile("ld.volatile.global.u16 %0, [%1];" : "=h"(h) : "l"(memory));
    EXPECT(h, 0x8283);
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(q) : "l"(memory));
    EXPECT(q, 0x280818283);
    asm volatile("st.relaxed.sys.global.v2.u64 [%0+16], {%1, %2};" ::"l"(memory), "l"(5ull << 40), "l"(6ull) : "memory");
    asm volatile("ld.acquire.gpu.v2.u64 {%0, %1}, [%2+16];" : "=l"(q), "=l"(*(unsigned long long *)(memory + 8)) : "l"(memory));
    EXPECT(q, 5ull << 40);
    EXPECT(memory[8], 6);
    asm volatile("st.wt.global.u8 [%0+35], %1;" ::"l"(memory), "r"(0x17f) : "memory");
    EXPECT(memory[8], 0x7f000006);
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(11), "r"(12) : "memory");
    asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(a) : "r"(at));
    EXPECT(a, 12);
    EXPECT(shared[0], 11);
    asm volatile("{ .reg .u64 s; cvta.to.shared.u64 s, %0; st.shared::cta.u32 [s+4], 13; }" ::"l"(shared) : "memory");
    EXPECT(shared[1], 13);
    asm volatile("{ .reg .u64 s; cvta.to.shared.u64 s, %1; cvt.u32.u64 %0, s; }" : "=r"(a) : "l"(shared + 2)); // 32 bits hold it
    EXPECT(a, at + 8);
    asm volatile("{ .reg .u64 s; cvt.u64.u32 s, %0; cvta.shared.u64 s, s; st.u32 [s], 14; }" ::"r"(at + 4) : "memory");
    EXPECT(shared[1], 14);
    asm volatile("{ .reg .pred p, q; isspacep.shared p, %2; isspacep.global q, %2; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
                 : "=r"(a), "=r"(d)
                 : "l"(shared));
    EXPECT(a, 1);
    EXPECT(d, 0);
    asm volatile("prefetch.global.L2 [%0]; prefetchu.L1 [%0];" ::"l"(memory));
    asm volatile("fence.acq_rel.gpu; fence.sc.cta; membar.gl; membar.sys;" ::: "memory");
}

__global__ void atomics(unsigned *memory, float *sum)
{
    __shared__ unsigned counter;
    unsigned at = (unsigned)__cvta_generic_to_shared(&counter), old, signed_least;
    unsigned long long wide;

    if (threadIdx.x == 0)
        counter = 0;
    __syncthreads();
    asm volatile("red.shared.add.u32 [%0], 2;" ::"r"(at) : "memory");
    asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(memory), "r"(3) : "memory");
    asm volatile("atom.global.max.u32 %0, [%1+4], %2;" : "=r"(old) : "l"(memory), "r"(threadIdx.x) : "memory");
    asm volatile("atom.acq_rel.gpu.global.min.s32 %0, [%1+8], %2;" : "=r"(signed_least) : "l"(memory), "r"(-(int)threadIdx.x) : "memory");
    asm volatile("atom.or.b32 %0, [%1+12], %2;" : "=r"(old) : "l"(memory), "r"(1u << threadIdx.x) : "memory");
    asm volatile("atom.add.u64 %0, [%1+16], %2;" : "=l"(wide) : "l"(memory), "l"(1ull << 32) : "memory");
    asm volatile("red.relaxed.sys.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
    asm volatile("atom.inc.u32 %0, [%1+24], 9;" : "=r"(old) : "l"(memory) : "memory");
    do {
        unsigned seen = memory[9] ? 0 : *(volatile unsigned *)(memory + 7);

        asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(memory + 7), "r"(seen), "r"(seen + 1) : "memory");
        old = old != seen;
    } while (old);
    asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(memory + 8), "r"(77) : "memory");
    __syncthreads();
    EXPECT(counter, 64);
}

int main()
{
    unsigned *memory, result, expected[] = {96, 31, (unsigned)-31, ~0u, 0, 32, 2, 32, 77}, got[9];
    float *sum, total;

    cudaMalloc(&memory, 64);
    cudaMalloc(&sum, sizeof *sum);
    loads_and_stores<<<1, 1>>>(memory);
    cudaMemset(memory, 0, 64);
    cudaMemset(sum, 0, sizeof *sum);
    atomics<<<1, 32>>>(memory, sum);
    cudaMemcpyFromSymbol(&result, wrong, sizeof result);
    cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 9; i++)
        if (got[i] != expected[i]) {
            printf("word %d: %u, not %u\n", i, got[i], expected[i]);
            result++;
        }
    printf("%u wrong\n", result);
    return result != 0 || total != 16;
}
