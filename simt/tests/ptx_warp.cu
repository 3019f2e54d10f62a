// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Shuffles, votes, matches, reductions, barriers and special registers of PTX, against their definitions.
#include <cstdio>

__device__ unsigned wrong;

__device__ void expect(unsigned got, unsigned want, int line)
{
    if (got != want) {
        printf("lane %u, line %d: %x, not %x\n", threadIdx.x % 32, line, got, want);
        atomicAdd(&wrong, 1);
    }
}
#define EXPECT(got, want) expect(got, want, __LINE__)

#define SHUFFLE(mode)                                                                                                  \
    asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, p; }"        \
                 : "=r"(got), "=r"(in_range)                                                                           \
                 : "r"(100 + lane), "r"(b), "r"(c))

/* The source lane by the PTX ISA: the segment's mask is in bits 8 to 12 of c, the bound in bits 0 to 4. */
__device__ void shuffles(unsigned lane, unsigned b, unsigned c)
{
    int segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment), min_lane = lane & segment, j;
    unsigned got, in_range;
    bool p;

    SHUFFLE("up");
    j = (int)lane - (int)(b & 31);
    p = j >= max_lane;
    EXPECT(got, 100 + (p ? j : (int)lane));
    EXPECT(in_range, p);
    SHUFFLE("down");
    j = (int)lane + (int)(b & 31);
    p = j <= max_lane;
    EXPECT(got, 100 + (p ? j : (int)lane));
    EXPECT(in_range, p);
    SHUFFLE("bfly");
    j = (int)lane ^ (int)(b & 31);
    p = j <= max_lane;
    EXPECT(got, 100 + (p ? j : (int)lane));
    EXPECT(in_range, p);
    SHUFFLE("idx");
    j = min_lane | (int)(b & 31 & ~segment);
    p = j <= max_lane;
    EXPECT(got, 100 + (p ? j : (int)lane));
    EXPECT(in_range, p);
}

__device__ void votes(unsigned lane)
{
    unsigned got, all;

    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(got) : "r"(lane));
    EXPECT(got, 31);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
                 : "=r"(got)
                 : "r"(lane));
    EXPECT(got, 1);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.all.pred q, !p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
                 : "=r"(got)
                 : "r"(lane));
    EXPECT(got, 0);
    asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 40; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
                 : "=r"(got)
                 : "r"(lane));
    EXPECT(got, 1);
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(lane % 4));
    EXPECT(got, 0x11111111u << lane % 4);
    asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(all)
                 : "l"(lane == 3 ? 1ull << 40 : 0ull));
    EXPECT(got, 0);
    EXPECT(all, 0);
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(lane));
    EXPECT(got, 496);
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(got) : "r"((int)lane - 16));
    EXPECT(got, (unsigned)-16);
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(got), "=r"(all));
    EXPECT(all, lane == got);
    asm volatile("activemask.b32 %0;" : "=r"(got));
    EXPECT(got >> lane & 1, 1);
}

__device__ void registers(unsigned lane)
{
    unsigned r, mask;
    unsigned long long wide;

    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    EXPECT(r, lane);
    asm("mov.u32 %0, %%warpid;" : "=r"(r));
    EXPECT(r, threadIdx.x / 32);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    EXPECT(mask, (1u << lane) - 1);
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(r));
    EXPECT(r, mask | 1u << lane);
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(r));
    EXPECT(r, ~(mask | 1u << lane));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r));
    EXPECT(r, ~mask);
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(r));
    EXPECT(r, 1u << lane);
    asm("mov.u32 %0, %tid.x;" : "=r"(r));
    EXPECT(r, threadIdx.x);
    asm("{ .reg .u32 a, b, c; mov.u32 a, %%ctaid.x; mov.u32 b, %%ntid.x; mov.u32 c, %%nctaid.x;\n"
        "  mad.lo.u32 %0, a, b, c; }" : "=r"(r));
    EXPECT(r, blockIdx.x * blockDim.x + gridDim.x);
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(wide));
    asm("mov.u32 %0, %%smid;" : "=r"(r));
    asm volatile("nanosleep.u32 20;");
}

__global__ void all()
{
    static const unsigned c[] = {0, 0x1f, 0x1800, 0x181f, 0x1c03, 0x1003, 0x1e01};
    unsigned lane = threadIdx.x % 32, got;
    __shared__ unsigned sum;

    for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
        for (unsigned b = 0; b < 34; b += 3)
            shuffles(lane, b, c[i]);
    votes(lane);
    registers(lane);
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 50; barrier.cta.red.popc.aligned.u32 %0, 0, p; }"
                 : "=r"(got)
                 : "r"(threadIdx.x));
    EXPECT(got, 50);
    if (threadIdx.x == 0)
        sum = 7;
    asm volatile("bar.sync 0;" ::: "memory");
    EXPECT(sum, 7);
    asm volatile("bar.warp.sync 0xffffffff;");
}

int main()
{
    unsigned result;

    all<<<2, 64>>>();
    cudaMemcpyFromSymbol(&result, wrong, sizeof result);
    printf("%u wrong\n", result);
    return result != 0;
}
