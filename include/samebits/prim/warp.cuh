// SPDX-License-Identifier: BSD-2-Clause
//
// Functions that the 32 lanes of a warp run together. They move values between lanes, scan, reduce, and number equal
// digits.
//
// Blocks are one-dimensional and have whole warps. Every function whose comment does not say otherwise is called by all
// 32 lanes of a warp together, with the full mask; in no function does a lane wait for another warp. No storage. The
// functions converge the warp, but order no memory accesses: that is for __syncwarp.
//
// An operator `op` is a function object: op(first, second) combines two values, where `first` precedes `second`. It
// must be associative; it must commute only where a comment says so. Operators: sb::add, sb::minimum, sb::maximum
// below.
//
// A value is an arithmetic type, or a structure that can be copied byte by byte and whose size is a multiple of 4. A
// structure travels as its words of 32 bits, unless a function map_words is declared in its namespace:
//
//     template <typename Move> __device__ pair map_words(pair value, Move move)
//     {
//         return {move(value.first), move(value.second)};
//     }
//
// Source: scans by doubling distances: W. D. Hillis and G. L. Steele, "Data parallel algorithms" (1986).
#ifndef SAMEBITS_PRIM_WARP_CUH
#define SAMEBITS_PRIM_WARP_CUH

#include <samebits/prim/bits.cuh>
#include <stdint.h>
#include <string.h>
#include <type_traits>

namespace sb
{

enum : unsigned { WARP_LANES = 32, FULL_MASK = 0xffffffffu };

// Any thread may call.
__device__ __forceinline__ unsigned lane_index()
{
    return threadIdx.x % WARP_LANES;
}

// The number of the warp in its block. Any thread may call.
__device__ __forceinline__ unsigned warp_index()
{
    return threadIdx.x / WARP_LANES;
}

// A mask of the lanes before the caller. Any thread may call.
__device__ __forceinline__ unsigned lanes_below()
{
    return (1u << lane_index()) - 1;
}

// How many lanes of the mask precede the caller. Any thread may call.
__device__ __forceinline__ unsigned count_below(unsigned mask)
{
    return (unsigned)__popc(mask & lanes_below());
}

// ---- operators, also for the host ----

struct add {
    template <typename T> __host__ __device__ __forceinline__ T operator()(T first, T second) const
    {
        return first + second;
    }
};

struct minimum {
    template <typename T> __host__ __device__ __forceinline__ T operator()(T first, T second) const
    {
        return second < first ? second : first;
    }
};

struct maximum {
    template <typename T> __host__ __device__ __forceinline__ T operator()(T first, T second) const
    {
        return first < second ? second : first;
    }
};

// ---- moving values ----

// Types narrower than a shuffle's word travel as int.
template <typename T, typename Move, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
__device__ __forceinline__ T map_words(T value, Move move)
{
    if constexpr (sizeof(T) < 4)
        return (T)move((int)value);
    else
        return move(value);
}

// Structures travel word by word.
template <typename T, typename Move, typename = std::enable_if_t<std::is_class<T>::value>, typename = void>
__device__ __forceinline__ T map_words(T value, Move move)
{
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) % 4 == 0, "declare map_words for this type");
    uint32_t word[sizeof(T) / 4];
    T moved;

    memcpy(word, &value, sizeof value);
#pragma unroll
    for (unsigned i = 0; i < sizeof(T) / 4; i++)
        word[i] = move(word[i]);
    memcpy(&moved, word, sizeof moved);
    return moved;
}

struct word_from {
    unsigned lane;

    template <typename T> __device__ __forceinline__ T operator()(T word) const
    {
        return __shfl_sync(FULL_MASK, word, (int)lane);
    }
};

struct word_from_below {
    unsigned distance;

    template <typename T> __device__ __forceinline__ T operator()(T word) const
    {
        return __shfl_up_sync(FULL_MASK, word, distance);
    }
};

struct word_from_above {
    unsigned distance;

    template <typename T> __device__ __forceinline__ T operator()(T word) const
    {
        return __shfl_down_sync(FULL_MASK, word, distance);
    }
};

struct word_from_partner {
    unsigned difference;

    template <typename T> __device__ __forceinline__ T operator()(T word) const
    {
        return __shfl_xor_sync(FULL_MASK, word, (int)difference);
    }
};

// The value of lane `lane`; lanes may ask for different ones. With one lane for all this is a broadcast.
template <typename T> __device__ __forceinline__ T shuffle(T value, unsigned lane)
{
    return map_words(value, word_from{lane});
}

// The value of the lane `distance` before the caller; of the caller itself if there is none.
template <typename T> __device__ __forceinline__ T shuffle_up(T value, unsigned distance)
{
    return map_words(value, word_from_below{distance});
}

// The value of the lane `distance` after the caller; of the caller itself if there is none.
template <typename T> __device__ __forceinline__ T shuffle_down(T value, unsigned distance)
{
    return map_words(value, word_from_above{distance});
}

// The value of the lane whose index is the caller's xor `difference`.
template <typename T> __device__ __forceinline__ T shuffle_xor(T value, unsigned difference)
{
    return map_words(value, word_from_partner{difference});
}

// ---- scan ----

// The values of the first LANES lanes up to the caller, combined; other lanes get something. LANES is a power of two.
template <unsigned LANES = WARP_LANES, typename T, typename Op>
__device__ __forceinline__ T warp_inclusive_scan(T value, Op op)
{
    for (unsigned distance = 1; distance < LANES; distance *= 2) {
        T lower = shuffle_up(value, distance);

        if (lane_index() >= distance)
            value = op(lower, value);
    }
    return value;
}

// The sum of the values of the lanes before the caller.
template <typename T> __device__ __forceinline__ T warp_exclusive_sum(T value)
{
    return warp_inclusive_scan(value, add()) - value;
}

// ---- reduce ----

// All values combined; `op` commutes as well. Every lane gets the result.
template <typename T, typename Op> __device__ __forceinline__ T warp_reduce(T value, Op op)
{
    for (unsigned distance = 1; distance < WARP_LANES; distance *= 2)
        value = op(value, shuffle_xor(value, distance));
    return value;
}

// The values of all lanes, lane 31 first and lane 0 last, combined. Lane 0 has the result; other lanes get something.
template <typename T, typename Op> __device__ __forceinline__ T warp_reduce_backwards(T value, Op op)
{
    for (unsigned distance = 1; distance < WARP_LANES; distance *= 2) {
        T higher = shuffle_down(value, distance);

        if (lane_index() + distance < WARP_LANES)
            value = op(higher, value);
    }
    return value;
}

// ---- digits ----

// A mask of the lanes that have the caller's digit. The first of them is the one of which count_below(mask) is 0.
__device__ __forceinline__ unsigned match_digit(unsigned digit)
{
    return __match_any_sync(FULL_MASK, digit);
}

} // namespace sb

#endif
