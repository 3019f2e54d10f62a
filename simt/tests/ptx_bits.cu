// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Instructions on bits, for generated operands, against loops over the bits as the PTX ISA describes them.
#include <cstdio>

typedef unsigned long long u64;

__device__ unsigned wrong;

__device__ void expect(u64 got, u64 want, int line)
{
    if (got != want) {
        printf("line %d: %llx, not %llx\n", line, got, want);
        atomicAdd(&wrong, 1);
    }
}
#define EXPECT(got, want) expect(got, want, __LINE__)

__device__ u64 next(u64 &state)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state ^ state >> 29;
}

__device__ u64 extract(u64 a, unsigned position, unsigned length, unsigned width, bool is_signed)
{
    unsigned top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    bool sign = is_signed && length && (a >> top & 1);
    u64 d = 0;

    for (unsigned i = 0; i < width; i++)
        d |= (u64)(i < length && position + i < width ? a >> (position + i) & 1 : sign) << i;
    return d;
}

__device__ u64 insert(u64 a, u64 b, unsigned position, unsigned length, unsigned width)
{
    for (unsigned i = 0; i < length && position + i < width; i++)
        b = (b & ~(1ull << (position + i))) | (a >> i & 1) << (position + i);
    return b;
}

__device__ unsigned find(u64 a, unsigned width, bool is_signed)
{
    bool sign = is_signed && (a >> (width - 1) & 1);

    for (unsigned i = width; i-- > 0;)
        if ((bool)(a >> i & 1) != sign)
            return i;
    return ~0u;
}

__device__ u64 reversed(u64 a, unsigned width)
{
    u64 d = 0;

    for (unsigned i = 0; i < width; i++)
        d |= (a >> i & 1) << (width - 1 - i);
    return d;
}

__device__ unsigned permuted(unsigned a, unsigned b, unsigned selectors)
{
    u64 all = (u64)b << 32 | a;
    unsigned d = 0;

    for (int i = 0; i < 4; i++) {
        unsigned s = selectors >> 4 * i & 15, byte = (unsigned)(all >> 8 * (s & 7)) & 255;

        d |= (s & 8 ? byte >> 7 ? 255u : 0 : byte) << 8 * i;
    }
    return d;
}

__device__ void fields(unsigned a, unsigned b, u64 c, u64 d, unsigned p, unsigned l)
{
    unsigned r;
    u64 q;

    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(p), "r"(l));
    EXPECT(r, extract(a, p & 255, l & 255, 32, false));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(p), "r"(l));
    EXPECT(r, extract(a, p & 255, l & 255, 32, true));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(p), "r"(l));
    EXPECT(r, insert(a, b, p & 255, l & 255, 32));
    // By the ISA operands of more than 255 count by their low 8 bits. On an H200 (toolkit 13.0) those of 32 bits do, and a length
    // of 256 or more of 64 bits is taken for the whole.
    const unsigned low = l & 255;

    asm("bfe.u64 %0, %1, %2, %3;" : "=l"(q) : "l"(c), "r"(p), "r"(low));
    EXPECT(q, extract(c, p & 255, low, 64, false));
    asm("bfe.s64 %0, %1, %2, %3;" : "=l"(q) : "l"(c), "r"(p), "r"(low));
    EXPECT(q, extract(c, p & 255, low, 64, true));
    asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(q) : "l"(c), "l"(d), "r"(p), "r"(low));
    EXPECT(q, insert(c, d, p & 255, low, 64));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(p), "r"(l));
    EXPECT(r, insert(~0ull, 0, p, l < 32 ? l : 32, 32));
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r) : "r"(p), "r"(l));
    EXPECT(r, insert(~0ull, 0, p & 31, l & 31, 32));
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(l));
    EXPECT(r, extract(a, 0, l < 32 ? l : 32, 32, true));
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(l));
    EXPECT(r, extract(a, 0, l & 31, 32, false));
}

