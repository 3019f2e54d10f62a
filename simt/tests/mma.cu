// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// mma.sync of every type and shape on small integers, which every order of adding sums exactly: each element of the result is
// compared with a plain loop. Registers are filled by the tables of the PTX document.
#include <cstdint>
#include <cstdio>

enum element { f16, bf16, tf32, e4m3, e5m2, f64, s8, u8, s4, u4, b1, f32, s32 };

__host__ __device__ constexpr int width(element type)
{
    return type == f16 || type == bf16                  ? 16
           : type == f64                                ? 64
           : type == s4 || type == u4                   ? 4
           : type == b1                                 ? 1
           : type == tf32 || type == f32 || type == s32 ? 32
                                                        : 8;
}

// The bits of a small integer: of floating-point types sign, exponent and fraction.
__host__ __device__ uint64_t encode(element type, int value)
{
    const int exponent_bits = type == f16 || type == e5m2 ? 5 : type == e4m3 ? 4 : type == f64 ? 11 : 8;
    const int fraction = type == f16    ? 10
                         : type == bf16 ? 7
                         : type == e4m3 ? 3
                         : type == e5m2 ? 2
                         : type == f64  ? 52
                                        : 23;
    const uint64_t sign = value < 0, size = (uint64_t)(value < 0 ? -value : value);
    int top = 0;

    if (type >= s8 && type <= b1)
        return (uint64_t)value & ((1u << width(type)) - 1);
    if (type == s32)
        return (uint32_t)value;
    if (!size)
        return 0;
    while (size >> (top + 1))
        top++;
    return sign << (exponent_bits + fraction) | (uint64_t)(top + (1 << (exponent_bits - 1)) - 1) << fraction |
           (size << fraction >> top & ((1ull << fraction) - 1));
}

__host__ __device__ int left(element type, int row, int k)
{
    const int value = (row * 5 + k * 3 + row * k) % 5 - 2;

    return type == b1 ? value & 1 : type == u8 || type == u4 ? value + 2 : value;
}

__host__ __device__ int right(element type, int k, int column)
{
    const int value = (k * 7 + column * 2 + k * column) % 5 - 2;

    return type == b1 ? value & 1 : type == u8 || type == u4 ? value + 2 : value;
}

__host__ __device__ int addend(int row, int column)
{
    return row * 3 - column * 5;
}

__device__ void set(uint64_t *registers, element type, int i, uint64_t bits)
{
    const int each = width(type) < 32 ? 32 / width(type) : 1;

    registers[i / each] |= bits << i % each * (width(type) % 32);
}

template <typename Op> __global__ void product(int *wrong) // which is the number of elements before
{
    constexpr int left_each = width(Op::a) < 32 ? 32 / width(Op::a) : 1;
    const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    uint64_t a[8] = {}, b[4] = {}, c[4] = {}, d[4] = {};

    for (int i = 0; i < Op::m * Op::k / 32;
         i++) { // A: rows of 8 lanes' groups, one or two registers down, then along k
        const int at = i / left_each, pieces = Op::m / 8;

        set(a, Op::a, i,
            encode(Op::a, left(Op::a, group + at % pieces * 8,
                               in_group * left_each + i % left_each + at / pieces * 4 * left_each)));
    }
    for (int i = 0; i < 8 * Op::k / 32; i++)
        set(b, Op::b, i,
            encode(Op::b, right(Op::b, in_group * left_each + i % left_each + i / left_each * 4 * left_each, group)));
    for (int i = 0; i < Op::m * 8 / 32; i++)
        set(c, Op::c, i, encode(Op::c, addend(group + i / 2 * 8, in_group * 2 + i % 2)));
    Op::run(d, a, b, c);
    for (int i = 0; i < Op::m * 8 / 32; i++) {
        const int row = group + i / 2 * 8, column = in_group * 2 + i % 2;
        const int each = Op::c == f16 ? 2 : 1;
        const uint64_t got = d[i / each] >> i % each * 16 & (Op::c == f16 ? 0xffff : ~0ull);
        int sum = addend(row, column);

        for (int k = 0; k < Op::k; k++) {
            const int x = left(Op::a, row, k), y = right(Op::b, k, column);

            sum += Op::is_xor ? x ^ y : x * y;
        }
        if (got == encode(Op::c, sum))
            atomicSub(wrong, 1);
    }
}

