/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of 6 bits: E2M3 and E3M2, each in the low bits of a byte. simt_small.h has the rules.
 */
#ifndef SIMT_CUDA_FP6_H
#define SIMT_CUDA_FP6_H

#include "cuda_fp8.h"

#ifdef __cplusplus

#define __CUDA_FP6_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

namespace simt
{

SIMT_INLINE unsigned six_bits(double v, __nv_fp6_interpretation_t kind, enum cudaRoundMode mode)
{
    return small_bits(v, kind == __NV_E2M3 ? e2m3 : e3m2, mode);
}

} // namespace simt

SIMT_INLINE __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t kind)
{
    return __half_raw{simt::half_bits(simt::small_value(x, kind == __NV_E2M3 ? simt::e2m3 : simt::e3m2))};
}

SIMT_INLINE __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t kind)
{
    return __half2_raw{__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)x, kind).x,
                       __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x >> 8), kind).x};
}

SIMT_SMALL_FROM(fp6, __nv_fp6_storage_t, __nv_fp6x2_storage_t, 8,
                (const __nv_fp6_interpretation_t kind, const enum cudaRoundMode rounding), (kind, rounding),
                simt::six_bits)
SIMT_SMALL_FORMAT(small_e2m3, fp6, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, 8, 0x1f, __NV_E2M3,
                  cudaRoundNearest)
SIMT_SMALL_FORMAT(small_e3m2, fp6, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, 8, 0x1f, __NV_E3M2,
                  cudaRoundNearest)

namespace simt
{

inline __half small_e2m3::half(storage code)
{
    return __half(__nv_cvt_fp6_to_halfraw(code, __NV_E2M3));
}

inline __half small_e3m2::half(storage code)
{
    return __half(__nv_cvt_fp6_to_halfraw(code, __NV_E3M2));
}

} // namespace simt

SIMT_SMALL_TYPES(__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, simt::small_e2m3)
SIMT_SMALL_TYPES(__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, simt::small_e3m2)

#endif

#endif
