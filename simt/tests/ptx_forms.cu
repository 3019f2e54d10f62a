// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Forms of PTX's loads, stores, atomics, reductions of a warp and special registers that ptx_memory.cu and ptx_warp.cu leave out.
#include <cstdio>

typedef unsigned long long u64;

__device__ unsigned right;
__constant__ unsigned constant = 9;

__device__ void expect(u64 got, u64 want, int line)
{
    if (got == want)
        atomicAdd(&right, 1);
    else
        printf("line %d: %llx, not %llx\n", line, got, want);
}
#define EXPECT(got, want) expect((u64)(got), (u64)(want), __LINE__)

// One thread expects 19 results and 3 of each of 18 atomics, and each of 6 x 64 others 20: what is not asked is not right.
constexpr unsigned ASKED = 19 + 3 * 18 + 6 * 64 * 20;

__device__ void cache_modes(unsigned *memory)
{
    unsigned a, b, c, d;
    double x;

    asm volatile("st.cs.global.u32 [%0], 1; st.cg.global.u32 [%0+4], 2; st.wb.global.u32 [%0+8], 3; st.volatile.global.u32 [%0+12], 4;" ::"l"(memory) : "memory");
    asm volatile("ld.cs.global.u32 %0, [%4]; ld.lu.global.u32 %1, [%4+4]; ld.cv.global.u32 %2, [%4+8]; ldu.global.u32 %3, [%4+12];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(memory));
    EXPECT(a | b << 8 | c << 16 | d << 24, 0x04030201);
    asm volatile("st.release.sys.global.u32 [%0], 5; st.release.cta.global.u32 [%0+4], 6; st.weak.global.u32 [%0+8], 7;" ::"l"(memory) : "memory");
    asm volatile("ld.acquire.sys.global.u32 %0, [%3]; ld.acquire.cta.global.u32 %1, [%3+4]; ld.weak.global.u32 %2, [%3+8];"
                 : "=r"(a), "=r"(b), "=r"(c)
                 : "l"(memory));
    EXPECT(a | b << 8 | c << 16, 0x070605);
    asm volatile("st.global.f64 [%0+16], %1;" ::"l"(memory), "d"(2.5) : "memory");
    asm volatile("ld.global.L1::evict_last.L2::128B.f64 %0, [%1+16];" : "=d"(x) : "l"(memory));
    EXPECT(x == 2.5, 1);
    asm volatile("ld.const.u32 %0, [%1];" : "=r"(a) : "l"(__cvta_generic_to_constant(&constant)));
    EXPECT(a, 9);
    asm volatile("{ .reg .pred p, q; isspacep.global p, %2; isspacep.shared q, %2; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
                 : "=r"(a), "=r"(b)
                 : "l"(memory));
    EXPECT(a | b << 1, 1);
    unsigned local[2] = {3, 4};
    asm volatile("{ .reg .pred p, q; isspacep.local p, %2; isspacep.global q, %2; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
                 : "=r"(a), "=r"(b)
                 : "l"(local));
    EXPECT(a | b << 1, 1);
    asm volatile("ld.u32 %0, [%1+4];" : "=r"(a) : "l"(local));
    EXPECT(a, 4);
    __shared__ unsigned word;
    word = 6;
    EXPECT(*(unsigned *)__cvta_shared_to_generic(__cvta_generic_to_shared(&word)), 6);
    EXPECT(__isShared(&word) && !__isShared(memory) && __isGlobal(memory) && !__isGlobal(&word) && __isLocal(local), 1);
    asm volatile("prefetch.global.L1 [%0]; fence.sc.gpu; fence.acq_rel.cta; fence.acq_rel.sys; membar.cta;" ::"l"(memory) : "memory");
}

/* One thread: what each operation returns and leaves, of its first operand 12 and its second 10. */
#define ATOM(operation, type, constraint, T, before, operand, after)                                                   \
    do {                                                                                                               \
        T old;                                                                                                         \
        *(T *)memory = before;                                                                                         \
        asm volatile("atom.global." operation "." type " %0, [%1], %2;" : "=" constraint(old) : "l"(memory), constraint((T)(operand)) : "memory"); \
        EXPECT(old == (T)(before), 1);                                                                                 \
        EXPECT(*(T *)memory == (T)(after), 1);                                                                         \
        *(T *)memory = before;                                                                                         \
        asm volatile("red.relaxed.gpu.global." operation "." type " [%0], %1;" ::"l"(memory), constraint((T)(operand)) : "memory"); \
        EXPECT(*(T *)memory == (T)(after), 1);                                                                         \
    } while (0)

__device__ void atomics(unsigned *memory)
{
    unsigned a, b;
    u64 w;

    ATOM("add", "u32", "r", unsigned, 12, -13, ~0u);
    ATOM("add", "f32", "f", float, 1.5f, 2.25f, 3.75f);
    ATOM("add", "f64", "d", double, 1.5, 2.25, 3.75);
    ATOM("and", "b32", "r", unsigned, 12, 10, 8);
    ATOM("or", "b32", "r", unsigned, 12, 10, 14);
    ATOM("xor", "b32", "r", unsigned, 12, 10, 6);
    ATOM("and", "b64", "l", u64, 12ull << 40 | 3, 10ull << 40 | 6, 8ull << 40 | 2);
    ATOM("xor", "b64", "l", u64, 12ull << 40 | 3, 10ull << 40 | 6, 6ull << 40 | 5);
    ATOM("min", "u32", "r", unsigned, 12, ~0u, 12);
    ATOM("min", "s32", "r", int, 12, -1, -1);
    ATOM("max", "s32", "r", int, 12, -1, 12);
    ATOM("max", "u64", "l", u64, 12, ~0ull, ~0ull);
    ATOM("min", "s64", "l", long long, 12, -1, -1);
    ATOM("inc", "u32", "r", unsigned, 12, 13, 13);
    ATOM("inc", "u32", "r", unsigned, 12, 12, 0);
    ATOM("dec", "u32", "r", unsigned, 12, 13, 11);
    ATOM("dec", "u32", "r", unsigned, 0, 13, 13);
    ATOM("dec", "u32", "r", unsigned, 14, 13, 13);
    *(u64 *)memory = 12;
    asm volatile("atom.acquire.gpu.global.cas.b64 %0, [%1], 12, %2;" : "=l"(w) : "l"(memory), "l"(1ull << 40) : "memory");
    EXPECT(w, 12);
    asm volatile("atom.release.sys.global.exch.b64 %0, [%1], %2;" : "=l"(w) : "l"(memory), "l"(5ull) : "memory");
    EXPECT(w, 1ull << 40);
    asm volatile("atom.relaxed.cta.global.cas.b32 %0, [%1], 6, 7;" : "=r"(a) : "l"(memory) : "memory");
    EXPECT(a, 5);
    EXPECT(*(u64 *)memory, 5);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(a), "=r"(b) : "l"(7ull << 32 | 8));
    EXPECT(a, 8);
    EXPECT(b, 7);
    asm("{ .reg .b16 h, r; mov.b32 {h, r}, %2; cvt.u32.u16 %0, h; cvt.u32.u16 %1, r; }" : "=r"(a), "=r"(b) : "r"(0x50004));
    EXPECT(a | b << 8, 0x504);
    asm("{ .reg .b16 h, r; mov.b16 h, 1; mov.b16 r, 2; mov.b64 %0, {h, r, r, h}; }" : "=l"(w));
    EXPECT(w, 0x1000200020001);
    asm volatile("{ .reg .b16 h, r; mov.b16 h, 5; mov.b16 r, 9; atom.global.cas.b16 h, [%1], h, r; cvt.u32.u16 %0, h; }" : "=r"(a) : "l"(memory) : "memory");
    EXPECT(a, 5);
    EXPECT(*(u64 *)memory, 9);
}

