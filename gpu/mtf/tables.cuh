// SPDX-License-Identifier: BSD-2-Clause
//
// Move-to-front of several symbols at once: G lanes rank G symbols of one chunk, then the list is shifted once for all
// of them. The list is two tables in shared memory: the symbol at each position, and the position of each symbol.
//
// The lanes compare the positions of their symbols bit by bit, from the highest, with one ballot each: 5 where all
// positions are below 32, otherwise 8. This gives each lane two masks: of the lanes with its own symbol, and of the
// lanes whose symbols were before its own. A lane becomes stale where its symbol comes again: the stale lanes before
// each lane are found by one scan with OR. The lanes before lane i that are not stale hold each symbol of the step so
// far once, in order of its last occurrence. So the rank of lane i's symbol is
//   if the step has met it before, last in lane p:  the number of lanes that are not stale between p and i;
//   if not:  its position, plus 1 for each lane that is not stale and whose symbol was after it.
// At the end every symbol of the step has its position at the front, and a position whose symbol was not met moves back
// by the number of symbols met that were after it: G positions at a time, the deepest first.
#ifndef GPU_MTF_TABLES_CUH
#define GPU_MTF_TABLES_CUH

#include <samebits/prim/warp.cuh>

namespace
{
struct tables {
    uint8_t symbol_at[256];
    uint8_t position_of[256];
};
} // namespace

// The list 0..255, written by the G lanes that share it.
template <unsigned G> static __device__ __forceinline__ void reset(tables *list)
{
    for (unsigned i = threadIdx.x % G; i < 256; i += G)
        list->symbol_at[i] = list->position_of[i] = (uint8_t)i;
}

// The list of these 256 symbols, written by the G lanes that share it.
template <unsigned G> static __device__ __forceinline__ void restore(tables *list, const uint8_t *symbols)
{
    for (unsigned i = threadIdx.x % G; i < 256; i += G) {
        unsigned symbol = symbols[i];

        list->symbol_at[i] = (uint8_t)symbol;
        list->position_of[symbol] = (uint8_t)i;
    }
}

// Moves the symbols of the G lanes that share a list to the front, in lane order, and returns each one's rank. All 32
// lanes call. The caller must put a __syncwarp before and after the call, where lanes write or read the list.
template <unsigned G> static __device__ __forceinline__ unsigned rank_symbols(tables *list, unsigned symbol)
{
    unsigned lane = threadIdx.x % sb::WARP_LANES, sharing = lane / G * G;
    unsigned before = (unsigned)((1ull << lane) - (1ull << sharing));
    unsigned after = (unsigned)((1ull << (sharing + G)) - (2ull << lane));
    unsigned position = list->position_of[symbol];
    unsigned deepest = __reduce_max_sync(sb::FULL_MASK, position);
    unsigned equal = sb::FULL_MASK, lower = 0;

    if (deepest == 0)
        return 0; // all lanes: nothing moves
#pragma unroll
    for (int bit = 7; bit >= 0; bit--) {
        if (bit >= 5 && deepest < 32)
            continue;
        unsigned own = (position & 1u << bit) != 0 ? ~0u : 0;
        unsigned set = __ballot_sync(sb::FULL_MASK, own != 0);

        lower |= equal & ~set & own;
        equal &= ~(set ^ own);
    }
    unsigned met = equal & before;
    bool first = met == 0, last = (equal & after) == 0;
    unsigned previous = first ? 0 : 31u - (unsigned)__clz((int)met);
    unsigned stale = first ? 0 : 1u << previous;
    unsigned firsts = __ballot_sync(sb::FULL_MASK, first);
    unsigned lasts = __ballot_sync(sb::FULL_MASK, last);

#pragma unroll
    for (unsigned distance = 1; distance < G; distance *= 2)
        stale |= __shfl_up_sync(sb::FULL_MASK, stale, distance, G);
    unsigned rank = (unsigned)__popc((before & ~stale) >> previous);

    if (first)
        rank += position - (unsigned)__popc(lower & before & firsts);
    unsigned mark = first ? 1u << (position % G + sharing) : 0, below = 0;

#pragma unroll 1
    for (int row = (int)(deepest / G); row >= 0; row--) {
        unsigned here = (unsigned)row * G + lane % G;
        unsigned other = list->symbol_at[here];
        unsigned marks = __reduce_or_sync(sb::FULL_MASK, position / G == (unsigned)row ? mark : 0);
        unsigned moved = here + below + (unsigned)__popc(marks & after);

        __syncwarp(); // the row has been read
        if ((marks >> lane & 1) == 0) {
            list->symbol_at[moved] = (uint8_t)other;
            list->position_of[other] = (uint8_t)moved;
        }
        below += (unsigned)__popc(marks & (before | after | 1u << lane));
    }
    if (last) {
        unsigned moved = (unsigned)__popc(lasts & after);

        list->symbol_at[moved] = (uint8_t)symbol;
        list->position_of[symbol] = (uint8_t)moved;
    }
    return rank;
}

// Encodes a chunk with the list that its G lanes share. The symbols of a step are loaded while those of the step before
// are ranked. All 32 lanes call; a symbol past the end of a chunk changes no rank before it.
template <unsigned G>
static __device__ __forceinline__ void rank_buffer(tables *list, const uint8_t *from, uint8_t *to, uint64_t length)
{
    unsigned lane = threadIdx.x % G;
    unsigned next = lane < length ? from[lane] : 0;

    for (uint64_t i = lane; __any_sync(sb::FULL_MASK, i < length); i += G) {
        unsigned symbol = next;

        next = i + G < length ? from[i + G] : 0;
        __syncwarp(); // the list of the step before is complete
        unsigned rank = rank_symbols<G>(list, symbol);

        if (i < length)
            to[i] = (uint8_t)rank;
    }
}

#endif
