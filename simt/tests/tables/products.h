// SPDX-License-Identifier: BSD-2-Clause
//
// What the tables of matrix products draw their operands from.
#ifndef PRODUCTS_H
#define PRODUCTS_H

#include "table.h"

namespace
{

// Numbers of a type: of the bits of each exponent the lowest three stay, and the upper ones are set.
template <u32 EXPONENTS, u32 THREE, u32 BASE> struct limited {
    static __device__ u32 word(u32 bits)
    {
        return (bits & ~(EXPONENTS & ~THREE)) | BASE;
    }
};

typedef limited<0x7c007c00, 0x1c001c00, 0x20002000> f16;
typedef limited<0x7f807f80, 0x03800380, 0x3c003c00> bf16;
typedef limited<0x7f800000, 0x03800000, 0x3c000000> tf32;
typedef limited<0x78787878, 0x38383838, 0> e4m3;
typedef limited<0x7c7c7c7c, 0x1c1c1c1c, 0x20202020> e5m2;
typedef limited<0, 0, 0> integers;

// Two numbers of four positions in each four bits, in order.
__device__ u32 metadata(u64 bits, bool of_tf32)
{
    const u32 pairs = 0xed9c84;
    u32 all = 0;

    for (int i = 0; i < 8; i++, bits >>= 4)
        all |= (of_tf32 ? bits & 1 ? 0xe : 0x4 : pairs >> bits % 6 * 4 & 15) << 4 * i;
    return all;
}

} // namespace

#endif
