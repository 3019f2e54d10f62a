// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Conversions of half and bfloat16 in every rounding mode. The digests are those of CUDA 13.0's host functions for the same
// arguments: all numbers of 16 bits, and every 65521st pattern of a float, as float, as double and as integers.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static unsigned long long digest;

static void mix(unsigned v)
{
    digest = (digest ^ v) * 0x100000001b3;
}

static unsigned bits(__half v)
{
    return ((__half_raw)v).x;
}

/* A type of another library, which converts to __half: its conversion is found. */
struct other_half
{
    __half value;

    operator __half() const
    {
        return value;
    }
};

static unsigned bits(__nv_bfloat16 v)
{
    return ((__nv_bfloat16_raw)v).x;
}

static void from_sixteen()
{
    for (unsigned i = 0; i < 65536; i++) {
        __half h(__half_raw{(unsigned short)i});
        __nv_bfloat16 b(__nv_bfloat16_raw{(unsigned short)i});
        float f = __half2float(h);
        unsigned u;

        memcpy(&u, &f, sizeof u);
        mix(u);
        mix((unsigned)__half2int_rz(h));
        mix(__half2uint_rz(h));
        mix((unsigned)__half2ll_rz(h));
        mix((unsigned)__half2short_rz(h));
        mix((unsigned)__half2char_rz(h));
        mix(__half2uchar_rz(h));
        mix((unsigned)__bfloat162int_rz(b));
        mix((unsigned)__bfloat162ull_rz(b));
        mix(bits(__hneg(other_half{h})));
        mix(bits(__hadd(h, __half(1.25f))));
    }
}

static void to_sixteen()
{
    for (unsigned long long i = 0; i < 1ull << 32; i += 65521) {
        unsigned u = (unsigned)i;
        unsigned long long wide = i * 0x9e3779b97f4a7c15;
        float f;

        memcpy(&f, &u, sizeof f);
        mix(bits(__float2half_rn(f)));
        mix(bits(__float2half_rz(f)));
        mix(bits(__float2half_ru(f)));
        mix(bits(__float2half_rd(f)));
        mix(bits(__float2bfloat16_rn(f)));
        mix(bits(__float2bfloat16_rz(f)));
        mix(bits(__float2bfloat16_ru(f)));
        mix(bits(__float2bfloat16_rd(f)));
        mix(bits(__double2half((double)f * 1.0000000001)));
        mix(bits(__int2half_rn((int)u)));
        mix(bits(__uint2half_rn(u)));
        mix(bits(__ull2half_rn(wide)));
        mix(bits(__ll2bfloat16_rn((long long)wide)));
        mix(bits(__uint2bfloat16_rn(u)));
    }
}

static void between()
{
    for (unsigned i = 0; i < 65536; i++) {
        __half h(__half_raw{(unsigned short)i});
        __nv_bfloat16 b(__nv_bfloat16_raw{(unsigned short)i});

        mix(bits(static_cast<__nv_bfloat16>(h)));
        mix(bits(static_cast<__half>(b)));
    }
}

int main()
{
    from_sixteen();
    printf("%llx\n", digest);
    unsigned long long first = digest;
    to_sixteen();
    printf("%llx\n", digest);
    unsigned long long second = digest;
    between();
    printf("%llx\n", digest);
    unsigned odd = bits(__ull2bfloat16_rn((1ull << 60) + (1ull << 52) + 1)); // just above the middle of two numbers
    printf("%x\n", odd);
    return odd != 0x5d81 || first != 0xf4d5509139d4ad67 || second != 0x373324cd98be6df8 ||
           digest != 0xa80b12ff4ce39a34;
}
