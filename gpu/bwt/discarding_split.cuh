// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: turns marks into ranks and into lists of small and large groups, in one pass over the rows.
//
// A thread block takes a tile of 2048 rows and reads the marks of 256 rows more on either side. So it sees without the
// adjacent tiles which groups that touch the tile have at most 256 rows, and where they begin. Only for large groups
// does it need data from the tiles before it: the row at which the group began, and how many rows of large groups the
// tiles before have listed. Both come from a decoupled look-back (Merrill and Garland 2016). The state of a tile is one
// word of 64 bits: 2 bits of status, 31 bits for the count and 31 bits for the row. A word is written and read as a
// whole, so a state that is seen is complete and no fence is needed. Tiles are numbered by a ticket, so the tiles
// before one have started and their states will come. A small group is listed by the tile in which it begins. Its place
// in the list does not matter, so an atomic counter hands it out; the rows of a large group stay in order.
#ifndef GPU_BWT_DISCARDING_SPLIT_CUH
#define GPU_BWT_DISCARDING_SPLIT_CUH

#include "discarding_marks.cuh"

enum : unsigned {
    HALO = MAX_SMALL / WORD_BITS, // words of marks before the tile, and as many after it
    SPLIT_ITEMS = 8,              // rows of a thread: the more, the smaller the share of the halo. Not tuned.
    SPLIT_TILE = SPLIT_ITEMS * THREADS,
    SPLIT_SLOTS = SPLIT_TILE + MAX_SMALL,
    SPLIT_WORDS = HALO + SPLIT_SLOTS / WORD_BITS,
    TILE_WORDS = SPLIT_TILE / WORD_BITS,
    // Ranks that rank_windows writes at a time: 32 MiB, so that all those of a sector are written while it is in the L2.
    // On an H200 16 MiB took about 1% more of the whole time, 8 MiB 7%.
    WINDOW = 1 << 23,
    WINDOWED = 1 << 13 // rotations from which on rank_windows writes them; of fewer `split` does, a launch less
};

static_assert(SPLIT_SLOTS % WORD_BITS == 0 && MAX_SMALL % WORD_BITS == 0, "marks are whole words");

namespace
{

// The value of the look-back, in 62 bits: 31 for the number of rows of large groups, 31 for 1 + the row of the last
// mark, 0 where there is none. The status is in the two bits above.
struct large_rows {
    typedef uint64_t word;
    typedef uint64_t value;
    static constexpr uint64_t FIELD = 0x7fffffff;

    static __device__ __forceinline__ value make(uint32_t count, uint32_t row)
    {
        return (uint64_t)count << 31 | row;
    }
    static __device__ __forceinline__ uint32_t count_of(value v)
    {
        return (uint32_t)(v >> 31);
    }
    static __device__ __forceinline__ uint32_t row_of(value v)
    {
        return (uint32_t)(v & FIELD);
    }
    static __device__ __forceinline__ value identity()
    {
        return 0;
    }
    static __device__ __forceinline__ value join(value first, value second)
    {
        return make(count_of(first) + count_of(second), row_of(second) ? row_of(second) : row_of(first));
    }
    static __device__ __forceinline__ word of_aggregate(value v)
    {
        return sb::AGGREGATE_STATUS | v;
    }
    static __device__ __forceinline__ word of_prefix(value v)
    {
        return sb::PREFIX_STATUS | v;
    }
    static __device__ __forceinline__ bool is_prefix(word state)
    {
        return state >= sb::PREFIX_STATUS;
    }
    static __device__ __forceinline__ value value_of(word state)
    {
        return state & sb::STATUS_VALUE;
    }
    // Rows ascend, so the last one is the largest.
    static __device__ __forceinline__ value reduce(value v)
    {
        return make(__reduce_add_sync(sb::FULL_MASK, count_of(v)), __reduce_max_sync(sb::FULL_MASK, row_of(v)));
    }
};

// The rotations whose ranks `split` writes.
enum ranked { RANK_NONE, RANK_GROUPS, RANK_ALL };

// Where `split` writes its lists: large groups from the front of `order`, with their rows in `rows`; small groups in
// `order` before `small_end`.
struct lists {
    uint32_t *order, *rows;
    uint32_t small_end;
    ranked who;
};

} // namespace

