// SPDX-License-Identifier: BSD-2-Clause
//
// Decoupled look-back: one kernel scans tiles in a single pass, because each tile finds the value of all before it from
// what earlier tiles have published.
// Source: D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016).
//
//     tile          0       1           2           3
//     publishes     prefix  aggregate   aggregate              aggregate: of the tile alone, as soon as it is known
//                           prefix                             prefix: of all tiles up to it, at the end
//     tile 3 reads          prefix  <-  aggregate <-           backwards, up to the nearest prefix
//
// Every tile publishes its aggregate before it waits, so nobody waits for a tile that itself has to wait: progress
// needs only that the blocks of earlier tiles run or have ended. draw_tile makes sure of that; blockIdx.x does not.
//
// Two kinds of state, and their memory order:
//
//   words   A tile's status and value share one word of 4 or 8 bytes at its natural alignment. Such a word is written
//           and read as a whole, so whoever sees the status sees the value. Nothing else is read on the strength of it;
//           therefore relaxed accesses are enough (volatile ones are relaxed in PTX's memory model), and there is no fence.
//   slots   A value of any size, and a flag beside it. The writer stores the value, fences, and then sets the flag
//           by an atomic; the reader sees the flag by an atomic, fences, and then loads the value. The two fences and
//           the atomics between them make the store happen before the load. Without the first fence the flag could
//           become visible before the value; without the second the value could be loaded before the flag is seen. No
//           slot is written twice, so a value that has been seen stays.
//
// States and flags must be 0 when the kernel begins.
#ifndef SAMEBITS_PRIM_LOOKBACK_CUH
#define SAMEBITS_PRIM_LOOKBACK_CUH

#include <samebits/prim/block.cuh>

