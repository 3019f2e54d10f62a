/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of 16 bits that are the upper half of a float: 7 bits of fraction, 8 of exponent.
 */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include "cuda_fp16.h"

#ifdef __cplusplus
#include "simt_sixteen.h"

#define __CUDA_BF16_TYPES_EXIST__

SIMT_SIXTEEN_TYPES(__nv_bfloat16, __nv_bfloat162, __half, bfloat16_bits, bfloat16_value)
SIMT_SIXTEEN_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
SIMT_SIXTEEN_OPERATORS(__nv_bfloat16, __nv_bfloat162)
#endif

SIMT_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}

inline __nv_bfloat16::__nv_bfloat16(const __half v) : __x(simt::bfloat16_bits((double)(float)v, SIMT_NEAREST))
{
}

inline __half::__half(const __nv_bfloat16 v) : __x(simt::half_bits((double)(float)v, SIMT_NEAREST))
{
}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16        __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16        __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16   __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16        __ushort_as_bfloat16((unsigned short)0x3F80U)
#endif

#endif