__device__ void reductions(unsigned lane)
{
    const unsigned v = lane * 0x1234567 + 3;
    unsigned got, all = ~0u, any = 0, odd = 0, max = 0;
    int least = 0x7fffffff, most = -0x7fffffff;

    for (unsigned i = 0; i < 32; i++) {
        unsigned w = i * 0x1234567 + 3;

        all &= w | 0x80;
        any |= w & ~0x40u;
        odd ^= w;
        max = w > max ? w : max;
        least = (int)w < least ? (int)w : least;
        most = (int)w > most ? (int)w : most;
    }
    asm volatile("redux.sync.and.b32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(v | 0x80));
    EXPECT(got, all);
    asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(v & ~0x40u));
    EXPECT(got, any);
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(v));
    EXPECT(got, odd);
    asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(v));
    EXPECT(got, max);
    asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(v));
    EXPECT((int)got, most);
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(v));
    EXPECT((int)got, least);
    asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(got) : "l"((u64)(lane % 2) << 40));
    EXPECT(got, 0x55555555u << lane % 2);
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %1, 0xffffffff; @!p mov.u32 %0, 1; }" : "=r"(got) : "r"(7));
    EXPECT(got, ~0u);
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 3; vote.sync.uni.pred p, p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(got) : "r"(lane));
    EXPECT(got, 0);
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 32; vote.sync.all.pred p, p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(got) : "r"(lane));
    EXPECT(got, 1);
}

