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

// Word: an unsigned integer as long as the key; `bits` are those of the key.
template <typename Word> __device__ __forceinline__ Word to_ordered(Word bits, key_order order)
{
    const Word sign = (Word)((Word)1 << (8 * sizeof(Word) - 1));

    if (order == UNSIGNED_ORDER)
        return bits;
    return (Word)(order == FLOAT_ORDER && (bits & sign) != 0 ? ~bits : bits ^ sign);
}

// The inverse of to_ordered.
template <typename Word> __device__ __forceinline__ Word from_ordered(Word word, key_order order)
{
    const Word sign = (Word)((Word)1 << (8 * sizeof(Word) - 1));

    if (order == UNSIGNED_ORDER)
        return word;
    return (Word)(order == FLOAT_ORDER && (word & sign) == 0 ? ~word : word ^ sign);
}

// The bits of a key, as a word of its length. By value: of a key behind a reference, memcpy would load each byte by itself.
template <typename Word, typename Key> __device__ __forceinline__ Word bits_of_key(Key key)
{
    Word bits;

    static_assert(sizeof key == sizeof bits, "a word is as long as a key");
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

template <typename Word, typename Key> __device__ __forceinline__ Word word_of_key(Key key, key_order order)
{
    return to_ordered(bits_of_key<Word>(key), order);
}

// The word of a key type, and its order.
template <typename Word, key_order ORDER> struct key_word {
    typedef Word word;
    static constexpr key_order order = ORDER;
};

template <typename Key> struct key_type;

template <> struct key_type<uint8_t> : key_word<uint8_t, UNSIGNED_ORDER> {
};
template <> struct key_type<int8_t> : key_word<uint8_t, SIGNED_ORDER> {
};
template <> struct key_type<uint16_t> : key_word<uint16_t, UNSIGNED_ORDER> {
};
template <> struct key_type<int16_t> : key_word<uint16_t, SIGNED_ORDER> {
};
template <> struct key_type<uint32_t> : key_word<uint32_t, UNSIGNED_ORDER> {
};
template <> struct key_type<int32_t> : key_word<uint32_t, SIGNED_ORDER> {
};
template <> struct key_type<float> : key_word<uint32_t, FLOAT_ORDER> {
};
template <> struct key_type<uint64_t> : key_word<uint64_t, UNSIGNED_ORDER> {
};
template <> struct key_type<int64_t> : key_word<uint64_t, SIGNED_ORDER> {
};
template <> struct key_type<double> : key_word<uint64_t, FLOAT_ORDER> {
};

} // namespace sb

#endif
