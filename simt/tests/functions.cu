// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Functions that C does not have: inverses are undone by their functions, others have known values; and the
// functions on parts of a word against loops over the parts.
#include <cmath>

// As newer C libraries declare them, which have functions of C23.
extern "C" double sinpi(double) noexcept, cospi(double) noexcept, rsqrt(double) noexcept;
extern "C" float sinpif(float) noexcept, cospif(float) noexcept, rsqrtf(float) noexcept;

__device__ int failed;

__device__ void expect(bool good, int line)
{
    if (!good)
        atomicCAS(&failed, 0, line);
}
#define EXPECT(condition) expect(condition, __LINE__)

__device__ bool near(double a, double b, double tolerance = 4e-15)
{
    return fabs(a - b) <= tolerance * fabs(b);
}

__global__ void known()
{
    double s, c;
    float one[1] = {-3};

    for (double y = 1e-9; y < 0.999; y = y * 1.7 + 0.001) {
        EXPECT(near(erf(erfinv(y)), y) && near(erf(erfinv(-y)), -y));
        EXPECT(near(erfc(erfcinv(y)), y, 1e-13) && near(erfc(erfcinv(2 - y)), 2 - y));
        EXPECT(near(normcdf(normcdfinv(y)), y, 1e-13));
    }
    EXPECT(near(erfc(erfcinv(1e-250)), 1e-250, 2e-12) && near(normcdfinv(0.975), 1.959963984540054));
    EXPECT(erfinv(1.0) == INFINITY && erfcinv(0.0) == INFINITY && isnan(erfinv(1.5)) && normcdfinv(0.5) == 0);
    EXPECT(near(erfcx(1.0), 0.427583576155807) && near(erfcx(30.0), 0.018795888861416752));
    EXPECT(near(erfcx(24.999999), erfcx(25.000001), 1e-6) && near(normcdf(-3.0), 0.0013498980316300946));
    EXPECT(near(cyl_bessel_i0(1.0), 1.2660658777520084) && near(cyl_bessel_i1(1.0), 0.5651591039924851));
    EXPECT(near(cyl_bessel_i0(100.0), 1.0737517071310738e42, 1e-14) && cyl_bessel_i1(-1.0) == -cyl_bessel_i1(1.0));
    EXPECT(sinpi(1.0) == 0 && cospi(0.5) == 0 && sinpi(0.5) == 1 && cospi(1.0) == -1 && sinpi(-1.5) == 1);
    EXPECT(near(sinpi(1.0 / 6), 0.5) && near(cospi(1e6 + 1.0 / 3), 0.5, 1e-9) && isnan(sinpi(INFINITY)));
    sincospi(0.25, &s, &c);
    EXPECT(near(s, c) && near(s, sqrt(0.5)));
    EXPECT(near(rcbrt(27.0), 1.0 / 3) && near(rhypot(3.0, 4.0), 0.2) && near(norm3d(2.0, 3.0, 6.0), 7));
    EXPECT(near(norm4d(1e300, 1e300, 1e300, 1e300), 2e300) && norm3d(NAN, -INFINITY, 1.0) == INFINITY);
    EXPECT(near(rnorm3df(2, 3, 6), 1.0 / 7, 1e-6) && near(normf(1, one), 3));
}

template <typename T, typename F> __device__ unsigned parts(unsigned a, unsigned b, F f)
{
    unsigned result = 0;

    for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T)) {
        unsigned part = (unsigned)f((int)(T)(a >> shift), (int)(T)(b >> shift));

        result |= (sizeof(T) == 1 ? part & 0xff : part & 0xffff) << shift;
    }
    return result;
}

__global__ void words()
{
    unsigned a = 12345, b = 777;

    for (int i = 0; i < 500; i++) {
        a = a * 1664525 + 1013904223;
        b = (b ^ a >> 7) * 22695477 + 1;
        EXPECT(__vadd4(a, b) == parts<unsigned char>(a, b, [](int x, int y) { return x + y; }));
        EXPECT(__vsub2(a, b) == parts<unsigned short>(a, b, [](int x, int y) { return x - y; }));
        EXPECT(__vaddss4(a, b) == parts<signed char>(a, b, [](int x, int y) { return max(-128, min(127, x + y)); }));
        EXPECT(__vsubus2(a, b) == parts<unsigned short>(a, b, [](int x, int y) { return max(0, x - y); }));
        EXPECT(__vcmpgts4(a, b) == parts<signed char>(a, b, [](int x, int y) { return x > y ? -1 : 0; }));
        EXPECT(__vsetleu2(a, b) == parts<unsigned short>(a, b, [](int x, int y) { return x <= y; }));
        EXPECT(__vmaxs2(a, b) == parts<short>(a, b, [](int x, int y) { return x > y ? x : y; }));
        EXPECT(__vabsdiffu4(a, b) == parts<unsigned char>(a, b, [](int x, int y) { return abs(x - y); }));
        EXPECT(__vavgu4(a, b) == parts<unsigned char>(a, b, [](int x, int y) { return (x + y + 1) / 2; }));
        EXPECT(__vsadu2(a, b) ==
               (unsigned)abs((int)(a & 0xffff) - (int)(b & 0xffff)) + (unsigned)abs((int)(a >> 16) - (int)(b >> 16)));
        EXPECT(__vabsss2(a & 0xffff0000u) == (a >> 16 == 0x8000 ? 0x7fff0000u : __vabs2(a & 0xffff0000u)));
        EXPECT(__viaddmax_s32((int)a, (int)b, 5) == max((int)(a + b), 5));
        EXPECT(__vimin3_u16x2(a, b, ~a) == __vminu2(__vminu2(a, b), ~a));
        EXPECT(__dp2a_lo(0x00020003u, 0x0405u, 7u) == 2 * 4 + 3 * 5 + 7);
        EXPECT(__dp2a_hi(-1, 0x02030000, 0) == -5);
    }
}

int main()
{
    int line;

    known<<<1, 1>>>();
    words<<<1, 1>>>();
    if (cudaMemcpyFromSymbol(&line, failed, sizeof line) != cudaSuccess)
        return 1;
    return line;
}
