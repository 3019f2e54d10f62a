/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of 16 bits as IEEE 754 has them: 10 bits of fraction, 5 of exponent.
 */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "simt_sixteen.h"

#define __CUDA_FP16_TYPES_EXIST__

SIMT_SIXTEEN_TYPES(__half, __half2, __nv_bfloat16, half_bits, half_value)
SIMT_SIXTEEN_CONVERSIONS(__half, __half2, half)
#ifndef __CUDA_NO_HALF_OPERATORS__
SIMT_SIXTEEN_OPERATORS(__half, __half2)
#endif

/* Templates are not asked about what converts to __half, as PyTorch's type does. */
SIMT_INLINE __half __hneg(__half a)
{
    return __hneg<__half>(a);
}

SIMT_INLINE __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}

typedef __half nv_half;
typedef __half __nv_half;
typedef __half_raw __nv_half_raw;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;
typedef __half2_raw __nv_half2_raw;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#define CUDART_INF_FP16        __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16        __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16       __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16        __ushort_as_half((unsigned short)0x3C00U)
#endif

#endif
