// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// wgmma with a sparse A of every type, from shared memory and from registers, on small integers, which every order of adding sums exactly:
// each element of the result is compared with a plain loop. The metadata are in the registers that the PTX document names; lanes whose
// registers are not selected have those of other rows.
#include "ptx.cuh"

#include <cstdio>
#include <cstring>

constexpr int M = 64, N = 8, THREADS = 128;

// Bits, those of 1, and what 2 has more than 1: one step of the exponent. Integers have no step.
struct element {
    int width;
    uint32_t one, step;
};

constexpr element f16 = {16, 0x3c00, 0x400}, bf16 = {16, 0x3f80, 0x80}, tf32 = {32, 0x3f800000, 0x800000},
                  e4m3 = {8, 0x38, 8}, e5m2 = {8, 0x3c, 4}, s8 = {8, 1, 0}, u8 = {8, 1, 0};

enum result { FLOAT, HALF, INTEGER };

__device__ uint32_t bits_of(element type, int value)
{
    const uint32_t size = value < 0 ? -value : value;

    if (!type.step)
        return value & 0xff;
    return size ? (uint32_t)(value < 0) << (type.width - 1) | (type.one + (size - 1) * type.step) : 0;
}

__device__ int value_of_a(int row, int i, bool positive)
{
    return (row * 5 + i * 3 + row * i) % 5 - (positive ? 0 : 2);
}

__device__ int value_of_b(int k, int column, bool positive)
{
    return (k * 7 + column * 2 + k * column) % 5 - (positive ? 0 : 2);
}

__device__ int addend(int row, int column)
{
    return row % 7 - column * 5;
}

// Four bits of metadata: two positions of four, the first one in the lower two bits; of tf32 the first or the second one of two.
__device__ uint32_t kept(int row, int chunk, bool of_two)
{
    const uint32_t fours[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};

    return of_two ? (row + chunk + row / 8 + chunk / 4) % 2 ? 0xe : 0x4 : fours[(row * 5 + chunk + row / 6) % 6];
}

__device__ int position(int row, int i, bool of_two)
{
    if (of_two)
        return i * 2 + (kept(row, i, true) == 0xe);
    return i / 2 * 4 + (int)(kept(row, i / 2, false) >> i % 2 * 2 & 3);
}

// Rows of A and columns of B in pieces of 16 bytes, eight of them one behind the other; if transposed, eight of one k.
__device__ uint32_t place_in(bool transposed, int lines, int line, int byte, int k)
{
    return transposed ? k / 8 * lines * 16 + line / 8 * 128 + k % 8 * 16 + line % 8 * 2
                      : byte / 16 * lines * 16 + line * 16 + byte % 16;
}

template <typename Op> __device__ uint32_t metadata_of(int thread)
{
    const int lane = thread % 32, row = thread / 32 * 16 + lane / 4;
    uint32_t bits = 0;

    for (int i = 0; i < 8; i++)
        if (Op::a.width == 8) // a lane has one of two rows, and half of the sixteen chunks
            bits |= kept(row + lane % 2 * 8, lane / 2 % 2 * 8 + i, false) << 4 * i;
        else // both rows, and half of the eight chunks
            bits |= kept(row + i / 4 * 8 + (lane / 2 % 2 != Op::selector), lane % 2 * 4 + i % 4, Op::a.width == 32)
                    << 4 * i;
    return bits;
}

