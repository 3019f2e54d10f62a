/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of 8 bits: E4M3, E5M2, and E8M0, which holds powers of two and no sign. Each conversion gives the bits that
 * CUDA 13's gives. simt_small.h has the rules.
 */
#ifndef SIMT_CUDA_FP8_H
#define SIMT_CUDA_FP8_H

#include "simt_small.h"

#ifdef __cplusplus

#define __CUDA_FP8_TYPES_EXIST__

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace simt
{

SIMT_INLINE unsigned eight_bits(double v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return eight_bits(v, saturate == __NV_SATFINITE, kind == __NV_E4M3 ? e4m3 : e5m2);
}

} // namespace simt

SIMT_INLINE __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind)
{
    return __half_raw{simt::half_of_eight(x, kind == __NV_E4M3 ? simt::e4m3 : simt::e5m2)};
}

SIMT_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t kind)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

SIMT_SMALL_FROM(fp8, __nv_fp8_storage_t, __nv_fp8x2_storage_t, 8,
                (const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind), (saturate, kind),
                simt::eight_bits)
SIMT_SMALL_FORMAT(small_e4m3, fp8, __nv_fp8_storage_t, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8, 0x7f,
                  __NV_SATFINITE, __NV_E4M3)
SIMT_SMALL_FORMAT(small_e5m2, fp8, __nv_fp8_storage_t, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8, 0x7f,
                  __NV_SATFINITE, __NV_E5M2)

namespace simt
{

inline __half small_e4m3::half(storage code)
{
    return __half(__nv_cvt_fp8_to_halfraw(code, __NV_E4M3));
}

inline __half small_e5m2::half(storage code)
{
    return __half(__nv_cvt_fp8_to_halfraw(code, __NV_E5M2));
}

/* Code c is 2 to the power of c - 127; 255 is not a number. The sign is lost. `mode` is cudaRoundZero or
 * cudaRoundPosInf. Too large, a finite number becomes the largest when it is rounded to zero. */
SIMT_INLINE unsigned power_bits(double v, __nv_saturation_t saturate, enum cudaRoundMode mode)
{
    int exponent = exponent_of(v);
    bool exact = (__builtin_bit_cast(uint64_t, v) & 0xfffffffffffff) == 0;
    int code = exponent + 127 + (mode == cudaRoundPosInf && !exact);

    if (v != v)
        return 255;
    if (exponent < -127)
        code = 0;
    if (code > 254)
        code = saturate == __NV_SATFINITE || (mode == cudaRoundZero && !__builtin_isinf(v)) ? 254 : 255;
    return (unsigned)code;
}

} // namespace simt

SIMT_SMALL_FROM(e8m0, __nv_fp8_storage_t, __nv_fp8x2_storage_t, 8,
                (const __nv_saturation_t saturate, const enum cudaRoundMode rounding), (saturate, rounding),
                simt::power_bits)

SIMT_INLINE __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw x,
                                                                 const __nv_saturation_t saturate,
                                                                 const enum cudaRoundMode rounding)
{
    return __nv_cvt_bfloat16raw2_to_e8m0x2(x, saturate, rounding);
}

SIMT_INLINE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x)
{
    return __nv_bfloat16_raw{(unsigned short)(x == 255 ? 0x7fff : x == 0 ? 0x40 : x << 7)};
}

SIMT_INLINE __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
                              __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}

SIMT_SMALL_FORMAT(small_e8m0_base, e8m0, __nv_fp8_storage_t, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8, 0xff,
                  __NV_SATFINITE, cudaRoundPosInf)

namespace simt
{

struct small_e8m0 : small_e8m0_base {
    template <typename _I> static storage from_integer(_I v)
    {
        return from(odd_integer(v < 0 ? 0 - (uint64_t)v : (uint64_t)v, false));
    }
    static float value(storage code)
    {
        return bfloat16_value(__nv_cvt_e8m0_to_bf16raw(code).x);
    }
    static __half half(storage code)
    {
        return __half(value(code));
    }
    static bool is_true(storage)
    {
        return true; /* there is no zero */
    }
};

} // namespace simt

SIMT_SMALL_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, simt::small_e4m3)
SIMT_SMALL_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, simt::small_e5m2)
SIMT_SMALL_TYPES(__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0, simt::small_e8m0)

#endif

#endif