__device__ void registers()
{
    unsigned a, b, c;
    u64 first, second;

    asm("mov.u32 %0, %%tid.y; mov.u32 %1, %%tid.z; mov.u32 %2, %%tid.x;" : "=r"(a), "=r"(b), "=r"(c));
    EXPECT(a | b << 8 | c << 16, threadIdx.y | threadIdx.z << 8 | threadIdx.x << 16);
    asm("mov.u32 %0, %%ntid.y; mov.u32 %1, %%ntid.z; mov.u32 %2, %%ntid.x;" : "=r"(a), "=r"(b), "=r"(c));
    EXPECT(a | b << 8 | c << 16, 2 | 4 << 8 | 8 << 16);
    asm("mov.u32 %0, %%ctaid.y; mov.u32 %1, %%ctaid.z; mov.u32 %2, %%ctaid.x;" : "=r"(a), "=r"(b), "=r"(c));
    EXPECT(a | b << 8 | c << 16, blockIdx.y | blockIdx.z << 8 | blockIdx.x << 16);
    asm("mov.u32 %0, %%nctaid.y; mov.u32 %1, %%nctaid.z; mov.u32 %2, %%nctaid.x;" : "=r"(a), "=r"(b), "=r"(c));
    EXPECT(a | b << 8 | c << 16, 1 | 3 << 8 | 2 << 16);
    a = b = c = 0;
    asm("mov.u32 %0, %%warpid; mov.u32 %1, %%nwarpid; mov.u32 %2, %%nsmid;" : "=r"(a), "=r"(b), "=r"(c));
    EXPECT(a < b && b >= 2 && c >= 1, 1); // which of its places a multiprocessor gives a warp is open
    asm("mov.u32 %0, %%smid; mov.u32 %1, WARP_SZ;" : "=r"(a), "=r"(b));
    EXPECT(a < c, 1);
    EXPECT(b, 32);
    asm volatile("mov.u64 %0, %%clock64; nanosleep.u32 50; mov.u64 %1, %%clock64;" : "=l"(first), "=l"(second));
    EXPECT(second >= first, 1);
    asm volatile("mov.u64 %0, %%globaltimer; nanosleep.u32 50; mov.u64 %1, %%globaltimer;" : "=l"(first), "=l"(second));
    EXPECT(second >= first, 1);
    asm volatile("mov.u32 %0, %%clock; mov.u32 %1, %%clock_hi; mov.u32 %2, %%globaltimer_lo;" : "=r"(a), "=r"(b), "=r"(c));
    asm volatile("mov.u32 %0, %%cluster_ctarank; mov.u32 %1, %%cluster_nctarank;" : "=r"(a), "=r"(b));
    EXPECT(a | b << 8, 1 << 8);
}

__global__ void one(unsigned *memory)
{
    cache_modes(memory);
    atomics(memory);
}

__global__ void many()
{
    reductions((threadIdx.x + 8 * threadIdx.y + 16 * threadIdx.z) % 32);
    registers();
}

int main()
{
    unsigned *memory, result;

    cudaMalloc(&memory, 64);
    one<<<1, 1>>>(memory);
    many<<<dim3(2, 1, 3), dim3(8, 2, 4)>>>();
    cudaMemcpyFromSymbol(&result, right, sizeof result);
    printf("%u of %u right\n", result, ASKED);
    return result != ASKED;
}
