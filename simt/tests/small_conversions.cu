// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Numbers of 8, 6 and 4 bits. The digests are those of CUDA 13.0's host functions for the same arguments: all codes, all
// numbers of 16 bits, floats around every value of 16 bits and every 65521st pattern of a float, doubles beside them, integers.
#include <cstdio>
#include <cstring>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

static unsigned long long digest;
static bool wrong;

static void mix(unsigned long long v)
{
    digest = (digest ^ v) * 0x100000001b3;
}

template <typename To, typename From> static To same_bits(From v)
{
    static_assert(sizeof(To) == sizeof(From), "");
    To to;

    memcpy(&to, &v, sizeof to);
    return to;
}

static void mix_half(__half v)
{
    mix(((__half_raw)v).x);
}

// All that a number can be converted to. The digests are of a signed char; that of aarch64 has no sign.
template <typename T> static void widen(unsigned char code)
{
    T v;

    v.__x = code;
    mix_half((__half)v);
    mix(((__nv_bfloat16_raw)(__nv_bfloat16)v).x);
    mix(same_bits<unsigned>((float)v));
    mix(same_bits<unsigned long long>((double)v));
    mix((unsigned char)(signed char)v);
    mix((unsigned char)v);
    mix((unsigned char)(signed char)v);
    wrong |= (char)v != ((char)-1 < 0 ? (char)(signed char)v : (char)(unsigned char)v);
    mix((unsigned short)(short)v);
    mix((unsigned short)v);
    mix((unsigned)(int)v);
    mix((unsigned)v);
    mix((unsigned long long)(long)v);
    mix((unsigned long long)(long long)v);
    mix((unsigned long)v);
    mix((unsigned long long)v);
    mix((bool)v);
}

template <typename T2> static void widen_pair(unsigned codes)
{
    T2 v;

    v.__x = (decltype(v.__x))codes;
    __half2 halves = (__half2)v;
    float2 floats = (float2)v;
    mix_half(halves.x);
    mix_half(halves.y);
    mix(same_bits<unsigned>(floats.x));
    mix(same_bits<unsigned>(floats.y));
}

template <typename T4> static void widen_quadruple(unsigned codes)
{
    T4 v;

    v.__x = (decltype(v.__x))codes;
    float4 floats = (float4)v;
    mix(same_bits<unsigned>(floats.x));
    mix(same_bits<unsigned>(floats.y));
    mix(same_bits<unsigned>(floats.z));
    mix(same_bits<unsigned>(floats.w));
}

template <typename T, typename T2, typename T4> static void from_codes()
{
    for (unsigned i = 0; i < 256; i++) {
        widen<T>((unsigned char)i);
        widen_pair<T2>(i * 0x9d);
        widen_quadruple<T4>(i * 0x9e3779b1);
    }
}

// All that makes a pair or a quadruple.
template <typename T, typename T2, typename T4> static void compose()
{
    for (unsigned i = 0; i < 4096; i++) {
        unsigned a = i * 0x9e3779b1, b = a * 0x9e3779b1 + 1;
        __half2 h(__half(__half_raw{(unsigned short)a}), __half(__half_raw{(unsigned short)b}));
        __nv_bfloat162 g(__nv_bfloat16(__nv_bfloat16_raw{(unsigned short)a}),
                         __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)b}));
        float x = (float)(int)a / (float)(1 << i % 31), y = (float)(int)b / (float)(1 << i % 29);

        mix(T2(h).__x);
        mix(T2(g).__x);
        mix(T2(make_float2(x, y)).__x);
        mix(T2(make_double2(y, x)).__x);
        mix(T4(h, h).__x);
        mix(T4(g, g).__x);
        mix(T4(make_float4(x, y, y, -x)).__x);
        mix(T4(make_double4_16a(x, y, -y, x)).__x);
    }
}

template <typename T> static void from_integer(unsigned long long v)
{
    mix(T((short)v).__x);
    mix(T((unsigned short)v).__x);
    mix(T((int)v).__x);
    mix(T((unsigned)v).__x);
    mix(T((long)v).__x);
    mix(T((unsigned long)v).__x);
    mix(T((long long)v).__x);
    mix(T(v).__x);
}

template <typename T> static void from_integers()
{
    for (unsigned i = 0; i < 4096; i++)
        from_integer<T>(i < 256 ? i : (unsigned long long)i * 0x9e3779b97f4a7c15 >> i % 64);
    for (unsigned i = 0; i < 64; i++) {
        from_integer<T>(1ull << i);
        from_integer<T>((1ull << i) - 1);
        from_integer<T>((1ull << i) + 1);
    }
}

