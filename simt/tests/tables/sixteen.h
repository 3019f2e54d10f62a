// SPDX-License-Identifier: BSD-2-Clause
//
// Numbers of 16 bits in tables: what sixteen.cu and sixteen_gpu.cu share before their rows. sixteen_run.h is what follows them.
#ifndef SIMT_TABLES_SIXTEEN_H
#define SIMT_TABLES_SIXTEEN_H

#include "table.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef __half h;
typedef __nv_bfloat16 b16;

template <> constexpr Kind kind<h>()
{
    return U32;
}
template <> constexpr Kind kind<b16>()
{
    return U32;
}
template <> TABLE_BOTH h get<h>(u64 bits)
{
    return __ushort_as_half((unsigned short)bits);
}
template <> TABLE_BOTH b16 get<b16>(u64 bits)
{
    return __ushort_as_bfloat16((unsigned short)bits);
}
template <> TABLE_BOTH u64 put<h>(h value)
{
    return __half_as_ushort(value);
}
template <> TABLE_BOTH u64 put<b16>(b16 value)
{
    return __bfloat16_as_ushort(value);
}

namespace
{

TABLE_BOTH u32 word(__half2 v)
{
    return (u32)__half_as_ushort(__low2half(v)) | (u32)__half_as_ushort(__high2half(v)) << 16;
}

TABLE_BOTH u32 word(__nv_bfloat162 v)
{
    return (u32)__bfloat16_as_ushort(__low2bfloat16(v)) | (u32)__bfloat16_as_ushort(__high2bfloat16(v)) << 16;
}

TABLE_BOTH __half2 pair(h x, h y)
{
    return __halves2half2(x, y);
}

TABLE_BOTH __nv_bfloat162 pair(b16 x, b16 y)
{
    return __halves2bfloat162(x, y);
}

TABLE_BOTH u32 bit(bool v)
{
    return v;
}

} // namespace

#endif
