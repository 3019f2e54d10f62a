// SPDX-License-Identifier: BSD-2-Clause
//
// Keys of 4 bytes as pairs of 64 bits: the key as an ordered word (samebits/prim/keys.cuh) above the inverted index. So the k
// largest pairs, descending, are the k largest keys with ties in the order of indices, and no two pairs are equal: many equal
// keys are no special case.
#ifndef GPU_SELECT_TOPK_PAIRS_CUH
#define GPU_SELECT_TOPK_PAIRS_CUH

#include "keys.cuh"

static const uint64_t MAX_INDEXED = 0xffffffffu; // so that the number of keys fits the 32 bits of an index, too

namespace
{

typedef uint64_t pair_t;
typedef unsigned long long counter_t;
typedef key_array<uint32_t> narrow_keys;

} // namespace

enum { PAIRS = narrow_keys::EACH / 2 }; // that a thread has at once: a half of its words of a tile

static __device__ __forceinline__ pair_t pair_of(uint32_t word, uint64_t index)
{
    return (pair_t)word << 32 | (uint32_t) ~(uint32_t)index;
}

// The pairs of a half of the thread's words of a tile, and a bit for each that is a key and not below the bound.
static __device__ __forceinline__ unsigned pairs_above(const narrow_keys &from, uint64_t tile, unsigned half,
                                                       const uint32_t (&word)[narrow_keys::EACH], unsigned present,
                                                       pair_t bound, pair_t (&pair)[PAIRS])
{
    const bool at_ends = tile + 1 == from.tiles(); // the keys in front of the vectors and behind them
    const uint32_t vector = (uint32_t)(tile * TILE_VECTORS + sb::lane_index());
    const uint32_t bound_word = (uint32_t)(bound >> 32), bound_index = ~(uint32_t)bound;
    unsigned chosen = 0;

#pragma unroll
    for (unsigned i = 0; i < PAIRS; i++) {
        const unsigned at = half * PAIRS + i, v = at / narrow_keys::IN_VECTOR;
        uint32_t index =
            from.head + (vector + v * sb::WARP_LANES) * narrow_keys::IN_VECTOR + at % narrow_keys::IN_VECTOR;

        if (at_ends)
            index = at == 0 ? sb::lane_index()
                            : from.head + (uint32_t)from.vectors * narrow_keys::IN_VECTOR + sb::lane_index();
        pair[i] = pair_of(word[at], index);
        chosen |= (unsigned)(word[at] > bound_word || (word[at] == bound_word && index <= bound_index)) << i;
    }
    return chosen & present >> half * PAIRS;
}

// All pairs of the tiles first, first + step, ... of a warp, a half of the thread's words of a tile at once: act(pair, chosen)
// gets them and a bit for each that is not below the bound. All lanes of the warp call.
template <typename Act>
static __device__ __forceinline__ void for_pairs(const narrow_keys &from, pair_t bound, uint64_t first, uint64_t step,
                                                 const Act &act)
{
    const uint64_t tiles = from.tiles();

    for (uint64_t tile = first; tile < tiles; tile += step) {
        uint32_t word[narrow_keys::EACH];
        const unsigned present = from.load(tile, 0, word);

#pragma unroll
        for (unsigned half = 0; half < 2; half++) {
            pair_t pair[PAIRS];
            const unsigned chosen = pairs_above(from, tile, half, word, present, bound, pair);

            if (__any_sync(sb::FULL_MASK, chosen != 0))
                act(pair, chosen);
        }
    }
}

// The pairs that are not below the bound go to a buffer; what does not fit is counted. All threads of the block call.
static __device__ void collect_keys(const narrow_keys &from, pair_t bound, uint64_t first, uint64_t step,
                                    collected<pair_t> &shared, counter_t *count, pair_t *to, uint64_t capacity)
{
    collector<pair_t> held(shared);

    for_pairs(from, bound, first, step, [&](const pair_t(&pair)[PAIRS], unsigned chosen) {
        held.append(pair, chosen);
        held.make_space(count, to, capacity);
    });
    held.end(count, to, capacity);
}

#endif
