// SPDX-License-Identifier: BSD-2-Clause
//
// One pass of a stable radix sort over a tile: it computes where each key goes, by one digit of the key, and moves it
// there.
//
//     1. rank      each warp takes its part of the tile, 32 keys at a time in order: lanes with equal digits find each
//                  other, by a match or by bits in shared memory, and number themselves by lane, and the warp's counters
//                  say how many came before
//     2. starts    thread d turns the warps' counts of digit d into where the first key of each warp with it goes
//     3. scatter   keys are staged in shared memory in the order of their digits, and written from there, so that
//                  adjacent threads write adjacent keys
//
// Stable: keys with equal digits keep their order, of warps, of rows in a warp, and of lanes in a row.
// If all keys have been counted before, step 2 may come first; then step 1 finds at once where a key goes.
// Storage: counters[WARPS][DIGITS] in shared memory, 0 before step 1, and the staged tile. A barrier must separate any
// two steps; steps 1 and 2 have none themselves.
// Source: D. Merrill and A. Grimshaw, "High performance and scalable radix sorting" (2011); the match of digits:
// A. Adinets and D. Merrill, "Onesweep" (2022).
#ifndef SAMEBITS_PRIM_RADIX_CUH
#define SAMEBITS_PRIM_RADIX_CUH

#include <samebits/prim/warp.cuh>

namespace sb
{

// The BITS bits of the key from `shift` on. Any thread may call.
template <unsigned BITS, typename Word> __device__ __forceinline__ unsigned digit_of(Word key, unsigned shift)
{
    return (unsigned)(key >> shift) & ((1u << BITS) - 1);
}

// Step 1, for a row of 32 keys: how many keys of the warp before the caller's have its digit; they are counted.
// `counters` are the warp's own. All lanes call; a __syncwarp must separate two calls, and must precede anything else
// reads the counters.
template <typename Counter> __device__ __forceinline__ Counter rank_digit(unsigned digit, Counter *counters)
{
    const unsigned equal = match_digit(digit);
    const unsigned first = lowest_bit(equal);
    Counter before = 0;

    if (lane_index() == first) {
        before = counters[digit];
        counters[digit] = before + (Counter)__popc(equal);
    }
    return shuffle(before, first) + (Counter)count_below(equal);
}

// The same by `lanes`: the warp's own words for each digit, all 0, which they are again afterwards. On an H200 this takes 0.6
// of the time of a match, of which the device does one value at a time.
template <typename Counter>
__device__ __forceinline__ Counter rank_digit(unsigned digit, Counter *counters, unsigned *lanes)
{
    atomicOr(&lanes[digit], 1u << lane_index());
    __syncwarp(); // all lanes have set their bits
    const unsigned equal = lanes[digit], below = count_below(equal);
    const Counter before = counters[digit];

    __syncwarp(); // all lanes have read both words
    if (below == 0) {
        counters[digit] = before + (Counter)__popc(equal);
        lanes[digit] = 0;
    }
    return before + (Counter)below;
}

// How many keys of the tile have the digit. A thread calls for its digit, after a barrier that follows step 1.
template <typename Counter, unsigned WARPS, unsigned DIGITS>
__device__ __forceinline__ Counter count_digit(const Counter (&counters)[WARPS][DIGITS], unsigned digit)
{
    Counter count = 0;

    for (unsigned w = 0; w < WARPS; w++)
        count += counters[w][digit];
    return count;
}

// Step 2: replaces the count of each warp by `start` plus the counts of the warps before it. Returns `start` plus all
// counts. A thread calls for its digit, after a barrier that follows step 1; a barrier must follow.
template <typename Counter, unsigned WARPS, unsigned DIGITS>
__device__ __forceinline__ Counter start_digit(Counter (&counters)[WARPS][DIGITS], unsigned digit, Counter start)
{
    for (unsigned w = 0; w < WARPS; w++) {
        Counter count = counters[w][digit];

        counters[w][digit] = start;
        start += count;
    }
    return start;
}

// Step 3, when the tile is staged: calls write(key, from, to) for the first `count` keys, a thread every THREADS-th of
// EACH: `from` is the key's index in the staged tile, and `to` = from + offset[digit], where it goes. All threads call.
template <unsigned BITS, unsigned THREADS, unsigned EACH, typename Word, typename Write>
__device__ __forceinline__ void scatter_digits(const Word *staged, unsigned count, unsigned shift,
                                               const uint32_t *offset, Write write)
{
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned from = i * THREADS + threadIdx.x;

        if (from < count) {
            Word key = staged[from];

            write(key, from, offset[digit_of<BITS>(key, shift)] + from);
        }
    }
}

} // namespace sb

#endif
