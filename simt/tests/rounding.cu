// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Directed rounding, held against exact arithmetic: a product of two floats and the sum of two near ones are exact in
// double; of the rest it is checked that down <= nearest <= up, one step apart, and that towards zero is one of the two.
#include <cmath>
#include <cstring>

struct results {
    float sum[4], product[4], quotient[4], root[4], fused[4], of_long[4], of_double[4], of_int[4];
    double wide[4], wide_long[4], wide_root[4];
};

#define ALL(field, name, ...)                                                                                          \
    r.field[0] = name##_rn(__VA_ARGS__), r.field[1] = name##_rz(__VA_ARGS__), r.field[2] = name##_ru(__VA_ARGS__),      \
    r.field[3] = name##_rd(__VA_ARGS__)

__global__ void compute(const float *a, const float *b, results *all, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        results &r = all[i];
        float x = a[i], y = b[i];
        long long l = (long long)(x * 0x1p40f) * 1048573 + i;

        ALL(sum, __fadd, x, y);
        ALL(product, __fmul, x, y);
        ALL(quotient, __fdiv, x, y);
        ALL(root, __fsqrt, fabsf(x));
        ALL(fused, __fmaf, x, y, -x);
        ALL(of_long, __ll2float, l);
        ALL(of_int, __int2float, (int)l);
        ALL(of_double, __double2float, (double)x / y);
        ALL(wide, __ddiv, (double)x, (double)y);
        ALL(wide_long, __ll2double, l);
        ALL(wide_root, __dsqrt, fabs((double)x));
    }
}

template <typename T> static bool consistent(const T *r)
{
    T nearest = r[0], zero = r[1], up = r[2], down = r[3];

    return down <= nearest && nearest <= up && (up == down || std::nextafter(down, (T)INFINITY) == up) &&
           zero == (nearest > 0 ? down : up) && (nearest == up || nearest == down);
}

/* `exact` is the result before rounding. */
static bool right(const float *r, double exact)
{
    return consistent(r) && r[3] <= exact && exact <= r[2] && (r[2] == r[3]) == ((double)r[0] == exact);
}

static bool bits_are(float x, unsigned bits)
{
    return memcmp(&x, &bits, sizeof x) == 0;
}

__global__ void edges(float *out)
{
    out[0] = __fadd_rd(1.0f, -1.0f);
    out[1] = __fadd_ru(1.0f, -1.0f);
    out[2] = __ull2float_rd(0);
    out[3] = __fmul_rz(3e38f, 3e38f);
    out[4] = __fmul_ru(1e-45f, 1e-45f);
    out[5] = __ull2float_ru(~0ull);
    out[6] = __ull2float_rz(~0ull);
    out[7] = __fsub_rd(0.0f, 0.0f);
    out[8] = __frcp_ru(3.0f);
    out[9] = (float)__ull2double_rd(0);
}

int main()
{
    const int n = 500;
    float a[n], b[n], *device_a, *device_b, out[10], *device_out;
    static results all[n];
    results *device;
    unsigned random = 1;

    for (int i = 0; i < n; i++) {
        random = random * 1664525 + 1013904223;
        a[i] = (float)(int)random * 0x1p-31f * (1 + (i & 7));
        random = random * 1664525 + 1013904223;
        b[i] = (float)(int)(random | 1) * 0x1p-33f;
    }
    cudaMalloc(&device_a, sizeof a);
    cudaMalloc(&device_b, sizeof b);
    cudaMalloc(&device, sizeof all);
    cudaMalloc(&device_out, sizeof out);
    cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice);
    compute<<<1, 64>>>(device_a, device_b, device, n);
    edges<<<1, 1>>>(device_out);
    cudaMemcpy(all, device, sizeof all, cudaMemcpyDeviceToHost);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        const results &r = all[i];
        long long l = (long long)(a[i] * 0x1p40f) * 1048573 + i;

        if (!right(r.sum, (double)a[i] + b[i]) || !right(r.product, (double)a[i] * b[i]))
            return 1;
        if (!consistent(r.quotient) || !consistent(r.root) || !consistent(r.fused) || !consistent(r.of_long) ||
            !right(r.of_double, (double)a[i] / b[i]) || !right(r.of_int, (int)l))
            return 2;
        if (!consistent(r.wide) || !consistent(r.wide_long) || !consistent(r.wide_root))
            return 3;
        if (r.wide[3] == r.wide[2] && r.wide[0] * b[i] != a[i])
            return 4; /* exact, it says */
    }
    const unsigned expected[] = {0x80000000, 0, 0, 0x7f7fffff, 1, 0x5f800000, 0x5f7fffff, 0x80000000, 0x3eaaaaab, 0};
    for (int i = 0; i < 10; i++)
        if (!bits_are(out[i], expected[i]))
            return 10 + i;
    return 0;
}