// Gives each rotation the row of the first one of its group as its rank, writes the last bytes of rotations that are
// alone in their groups, and lists the others. The row of rotation order[at] is rows[at], or `at` without `rows`.
static __global__ void __launch_bounds__(THREADS)
    split(transform out, uint32_t n, const uint32_t *marks, const uint32_t *order, const uint32_t *rows, uint32_t *rank,
          lists to, uint32_t *ticket, uint64_t *state, counters *count)
{
    __shared__ uint32_t mark_word[SPLIT_WORDS], before[SPLIT_WORDS], after[SPLIT_WORDS];
    __shared__ uint32_t small[SPLIT_WORDS], large[SPLIT_WORDS], small_offset[SPLIT_WORDS + 1],
        large_offset[SPLIT_WORDS + 1];
    __shared__ uint32_t small_first, large_before, row_before;
    __shared__ unsigned drawn;
    const uint32_t halo = MAX_SMALL; // the first slot of the tile
    unsigned lane = sb::lane_index();

    uint32_t tile = sb::draw_tile(ticket, drawn), first = tile * SPLIT_TILE;
    uint32_t all_words = (n + WORD_BITS - 1) / WORD_BITS;
    if (threadIdx.x < SPLIT_WORDS) {
        uint32_t word = first / WORD_BITS + threadIdx.x; // HALO words ahead of the word that it represents

        mark_word[threadIdx.x] = word < HALO ? 0 : word - HALO < all_words ? marks[word - HALO] : sb::FULL_MASK;
    }
    __syncthreads(); // the marks are loaded
    find_nearest_marks(mark_word, SPLIT_WORDS, before, after);
    __syncthreads(); // before[] and after[] are complete
    // Flag what this tile lists: the rows of small groups that begin in it, and its rows of large groups.
    for (uint32_t slot = halo + threadIdx.x; slot < halo + SPLIT_SLOTS; slot += THREADS) {
        uint32_t head = last_mark(mark_word, before, slot), next = next_mark(mark_word, after, slot);
        bool is_large = head == NONE || next == NONE || next - head > MAX_SMALL;
        bool inside = first + (slot - halo) < n;
        bool listed = inside && !is_large && next - head > 1 && head >= halo && head < halo + SPLIT_TILE;
        unsigned small_word = __ballot_sync(sb::FULL_MASK, listed);
        unsigned large_word = __ballot_sync(sb::FULL_MASK, inside && is_large && slot < halo + SPLIT_TILE);

        if (lane == 0) {
            small[slot / WORD_BITS] = small_word;
            large[slot / WORD_BITS] = large_word;
        }
    }
    if (threadIdx.x < HALO)
        small[threadIdx.x] = large[threadIdx.x] = 0;
    __syncthreads(); // the flags are complete
    scan_flags(small, SPLIT_WORDS, small_offset);
    scan_flags(large, SPLIT_WORDS, large_offset);
    __syncthreads(); // the offsets are complete
    if (threadIdx.x < sb::WARP_LANES) {
        uint32_t last = last_mark(mark_word, before, halo + SPLIT_TILE - 1), large_here = large_offset[SPLIT_WORDS];
        uint32_t mine = 0;

        if (last != NONE && last >= halo) {
            uint32_t at = first + (last - halo);

            at = at < n ? at : n - 1; // only in the last tile, whose state no tile reads
            mine = 1 + (rows ? rows[at] : at);
        }
        uint64_t prefix = sb::find_prefix<large_rows>(state, tile, large_rows::make(large_here, mine), 0);
        if (lane == 0) {
            uint32_t small_here = small_offset[SPLIT_WORDS];

            large_before = large_rows::count_of(prefix);
            row_before = large_rows::row_of(prefix) - 1;
            small_first = small_here ? to.small_end - small_here - atomicAdd(&count->small_new, small_here) : 0;
            if (tile == gridDim.x - 1)
                count->large = large_before + large_here;
        }
    }
    __syncthreads(); // every thread sees what the tiles before hold
    for (uint32_t slot = halo + threadIdx.x; slot < halo + SPLIT_SLOTS; slot += THREADS) {
        uint32_t at = first + (slot - halo), head = last_mark(mark_word, before, slot);
        uint32_t next = next_mark(mark_word, after, slot);
        bool is_small = bit_at(small, slot), is_large = bit_at(large, slot);
        bool single = slot < halo + SPLIT_TILE && head == slot && next == slot + 1;

        if (at >= n || !(is_small || is_large || single))
            continue;
        uint32_t i = order[at], head_at = first + (head - halo);
        uint32_t row = head != NONE && head >= halo ? (rows ? rows[head_at] : head_at) : row_before;

        if (to.who == RANK_ALL || (to.who == RANK_GROUPS && !single))
            rank[i] = row;
        if (single)
            out.write(row, i);
        else if (is_small)
            to.order[small_first + flag_index(small, small_offset, slot)] = i | (head == slot ? HEAD : 0);
        else {
            uint32_t index = large_before + flag_index(large, large_offset, slot);

            to.order[index] = i;
            to.rows[index] = rows ? rows[at] : at;
        }
    }
}

// Writes the ranks that `split` with RANK_ALL writes, after it, window by window: in any order of rotations a write of
// 4 bytes moves a sector of 32. `state` is what `split` has left: after a tile, 1 + the row of the last mark.
static __global__ void __launch_bounds__(THREADS)
    rank_windows(uint32_t n, uint32_t tiles, const uint32_t *marks, const uint32_t *order, const uint32_t *rows,
                 const uint64_t *state, uint32_t *rank)
{
    __shared__ uint32_t mark_word[TILE_WORDS], before[TILE_WORDS], after[TILE_WORDS];
    uint32_t window = blockIdx.x / tiles, tile = blockIdx.x % tiles, first = tile * SPLIT_TILE;
    uint32_t all_words = (n + WORD_BITS - 1) / WORD_BITS;

    if (threadIdx.x < TILE_WORDS) {
        uint32_t word = first / WORD_BITS + threadIdx.x;

        mark_word[threadIdx.x] = word < all_words ? marks[word] : 0;
    }
    __syncthreads(); // the marks are loaded
    find_nearest_marks(mark_word, TILE_WORDS, before, after);
    uint32_t row_before = tile == 0 ? 0 : large_rows::row_of(large_rows::value_of(state[tile - 1])) - 1;
    __syncthreads(); // before[] is complete
#pragma unroll
    for (unsigned k = 0; k < SPLIT_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x, at = first + slot;

        if (at >= n)
            continue;
        uint32_t i = __ldcs(&order[at]);

        if (i / WINDOW != window)
            continue;
        uint32_t head = last_mark(mark_word, before, slot);

        rank[i] = head == NONE ? row_before : rows ? rows[first + head] : first + head;
    }
}

#endif
