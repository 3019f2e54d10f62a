// SPDX-License-Identifier: BSD-2-Clause
//
// Move-to-front of several symbols at once: G lanes rank G symbols of one buffer, then the list is shifted once for all
// of them. The list is two tables in shared memory: the symbol at each position, and the position of each symbol.
//
// Positions in place of symbols, the step's lanes are compared bit by bit, from the highest, a vote each: 5 where all
// stand in the first 32 positions, else 8. That gives each lane the lanes of its own symbol and those that stood before
// it. A lane is *stale* for those after the next lane of its symbol; the stale of all lanes are one scan by OR. The
// lanes before lane i that are not stale then hold each symbol met once, the nearest last. So, of lane i's symbol:
//   met before in the step, last in lane p:  its rank is how many of them come after p;
//   not met before:  its rank is its position, and one more for each of them that stood after it.
// Then every symbol met has its place at the front, and a position that was not met moves down by the number of those
// met that stood below it: G positions at a time, the deepest first.
#ifndef GPU_MTF_TABLES_CUH
#define GPU_MTF_TABLES_CUH

#include <cstdint>

namespace
{
struct tables {
    uint8_t symbol_at[256];
    uint8_t position_of[256];
};
} // namespace

// The list as it is at the start of a buffer, written by the G lanes that share it.
template <unsigned G> static __device__ __forceinline__ void reset(tables *list)
{
    for (unsigned i = threadIdx.x % G; i < 256; i += G)
        list->symbol_at[i] = list->position_of[i] = (uint8_t)i;
}

// The list with these 256 symbols.
template <unsigned G> static __device__ __forceinline__ void restore(tables *list, const uint8_t *symbols)
{
    for (unsigned i = threadIdx.x % G; i < 256; i += G) {
        unsigned symbol = symbols[i];

        list->symbol_at[i] = (uint8_t)symbol;
        list->position_of[symbol] = (uint8_t)i;
    }
}

// Moves to the front, in lane order, the symbol of each of the G lanes that share a list; returns each one's rank. All
// 32 lanes call. Between the lanes' writes and reads of a list is a __syncwarp; so must be before the call and after
// it.
template <unsigned G> static __device__ __forceinline__ unsigned rank_symbols(tables *list, unsigned symbol)
{
    const unsigned all = 0xffffffffu;
    unsigned lane = threadIdx.x % 32, sharing = lane / G * G;
    unsigned before = (unsigned)((1ull << lane) - (1ull << sharing));
    unsigned after = (unsigned)((1ull << (sharing + G)) - (2ull << lane));
    unsigned position = list->position_of[symbol];
    unsigned deepest = __reduce_max_sync(all, position);
    unsigned equal = all, lower = 0;

    if (deepest == 0)
        return 0; // all lanes: nothing moves
#pragma unroll
    for (int bit = 7; bit >= 0; bit--) {
        if (bit >= 5 && deepest < 32)
            continue;
        unsigned own = (position & 1u << bit) != 0 ? all : 0;
        unsigned set = __ballot_sync(all, own != 0);

        lower |= equal & ~set & own;
        equal &= ~(set ^ own);
    }
    unsigned met = equal & before;
    bool first = met == 0, last = (equal & after) == 0;
    unsigned previous = first ? 0 : 31u - (unsigned)__clz((int)met);
    unsigned stale = first ? 0 : 1u << previous;
    unsigned firsts = __ballot_sync(all, first);
    unsigned lasts = __ballot_sync(all, last);

#pragma unroll
    for (unsigned distance = 1; distance < G; distance *= 2)
        stale |= __shfl_up_sync(all, stale, distance, G);
    unsigned rank = (unsigned)__popc((before & ~stale) >> previous);

    if (first)
        rank += position - (unsigned)__popc(lower & before & firsts);
    unsigned mark = first ? 1u << (position % G + sharing) : 0, below = 0;

#pragma unroll 1
    for (int row = (int)(deepest / G); row >= 0; row--) {
        unsigned here = (unsigned)row * G + lane % G;
        unsigned other = list->symbol_at[here];
        unsigned marks = __reduce_or_sync(all, position / G == (unsigned)row ? mark : 0);
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

// Encodes a buffer with the list that its G lanes share. The symbols of a step are loaded while those before them are
// ranked. All 32 lanes call; what is ranked past the end of a buffer is nothing to those before it.
template <unsigned G>
static __device__ __forceinline__ void rank_buffer(tables *list, const uint8_t *from, uint8_t *to, uint64_t length)
{
    unsigned lane = threadIdx.x % G;
    unsigned next = lane < length ? from[lane] : 0;

    for (uint64_t i = lane; __any_sync(0xffffffffu, i < length); i += G) {
        unsigned symbol = next;

        next = i + G < length ? from[i + G] : 0;
        __syncwarp(); // the list is as the step before has left it
        unsigned rank = rank_symbols<G>(list, symbol);

        if (i < length)
            to[i] = (uint8_t)rank;
    }
}

#endif