namespace sb
{

// The number of the caller's tile: 0, 1, 2, ... in the order in which blocks begin to run. `counter` is 0 when the
// kernel begins. All threads of the block call, once; one barrier, after which all have read access to `drawn`.
__device__ __forceinline__ unsigned draw_tile(unsigned *counter, unsigned &drawn)
{
    if (threadIdx.x == 0)
        drawn = atomicAdd(counter, 1u);
    __syncthreads(); // the tile is drawn
    return drawn;
}

// ---- states of one word ----
//
// A Policy says what is combined, and how a word holds it:
//     word, value                  uint32_t or uint64_t; what a stretch of tiles amounts to
//     identity()                   of nothing
//     join(first, second)          two adjacent stretches as one; associative
//     of_aggregate(v), of_prefix(v)  a word of either status; never 0, which means: not published yet
//     is_prefix(w), value_of(w)    the status and the value of a word that is not 0
//     reduce(v)                    the values of a warp joined, lane 31's first and lane 0's last, for lane 0 at least;
//                                  warp_reduce_backwards does it for any value, reductions of the device may be faster

// Two bits of status above 62 bits of value.
const uint64_t AGGREGATE_STATUS = 1ull << 62, PREFIX_STATUS = 2ull << 62, STATUS_VALUE = AGGREGATE_STATUS - 1;

// One thread calls.
template <typename Word> __device__ __forceinline__ void publish_word(Word *state, uint64_t tile, Word word)
{
    ((volatile Word *)state)[tile] = word;
}

// Waits until the tile has published, and returns what. Any thread may call.
template <typename Word> __device__ __forceinline__ Word await_word(const Word *state, uint64_t tile)
{
    Word word;

    do
        word = ((const volatile Word *)state)[tile];
    while (word == 0); // not published yet
    return word;
}

// The value of all before `tile`, in every lane. The lanes of one warp read the words of 32 WINDOW tiles at once, the
// nearest in lane 0, until a prefix is among them. The prefix of one tile serves as many later ones at the same time, so
// tiles that end faster than 32 WINDOW in the time of one round have to look back further and further. With a WINDOW above 1
// `join` must commute. All lanes of one warp call; no storage, no barriers.
template <typename Policy, unsigned WINDOW = 1>
__device__ __forceinline__ typename Policy::value warp_look_back(const typename Policy::word *state, uint64_t tile)
{
    typedef typename Policy::value value;
    typedef typename Policy::word word;
    value before = Policy::identity();
    unsigned prefixes = 0;

    do {
        value window = Policy::identity();
        word ahead[WINDOW]; // of each 32 tiles what was there at first, all loads in flight at once

#pragma unroll
        for (unsigned w = 1; w < WINDOW; w++)
            if (w * WARP_LANES + lane_index() < tile)
                ahead[w] = ((const volatile word *)state)[tile - 1 - w * WARP_LANES - lane_index()];
#pragma unroll
        for (unsigned w = 0; w < WINDOW; w++) {
            const unsigned back = w * WARP_LANES + lane_index();
            word seen = Policy::of_prefix(Policy::identity()); // as if a prefix of nothing preceded tile 0

            if (back < tile)
                seen = w != 0 && ahead[w] != 0 ? ahead[w] : await_word(state, tile - 1 - back);
            prefixes = __ballot_sync(FULL_MASK, Policy::is_prefix(seen));
            unsigned last =
                prefixes != 0 ? lowest_bit(prefixes) : (unsigned)WARP_LANES - 1; // what is further back is in it

            value here = lane_index() > last ? Policy::identity() : Policy::value_of(seen);

            if constexpr (WINDOW == 1)
                window = here;
            else
                window = Policy::join(here, window);
            if (prefixes != 0)
                break;
        }
        before = Policy::join(shuffle(Policy::reduce(window), 0), before);
        tile -= tile < WINDOW * WARP_LANES ? tile : (uint64_t)WINDOW * WARP_LANES;
    } while (prefixes == 0);
    return before;
}

// Publishes the tile's aggregate, looks back, publishes the prefix, and returns the value of all before the tile, in
// every lane. `own`, the tile's value, is that of lane `publisher`. All lanes of one warp call; no storage, no
// barriers.
template <typename Policy, unsigned WINDOW = 1>
__device__ __forceinline__ typename Policy::value find_prefix(typename Policy::word *state, uint64_t tile,
                                                              const typename Policy::value &own, unsigned publisher)
{
    if (lane_index() == publisher)
        publish_word(state, tile, Policy::of_aggregate(own));
    typename Policy::value before = warp_look_back<Policy, WINDOW>(state, tile);

    if (lane_index() == publisher)
        publish_word(state, tile, Policy::of_prefix(Policy::join(before, own)));
    return before;
}

// ---- columns of a table of states ----
//
// Each thread handles a column, whose rows are `stride` words apart: adjacent threads read adjacent words. `state` is the
// column's word of tile 0. Policy::reduce is not used. No storage, no barriers.

// The value of all before `tile`, which a thread finds for itself. It reads AHEAD tiles at once, since each costs the time
// of a load: what lies behind a prefix is read in vain.
template <typename Policy, unsigned AHEAD = 1>
__device__ __forceinline__ typename Policy::value look_back_in_column(const typename Policy::word *state,
                                                                      uint64_t stride, uint64_t tile)
{
    typedef typename Policy::word word;
    typename Policy::value before = Policy::identity();
    bool found = false;

    while (!found) { // ends at tile 0, which publishes its prefix at once
        word seen[AHEAD];

#pragma unroll
        for (unsigned i = 0; i < AHEAD; i++) {
            seen[i] = Policy::of_prefix(Policy::identity()); // as if a prefix of nothing preceded tile 0
            if (i < tile)
                seen[i] = ((const volatile word *)state)[(tile - 1 - i) * stride];
        }
#pragma unroll
        for (unsigned i = 0; i < AHEAD; i++)
            if (!found) {
                if (seen[i] == 0)
                    seen[i] = await_word(state, (tile - 1 - i) * stride);
                before = Policy::join(Policy::value_of(seen[i]), before);
                found = Policy::is_prefix(seen[i]);
            }
        tile -= AHEAD; // below 0 only when found
    }
    return before;
}

// Publishes the tile's aggregate, looks back a tile at a time, publishes the prefix, and returns the value of all before
// the tile.
template <typename Policy>
__device__ __forceinline__ typename Policy::value
find_prefix_of_column(typename Policy::word *state, uint64_t stride, uint64_t tile, const typename Policy::value &own)
{
    typename Policy::word *mine = state + tile * stride, *other = mine, seen;
    typename Policy::value before = Policy::identity();

    if (tile > 0) {
        publish_word(mine, 0, Policy::of_aggregate(own));
        do { // ends at tile 0, which publishes its prefix at once
            other -= stride;
            seen = await_word(other, 0);
            before = Policy::join(Policy::value_of(seen), before);
        } while (!Policy::is_prefix(seen));
    }
    publish_word(mine, 0, Policy::of_prefix(Policy::join(before, own)));
    return before;
}

// ---- a state for each slot ----

// Slots for values of at most 4 bytes: value and flag share a word, so there is no fence. All words are 0 when the kernel
// begins.
template <typename T> struct word_slots {
    uint64_t *word;

    // One thread calls, once for each slot.
    __device__ __forceinline__ void publish(uint64_t slot, T published) const
    {
        uint32_t bits = 0;

        static_assert(sizeof(T) <= sizeof bits, "the other half of the word is the flag");
        memcpy(&bits, &published, sizeof published);
        publish_word(word, slot, (uint64_t)1 << 32 | bits);
    }

    // Waits until the slot is published. Any thread may call.
    __device__ __forceinline__ T await(uint64_t slot) const
    {
        const uint32_t bits = (uint32_t)await_word(word, slot);
        T value;

        memcpy(&value, &bits, sizeof value);
        return value;
    }
};

// Slots for values of any type, and a flag for each.
template <typename T> struct slots {
    T *value;
    unsigned *ready;

    // One thread calls, once for each slot.
    __device__ __forceinline__ void publish(uint64_t slot, T published) const
    {
        value[slot] = published;
        __threadfence(); // the value is visible before the flag
        atomicExch(&ready[slot], 1u);
    }

    // Waits until the slot is published. Any thread may call.
    __device__ __forceinline__ T await(uint64_t slot) const
    {
        while (atomicAdd(&ready[slot], 0u) == 0)
            ;
        __threadfence(); // the flag is seen before the value is loaded
        return value[slot];
    }
};

// The values of all tiles before `tile` combined, the same in every thread; publishes the tile's `aggregate`.
//
// Slot s holds the aggregate of tile s - 1, except that each slot whose number is a multiple of THREADS holds the
// combination of all tiles before it. Tile t waits for the slots from the last such multiple up to t, one thread for
// each slot, and combines them in order. So a chain of waiting tiles runs through one slot in THREADS, and how values
// are bracketed never depends on timing: sums of floats are the same bits on every run. There are tiles + 1 slots;
// nobody waits for slot 0. States is slots<T> or word_slots<T>. All threads of the block call; one barrier, between writing and
// reading `warp_results`.
template <unsigned THREADS, typename States, typename T, typename Op, unsigned WARPS>
__device__ __forceinline__ T block_look_back(const States &states, unsigned tile, T aggregate, Op op, T identity,
                                             T (&warp_results)[WARPS])
{
    static_assert(THREADS == WARPS * WARP_LANES, "whole warps");
    const unsigned group = tile - tile % THREADS;
    const bool last_of_group = tile % THREADS == THREADS - 1;
    T value = identity, before;

    if (threadIdx.x == 0 && !last_of_group)
        states.publish(tile + 1, aggregate);
    if (threadIdx.x <= tile - group && group + threadIdx.x > 0)
        value = states.await(group + threadIdx.x);
    block_exclusive_scan(value, op, identity, warp_results, &before);
    if (threadIdx.x == 0 && last_of_group)
        states.publish(tile + 1, op(before, aggregate));
    return before;
}

} // namespace sb

#endif