#define R(x, i) "r"((uint32_t)x[i])
#define F(x, i) "f"(__uint_as_float((uint32_t)x[i]))
#define D(x, i) "d"(__longlong_as_double((long long)x[i]))

// NAME, m and k, types, whether it is xor; then the statement.
#define OP(NAME, M, K, A, B, C, XOR, ...)                                                                              \
    struct NAME {                                                                                                      \
        static constexpr int m = M, k = K;                                                                             \
        static constexpr element a = A, b = B, c = C;                                                                  \
        static constexpr bool is_xor = XOR;                                                                            \
        static const char *name()                                                                                      \
        {                                                                                                              \
            return #NAME;                                                                                              \
        }                                                                                                              \
        static __device__ void run(uint64_t *d, const uint64_t *x, const uint64_t *y, const uint64_t *z)               \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    };

#define OUT4(T, L, TEXT, ...)                                                                                          \
    T r[4];                                                                                                            \
    asm volatile(TEXT : L(r[0]), L(r[1]), L(r[2]), L(r[3]) : __VA_ARGS__);                                             \
    for (int i = 0; i < 4; i++)                                                                                        \
        put(d[i], r[i]);
#define OUT2(T, L, TEXT, ...)                                                                                          \
    T r[2];                                                                                                            \
    asm volatile(TEXT : L(r[0]), L(r[1]) : __VA_ARGS__);                                                               \
    for (int i = 0; i < 2; i++)                                                                                        \
        put(d[i], r[i]);

__device__ void put(uint64_t &to, float value)
{
    to = __float_as_uint(value);
}

__device__ void put(uint64_t &to, double value)
{
    to = (uint64_t)__double_as_longlong(value);
}

__device__ void put(uint64_t &to, uint32_t value)
{
    to = value;
}

#define LONG  "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
#define SHORT "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
#define FLOAT_LONG(NAME, M, K, A, B, TEXT)                                                                             \
    OP(NAME, M, K, A, B, f32, false,                                                                                   \
       OUT4(float, "=f", TEXT LONG, R(x, 0), R(x, 1), R(x, 2), R(x, 3), R(y, 0), R(y, 1), F(z, 0), F(z, 1), F(z, 2),   \
            F(z, 3)))
#define FLOAT_SHORT(NAME, M, K, A, B, TEXT)                                                                            \
    OP(NAME, M, K, A, B, f32, false,                                                                                   \
       OUT4(float, "=f", TEXT SHORT, R(x, 0), R(x, 1), R(y, 0), F(z, 0), F(z, 1), F(z, 2), F(z, 3)))
#define INT_LONG(NAME, M, K, A, B, XOR, TEXT)                                                                          \
    OP(NAME, M, K, A, B, s32, XOR,                                                                                     \
       OUT4(uint32_t, "=r", TEXT LONG, R(x, 0), R(x, 1), R(x, 2), R(x, 3), R(y, 0), R(y, 1), R(z, 0), R(z, 1),         \
            R(z, 2), R(z, 3)))
#define INT_SHORT(NAME, M, K, A, B, XOR, TEXT)                                                                         \
    OP(NAME, M, K, A, B, s32, XOR,                                                                                     \
       OUT4(uint32_t, "=r", TEXT SHORT, R(x, 0), R(x, 1), R(y, 0), R(z, 0), R(z, 1), R(z, 2), R(z, 3)))
#define INT_EIGHT(NAME, M, K, A, B, XOR, TEXT)                                                                         \
    OP(NAME, M, K, A, B, s32, XOR,                                                                                     \
       OUT2(uint32_t, "=r", TEXT "{%0, %1}, {%2}, {%3}, {%4, %5};", R(x, 0), R(y, 0), R(z, 0), R(z, 1)))

