/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of 4 bits: E2M1. A single one is in the low bits of a byte; of a pair, the second is in the upper bits.
 * simt_small.h has the rules.
 */
#ifndef SIMT_CUDA_FP4_H
#define SIMT_CUDA_FP4_H

#include "cuda_fp6.h"

#ifdef __cplusplus

#define __CUDA_FP4_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

namespace simt
{

SIMT_INLINE unsigned four_bits(double v, __nv_fp4_interpretation_t, enum cudaRoundMode mode)
{
    return small_bits(v, e2m1, mode);
}

} // namespace simt

SIMT_INLINE __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t)
{
    return __half_raw{simt::half_bits(simt::small_value(x & 15u, simt::e2m1))};
}

SIMT_INLINE __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x, const __nv_fp4_interpretation_t kind)
{
    return __half2_raw{__nv_cvt_fp4_to_halfraw(x, kind).x,
                       __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), kind).x};
}

SIMT_SMALL_FROM(fp4, __nv_fp4_storage_t, __nv_fp4x2_storage_t, 4,
                (const __nv_fp4_interpretation_t kind, const enum cudaRoundMode rounding), (kind, rounding),
                simt::four_bits)
SIMT_SMALL_FORMAT(small_e2m1, fp4, __nv_fp4_storage_t, __nv_fp4x2_storage_t, __nv_fp4x4_storage_t, 4, 7, __NV_E2M1,
                  cudaRoundNearest)

namespace simt
{

inline __half small_e2m1::half(storage code)
{
    return __half(__nv_cvt_fp4_to_halfraw(code, __NV_E2M1));
}

} // namespace simt

SIMT_SMALL_TYPES(__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, simt::small_e2m1)

#endif

#endif