static void mix_float(float v)
{
    mix(__nv_cvt_float_to_fp8(v, __NV_NOSAT, __NV_E4M3));
    mix(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, __NV_E4M3));
    mix(__nv_cvt_float_to_fp8(v, __NV_NOSAT, __NV_E5M2));
    mix(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, __NV_E5M2));
    mix(__nv_cvt_float_to_e8m0(v, __NV_NOSAT, cudaRoundZero));
    mix(__nv_cvt_float_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf));
    mix(__nv_cvt_float_to_fp6(v, __NV_E2M3, cudaRoundNearest));
    mix(__nv_cvt_float_to_fp6(v, __NV_E2M3, cudaRoundZero));
    mix(__nv_cvt_float_to_fp6(v, __NV_E3M2, cudaRoundNearest));
    mix(__nv_cvt_float_to_fp6(v, __NV_E3M2, cudaRoundZero));
    mix(__nv_cvt_float_to_fp4(v, __NV_E2M1, cudaRoundNearest));
    mix(__nv_cvt_float_to_fp4(v, __NV_E2M1, cudaRoundZero));
}

static void mix_double(double v)
{
    mix(__nv_cvt_double_to_fp8(v, __NV_NOSAT, __NV_E4M3));
    mix(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, __NV_E4M3));
    mix(__nv_cvt_double_to_fp8(v, __NV_NOSAT, __NV_E5M2));
    mix(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, __NV_E5M2));
    mix(__nv_cvt_double_to_e8m0(v, __NV_NOSAT, cudaRoundZero));
    mix(__nv_cvt_double_to_e8m0(v, __NV_NOSAT, cudaRoundPosInf));
    mix(__nv_cvt_double_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf));
    mix(__nv_cvt_double_to_fp6(v, __NV_E2M3, cudaRoundNearest));
    mix(__nv_cvt_double_to_fp6(v, __NV_E3M2, cudaRoundZero));
    mix(__nv_cvt_double_to_fp4(v, __NV_E2M1, cudaRoundNearest));
}

static void from_sixteen()
{
    for (unsigned i = 0; i < 65536; i++) {
        __half_raw h = {(unsigned short)i};
        __nv_bfloat16_raw b = {(unsigned short)i};

        mix(__nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E4M3));
        mix(__nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E5M2));
        mix(__nv_cvt_halfraw_to_fp6(h, __NV_E2M3, cudaRoundNearest));
        mix(__nv_cvt_halfraw_to_fp4(h, __NV_E2M1, cudaRoundNearest));
        mix(__nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, __NV_E5M2));
        mix(__nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __NV_E4M3));
        mix(__nv_cvt_bfloat16raw_to_e8m0(b, __NV_NOSAT, cudaRoundZero));
        mix(__nv_cvt_bfloat16raw_to_e8m0(b, __NV_SATFINITE, cudaRoundPosInf));
        mix(__nv_cvt_bfloat16raw_to_fp6(b, __NV_E3M2, cudaRoundZero));
        mix(__nv_cvt_bfloat16raw_to_fp4(b, __NV_E2M1, cudaRoundNearest));
        mix(__nv_fp8_e8m0(__half(h)).__x);
        mix(__nv_fp8_e8m0(__nv_bfloat16(b)).__x);
    }
}

static void from_wider()
{
    static const unsigned low[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};

    for (unsigned i = 0; i < 65536; i++)
        mix_float(same_bits<float>(i << 16 | low[i % 6]));
    for (unsigned long long i = 0; i < 1ull << 32; i += 65521)
        mix_float(same_bits<float>((unsigned)i));
    for (unsigned i = 0; i < 65536; i++) {
        unsigned long long bits = (unsigned long long)i << 48;

        mix_double(same_bits<double>(bits | (i % 3 ? 0xffffffffffffull : 0)));
        mix_double((double)same_bits<float>(i << 16) * (1 + (i % 3 - 1.0) * 0x1p-50));
    }
}

static void expect(const char *what, unsigned long long expected)
{
    printf("%s %#llx\n", what, digest);
    wrong |= digest != expected;
    digest = 0;
}

template <typename T, typename T2, typename T4> static void all_of(const char *name, unsigned long long expected)
{
    from_codes<T, T2, T4>();
    compose<T, T2, T4>();
    from_integers<T>();
    expect(name, expected);
}

int main()
{
    all_of<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>("e4m3", 0x26e7dcc09590b4a5);
    all_of<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>("e5m2", 0x163c43e2f3d1ae2f);
    all_of<__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0>("e8m0", 0x21f615c1f0211772);
    all_of<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>("e2m3", 0x2efbd1bade1e7fb1);
    all_of<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>("e3m2", 0xbae5f6712f92e344);
    all_of<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>("e2m1", 0x28be197619e15c19);
    from_sixteen();
    expect("from 16 bits", 0xee7ced21cdba61e8);
    from_wider();
    expect("from wider", 0xff5393f902992588);
    return wrong;
}