FLOAT_LONG(f16_k16, 16, 16, f16, f16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ")
FLOAT_SHORT(f16_k8, 16, 8, f16, f16, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 ")
FLOAT_LONG(bf16_k16, 16, 16, bf16, bf16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 ")
FLOAT_SHORT(bf16_k8, 16, 8, bf16, bf16, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 ")
FLOAT_LONG(tf32_k8, 16, 8, tf32, tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 ")
FLOAT_SHORT(tf32_k4, 16, 4, tf32, tf32, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 ")
FLOAT_LONG(e4m3_k32, 16, 32, e4m3, e4m3, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 ")
FLOAT_LONG(e5m2_k32, 16, 32, e5m2, e4m3, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 ")
FLOAT_SHORT(e4m3_k16, 16, 16, e4m3, e5m2, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 ")
OP(f16_k16_f16, 16, 16, f16, f16, f16, false,
   OUT2(uint32_t, "=r",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};", R(x, 0),
        R(x, 1), R(x, 2), R(x, 3), R(y, 0), R(y, 1), R(z, 0), R(z, 1)))
OP(f16_k8_f16, 16, 8, f16, f16, f16, false,
   OUT2(uint32_t, "=r", "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};", R(x, 0),
        R(x, 1), R(y, 0), R(z, 0), R(z, 1)))
OP(f64_k4_8, 8, 4, f64, f64, f64, false,
   OUT2(double, "=d", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};", D(x, 0),
        D(y, 0), D(z, 0), D(z, 1)))
OP(f64_k16, 16, 16, f64, f64, f64, false,
   OUT4(double, "=d",
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
        "{%12, %13, %14, %15}, {%16, %17, %18, %19};",
        D(x, 0), D(x, 1), D(x, 2), D(x, 3), D(x, 4), D(x, 5), D(x, 6), D(x, 7), D(y, 0), D(y, 1), D(y, 2), D(y, 3),
        D(z, 0), D(z, 1), D(z, 2), D(z, 3)))
INT_LONG(s8_k32, 16, 32, s8, s8, false, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 ")
INT_LONG(u8_s8_k32, 16, 32, u8, s8, false, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 ")
INT_SHORT(s8_u8_k16, 16, 16, s8, u8, false, "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 ")
INT_EIGHT(s8_k16_8, 8, 16, s8, s8, false, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 ")
INT_LONG(s4_k64, 16, 64, s4, s4, false, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 ")
INT_SHORT(u4_s4_k32, 16, 32, u4, s4, false, "mma.sync.aligned.m16n8k32.row.col.s32.u4.s4.s32 ")
INT_EIGHT(s4_k32_8, 8, 32, s4, u4, false, "mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 ")
INT_LONG(b1_xor_k256, 16, 256, b1, b1, true, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc ")
INT_SHORT(b1_and_k128, 16, 128, b1, b1, false, "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc ")
INT_EIGHT(b1_xor_k128_8, 8, 128, b1, b1, true, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc ")

static int right_products = 0;

template <typename Op> void check()
{
    int *wrong, count = Op::m * 8;

    cudaMalloc(&wrong, sizeof *wrong);
    cudaMemcpy(wrong, &count, sizeof count, cudaMemcpyHostToDevice);
    product<Op><<<1, 32>>>(wrong);
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
    check_all<f16_k16, f16_k8, bf16_k16, bf16_k8, tf32_k8, tf32_k4, e4m3_k32, e5m2_k32, e4m3_k16, f16_k16_f16,
              f16_k8_f16, f64_k4_8, f64_k16, s8_k32, u8_s8_k32, s8_u8_k16, s8_k16_8, s4_k64, u4_s4_k32, s4_k32_8,
              b1_xor_k256, b1_and_k128, b1_xor_k128_8>();
    // What `encode` makes, by hand: the sums are compared with its results, too.
    const bool encodes = encode(f16, 5) == 0x4500 && encode(bf16, -3) == 0xc040 && encode(f32, 6) == 0x40c00000 &&
                         encode(tf32, -1) == 0xbf800000 && encode(f64, 3) == 0x4008000000000000 &&
                         encode(e4m3, 2) == 0x40 && encode(e5m2, -2) == 0xc0 && encode(f16, 0) == 0;

    return !(encodes && right_products == 23);
}
