// SPDX-License-Identifier: BSD-2-Clause
//
// Positions and masks of bits in a word of 32 bits.
//
// Called by any thread, on its own; also constant expressions where the compiler allows it. No storage, no barriers.
// Source: the operations are those of H. S. Warren, "Hacker's Delight" (2002), by the device's instructions.
#ifndef SAMEBITS_PRIM_BITS_CUH
#define SAMEBITS_PRIM_BITS_CUH

#include <stdint.h>

namespace sb
{

// A word whose lowest `count` bits are 1; count <= 32. A shift by 32 is undefined, so that case is handled separately.
__device__ __forceinline__ unsigned low_bits(unsigned count)
{
    return count == 32 ? 0xffffffffu : (1u << count) - 1;
}

// The position of the lowest 1; the word is not 0.
__device__ __forceinline__ unsigned lowest_bit(unsigned word)
{
    return (unsigned)__ffs((int)word) - 1;
}

// The position of the highest 1; the word is not 0.
__device__ __forceinline__ unsigned highest_bit(unsigned word)
{
    return 31 - (unsigned)__clz((int)word);
}

// How many bits the number has without leading zeros; 0 has none.
__device__ __forceinline__ unsigned bit_length(unsigned number)
{
    return 32 - (unsigned)__clz((int)number);
}

} // namespace sb

#endif