template <typename Op> __global__ void multiply(int *wrong) // which is the number of elements before
{
    constexpr int K = 512 / Op::a.width, KEPT = K / 2, BYTES = Op::a.width / 8;
    __shared__ __align__(1024) unsigned char left[M * 32], right[N * 64];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t a[4] = {}, d[4] = {};

    for (int i = threadIdx.x; i < M * KEPT; i += THREADS) {
        const uint32_t bits = bits_of(Op::a, value_of_a(i / KEPT, i % KEPT, Op::a_is_positive));

        memcpy(left + place_in(Op::transposed, M, i / KEPT, i % KEPT * BYTES, i % KEPT), &bits, BYTES);
    }
    for (int i = threadIdx.x; i < N * K; i += THREADS) {
        const uint32_t bits = bits_of(Op::b, value_of_b(i % K, i / K, Op::b_is_positive));

        memcpy(right + place_in(Op::transposed, N, i / K, i % K * BYTES, i % K), &bits, BYTES);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4 / BYTES; j++) {
            const int row = warp * 16 + lane / 4 + i % 2 * 8, k = (lane % 4 + i / 2 * 4) * (4 / BYTES) + j;

            a[i] |= bits_of(Op::a, value_of_a(row, k, Op::a_is_positive)) << j * (Op::a.width % 32);
        }
    for (int i = 0; i < 4; i++) {
        const int value = addend(warp * 16 + lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2);

        if (Op::sums == HALF)
            d[i / 2] |= (uint32_t)__half_as_ushort(__int2half_rn(value)) << i % 2 * 16;
        else
            d[i] = Op::sums == FLOAT ? __float_as_uint((float)value) : (uint32_t)value;
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    Op::run(d, a, descriptor(left, 1024, 128, 0), descriptor(right, 128, 128, 0), metadata_of<Op>(threadIdx.x));
    for (int i = 0; i < 4; i++) {
        const int row = warp * 16 + lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        const float got = Op::sums == HALF    ? __half2float(__ushort_as_half((unsigned short)(d[i / 2] >> i % 2 * 16)))
                          : Op::sums == FLOAT ? __uint_as_float(d[i])
                                              : (float)(int)d[i];
        int sum = addend(row, column);

        for (int x = 0; x < KEPT; x++)
            sum += Op::sign * value_of_a(row, x, Op::a_is_positive) *
                   value_of_b(position(row, x, Op::a.width == 32), column, Op::b_is_positive);
        if (got == (float)sum)
            atomicSub(wrong, 1);
    }
}

// NAME, types of A and B and of the sum, whether a type has no negative numbers, the selector, whether both are transposed, the sign of the
// product; then the statement.
#define OP(NAME, A, B, SUMS, A_IS_POSITIVE, B_IS_POSITIVE, SELECTOR, TRANSPOSED, SIGN, ...)                            \
    struct NAME {                                                                                                      \
        static constexpr element a = A, b = B;                                                                         \
        static constexpr result sums = SUMS;                                                                           \
        static constexpr bool a_is_positive = A_IS_POSITIVE, b_is_positive = B_IS_POSITIVE, transposed = TRANSPOSED;   \
        static constexpr int selector = SELECTOR, sign = SIGN;                                                         \
        static const char *name()                                                                                      \
        {                                                                                                              \
            return #NAME;                                                                                              \
        }                                                                                                              \
        static __device__ void run(uint32_t (&d)[4], const uint32_t (&x)[4], uint64_t p, uint64_t q, uint32_t e)       \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    };

// Sums of 32 bits are four registers of the type T, those of 16 bits two; then A in shared memory or in registers, and the words behind
// the metadata.
#define PRODUCT(...)                                                                                                   \
    fence_products();                                                                                                  \
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8" __VA_ARGS__);                                                 \
    commit_products();                                                                                                 \
    wait_products<0>();
#define FOUR_SHARED(T, L, TEXT, END)                                                                                   \
    T r[4];                                                                                                            \
    memcpy(r, d, sizeof r);                                                                                            \
    PRODUCT(TEXT " {%0, %1, %2, %3}, %4, %5, %6, " END ";"                                                             \
            : L(r[0]), L(r[1]), L(r[2]), L(r[3])                                                                       \
            : "l"(p), "l"(q), "r"(e))                                                                                  \
    memcpy(d, r, sizeof r);                                                                                            \
    (void)x;
#define FOUR_REGISTERS(T, L, TEXT, END)                                                                                \
    T r[4];                                                                                                            \
    memcpy(r, d, sizeof r);                                                                                            \
    PRODUCT(TEXT " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, " END ";"                                               \
            : L(r[0]), L(r[1]), L(r[2]), L(r[3])                                                                       \
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(q), "r"(e))                                              \
    memcpy(d, r, sizeof r);                                                                                            \
    (void)p;
#define TWO_SHARED(TEXT, END)                                                                                          \
    PRODUCT(TEXT " {%0, %1}, %2, %3, %4, " END ";" : "+r"(d[0]), "+r"(d[1]) : "l"(p), "l"(q), "r"(e))                  \
    (void)x;
#define TWO_REGISTERS(TEXT, END)                                                                                       \
    PRODUCT(TEXT " {%0, %1}, {%2, %3, %4, %5}, %6, %7, " END ";"                                                       \
            : "+r"(d[0]), "+r"(d[1])                                                                                   \
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(q), "r"(e))                                              \
    (void)p;

OP(f16_shared, f16, f16, FLOAT, false, false, 0, false, 1,
   FOUR_SHARED(float, "+f", "k32.f32.f16.f16", "0, 1, 1, 1, 0, 0"))
OP(f16_transposed, f16, f16, FLOAT, false, false, 1, true, -1,
   FOUR_SHARED(float, "+f", "k32.f32.f16.f16", "1, 1, 1, -1, 1, 1"))
OP(f16_registers, f16, f16, FLOAT, false, false, 1, false, -1,
   FOUR_REGISTERS(float, "+f", "k32.f32.f16.f16", "1, 1, -1, 1, 0"))
OP(f16_to_f16_shared, f16, f16, HALF, false, false, 1, false, -1, TWO_SHARED("k32.f16.f16.f16", "1, 1, -1, 1, 0, 0"))
OP(f16_to_f16_registers, f16, f16, HALF, false, false, 0, true, 1, TWO_REGISTERS("k32.f16.f16.f16", "0, 1, -1, -1, 1"))
OP(bf16_shared, bf16, bf16, FLOAT, false, false, 1, false, 1,
   FOUR_SHARED(float, "+f", "k32.f32.bf16.bf16", "1, 1, 1, 1, 0, 0"))
OP(bf16_registers, bf16, bf16, FLOAT, false, false, 0, true, 1,
   FOUR_REGISTERS(float, "+f", "k32.f32.bf16.bf16", "0, 1, 1, 1, 1"))
OP(tf32_shared, tf32, tf32, FLOAT, false, false, 0, false, -1,
   FOUR_SHARED(float, "+f", "k16.f32.tf32.tf32", "0, 1, 1, -1"))
OP(tf32_registers, tf32, tf32, FLOAT, false, false, 1, false, 1,
   FOUR_REGISTERS(float, "+f", "k16.f32.tf32.tf32", "1, 1, 1, 1"))
OP(e4m3_shared, e4m3, e4m3, FLOAT, false, false, 0, false, 1,
   FOUR_SHARED(float, "+f", "k64.f32.e4m3.e4m3", "0, 1, 1, 1"))
OP(e5m2_registers, e5m2, e4m3, FLOAT, false, false, 0, false, -1,
   FOUR_REGISTERS(float, "+f", "k64.f32.e5m2.e4m3", "0, 1, -1, 1"))
OP(e4m3_to_f16_shared, e4m3, e5m2, HALF, false, false, 0, false, -1, TWO_SHARED("k64.f16.e4m3.e5m2", "0, 1, 1, -1"))
OP(e5m2_to_f16_registers, e5m2, e5m2, HALF, false, false, 0, false, 1, TWO_REGISTERS("k64.f16.e5m2.e5m2", "0, 1, 1, 1"))
OP(s8_shared, s8, s8, INTEGER, false, false, 0, false, 1, FOUR_SHARED(uint32_t, "+r", "k64.s32.s8.s8", "0, 1"))
OP(u8_s8_registers, u8, s8, INTEGER, true, false, 0, false, 1,
   FOUR_REGISTERS(uint32_t, "+r", "k64.s32.u8.s8.satfinite", "0, 1"))
OP(s8_u8_registers, s8, u8, INTEGER, false, true, 0, false, 1, FOUR_REGISTERS(uint32_t, "+r", "k64.s32.s8.u8", "0, 1"))
OP(u8_shared, u8, u8, INTEGER, true, true, 0, false, 1, FOUR_SHARED(uint32_t, "+r", "k64.s32.u8.u8.satfinite", "0, 1"))

static int right_products = 0;

template <typename Op> void check()
{
    int *wrong, count = M * N;

    cudaMalloc(&wrong, sizeof *wrong);
    cudaMemcpy(wrong, &count, sizeof count, cudaMemcpyHostToDevice);
    multiply<Op><<<1, THREADS>>>(wrong);
    cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost);
    printf("%s: %d wrong\n", Op::name(), count);
    right_products += count == 0;
    cudaFree(wrong);
}

template <typename... Ops> void check_all()
{
    (check<Ops>(), ...);
}

int main()
{
    check_all<f16_shared, f16_transposed, f16_registers, f16_to_f16_shared, f16_to_f16_registers, bf16_shared,
              bf16_registers, tf32_shared, tf32_registers, e4m3_shared, e5m2_registers, e4m3_to_f16_shared,
              e5m2_to_f16_registers, s8_shared, u8_s8_registers, s8_u8_registers, u8_shared>();
    return right_products != 17;
}
