// SPDX-License-Identifier: BSD-2-Clause
//
// Keys as unsigned words that compare as the keys do, and back.
//
//     unsigned integers    the word itself
//     signed integers      the sign bit flipped, so that negative numbers come first
//     floats               IEEE 754-2008 totalOrder: all bits flipped if the sign bit is set, else the sign bit alone.
//                          -NaN < -infinity < ... < -0 < +0 < ... < +infinity < NaN; NaNs in the order of their bits
//
// Both maps are bijections, so no key is lost, NaN payloads included.
// Called by any thread of the device, on its own. No storage, no barriers.
// Source: IEEE 754-2008, 5.10; the flip of signs: M. Herf, "Radix tricks" (2001).
#ifndef SAMEBITS_PRIM_KEYS_CUH
#define SAMEBITS_PRIM_KEYS_CUH

#include <stdint.h>

namespace sb
{

enum key_order { UNSIGNED_ORDER, SIGNED_ORDER, FLOAT_ORDER };

// Word: uint32_t for keys of 4 bytes, uint64_t for keys of 8; `bits` are those of the key.
template <typename Word> __device__ __forceinline__ Word to_ordered(Word bits, key_order order)
{
    const Word sign = (Word)1 << (8 * sizeof(Word) - 1);

    if (order == UNSIGNED_ORDER)
        return bits;
    return order == FLOAT_ORDER && (bits & sign) != 0 ? ~bits : bits ^ sign;
}

// The inverse of to_ordered.
template <typename Word> __device__ __forceinline__ Word from_ordered(Word word, key_order order)
{
    const Word sign = (Word)1 << (8 * sizeof(Word) - 1);

    if (order == UNSIGNED_ORDER)
        return word;
    return order == FLOAT_ORDER && (word & sign) == 0 ? ~word : word ^ sign;
}

// The word of a key type, and its order.
template <typename Key> struct key_type;

template <> struct key_type<uint32_t> {
    typedef uint32_t word;
    static constexpr key_order order = UNSIGNED_ORDER;
};

template <> struct key_type<int32_t> {
    typedef uint32_t word;
    static constexpr key_order order = SIGNED_ORDER;
};

template <> struct key_type<float> {
    typedef uint32_t word;
    static constexpr key_order order = FLOAT_ORDER;
};

template <> struct key_type<uint64_t> {
    typedef uint64_t word;
    static constexpr key_order order = UNSIGNED_ORDER;
};

template <> struct key_type<int64_t> {
    typedef uint64_t word;
    static constexpr key_order order = SIGNED_ORDER;
};

template <> struct key_type<double> {
    typedef uint64_t word;
    static constexpr key_order order = FLOAT_ORDER;
};

} // namespace sb

#endif