__device__ void shifts(unsigned a, unsigned b, u64 c, unsigned n)
{
    unsigned r, clamped = n < 32 ? n : 32;
    u64 q, both = (u64)b << 32 | a;

    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(n));
    EXPECT(r, both << (n & 31) >> 32);
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(n));
    EXPECT(r, (unsigned)(both >> (n & 31)));
    asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(n));
    EXPECT(r, both << clamped >> 32);
    asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(n));
    EXPECT(r, (unsigned)(both >> clamped));
    asm("vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(n), "r"(b));
    EXPECT(r, (n < 32 ? a << n : 0) + b);
    asm("vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(n), "r"(b));
    EXPECT(r, (n < 32 ? a >> n : 0) + b);
    asm("vshl.u32.u32.u32.wrap.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(n), "r"(b));
    EXPECT(r, (a << (n & 31)) + b);
    asm("vshr.u32.u32.u32.wrap.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(n), "r"(b));
    EXPECT(r, (a >> (n & 31)) + b);
    asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n));
    EXPECT(r, n < 32 ? a << n : 0);
    asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n));
    EXPECT(r, n < 32 ? a >> n : 0);
    asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n));
    EXPECT(r, (unsigned)((int)a >> (n < 32 ? n : 31)));
    asm("shr.s64 %0, %1, %2;" : "=l"(q) : "l"(c), "r"(n));
    EXPECT(q, (u64)((long long)c >> (n < 64 ? n : 63)));
    asm("shl.b64 %0, %1, %2;" : "=l"(q) : "l"(c), "r"(n));
    EXPECT(q, n < 64 ? c << n : 0);
}

__device__ void counts(unsigned a, u64 c)
{
    unsigned r, ones = 0;
    u64 q;

    for (int i = 0; i < 64; i++)
        ones += c >> i & 1;
    asm("popc.b64 %0, %1;" : "=r"(r) : "l"(c));
    EXPECT(r, ones);
    asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(r, __popc(a));
    asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(r, 31 - find(a, 32, false));
    asm("clz.b64 %0, %1;" : "=r"(r) : "l"(c));
    EXPECT(r, 63 - find(c, 64, false));
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(r, find(a, 32, false));
    asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(r, find(a, 32, true));
    asm("bfind.s64 %0, %1;" : "=r"(r) : "l"(c));
    EXPECT(r, find(c, 64, true));
    asm("bfind.shiftamt.u64 %0, %1;" : "=r"(r) : "l"(c));
    EXPECT(r, find(c, 64, false) == ~0u ? ~0u : 63 - find(c, 64, false));
    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(r, reversed(a, 32));
    asm("brev.b64 %0, %1;" : "=l"(q) : "l"(c));
    EXPECT(q, reversed(c, 64));
}

__device__ void bytes_and_logic(unsigned a, unsigned b, unsigned c)
{
    unsigned r, want = 0;

    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, permuted(a, b, c));
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, permuted(a, b, 0x3210 + 0x1111 * (c & 3)));
    asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    for (unsigned i = 0; i < 4; i++)
        want |= (permuted(a, b, ((c & 3) - i) & 7) & 255) << 8 * i;
    EXPECT(r, want);
    asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, permuted(a, b, 0x1111 * (c & 3)));
    asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, permuted(a, b, 0x1010 + 0x2222 * (c & 1)));
    want = 0;
    asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    for (unsigned i = 0; i < 4; i++)
        want |= (a >> 8 * (i > (c & 3) ? i : c & 3) & 255) << 8 * i;
    EXPECT(r, want);
    want = 0;
    asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    for (unsigned i = 0; i < 4; i++)
        want |= (a >> 8 * (i < (c & 3) ? i : c & 3) & 255) << 8 * i;
    EXPECT(r, want);
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, a ^ b ^ c);
    asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, (a & b) | (~a & c));
    asm("and.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, a & b);
    asm("or.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, a | b);
    asm("xor.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, a ^ b);
    asm("not.b32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(r, ~a);
    asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(a & 1));
    EXPECT(r, !(a & 1));
}

__global__ void all()
{
    u64 state = threadIdx.x;

    for (int i = 0; i < 100; i++) {
        unsigned a = (unsigned)next(state), b = (unsigned)next(state);
        u64 c = next(state) >> next(state) % 64, d = next(state);

        if (i % 8 == 0)
            a = c = i % 16 ? 0 : ~0ull;
        fields(a, b, c, d, (unsigned)next(state) % 80, (unsigned)next(state) % 80);
        fields(a, b, c, d, (unsigned)next(state) % 8 * 8, (unsigned)next(state) % 512);
        shifts(a, b, c, (unsigned)next(state) % 80);
        counts(a, c);
        bytes_and_logic(a, b, (unsigned)next(state));
    }
}

int main()
{
    unsigned result;

    all<<<1, 32>>>();
    cudaMemcpyFromSymbol(&result, wrong, sizeof result);
    printf("%u wrong\n", result);
    return result != 0;
}
