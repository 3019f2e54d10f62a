// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: turns marks into ranks and into lists of small and large groups, in one pass over the rows.
//
// A thread block takes a tile of 2048 rows and reads the marks of 256 rows more on either side. So it sees without its
// neighbours which groups that touch the tile have at most 256 rows, and where they begin. Only for large groups does
// it need what stands before: the row at which the group began, and how many rows of large groups the tiles before have
// listed. Both come from a decoupled look-back (Merrill and Garland 2016). The state of a tile is one word of 64 bits:
// 2 bits of status, 31 bits for the count and 31 bits for the row. A word is written and read as a whole, so a state
// that is seen is complete and no fence is needed. Tiles are numbered by a ticket, so the tiles before one have started
// and their states will come. A small group is listed by the tile in which it begins. Its place in the list does not
// matter, so an atomic counter hands it out; the rows of a large group stay in order.
#ifndef GPU_BWT_DISCARDING_SPLIT_CUH
#define GPU_BWT_DISCARDING_SPLIT_CUH

#include "discarding_marks.cuh"

enum {
    HALO = MAX_SMALL / LANES, // words of marks before the tile, and as many after it
    SPLIT_ITEMS = 8,          // rows of a thread: the more, the smaller the share of the halo. Not tuned.
    SPLIT_TILE = SPLIT_ITEMS * THREADS,
    SPLIT_SLOTS = SPLIT_TILE + MAX_SMALL,
    SPLIT_WORDS = HALO + SPLIT_SLOTS / LANES
};

static_assert(SPLIT_SLOTS % LANES == 0 && MAX_SMALL % LANES == 0, "marks are whole words");

static const uint64_t STATE_TILE = (uint64_t)1 << 62, STATE_ALL = (uint64_t)2 << 62;

// What the tiles before `tile` hold: the number of rows of large groups, and 1 + the row of the last mark, or 0 where
// there is none. One warp calls. Each lane waits for one of the 32 tiles before; the nearest inclusive state ends the
// walk.
static __device__ __forceinline__ void look_back(volatile uint64_t *state, uint32_t tile, uint32_t *sum, uint32_t *row)
{
    unsigned lane = threadIdx.x % LANES;
    uint32_t all_sum = 0, all_row = 0;
    unsigned ended;

    do {
        uint64_t seen = STATE_ALL;

        if (tile > lane)
            do
                seen = state[tile - 1 - lane];
            while (seen == 0);
        ended = __ballot_sync(ALL, seen >= STATE_ALL);
        bool counts = ended == 0 || lane < (unsigned)__ffs((int)ended);

        all_sum += __reduce_add_sync(ALL, counts ? (uint32_t)(seen >> 31) & 0x7fffffffu : 0);
        uint32_t nearest = __reduce_max_sync(ALL, counts ? (uint32_t)seen & 0x7fffffffu : 0);
        all_row = all_row ? all_row : nearest; // rows ascend, so the nearest one is the largest
        tile -= LANES;
    } while (ended == 0);
    *sum = all_sum;
    *row = all_row;
}

namespace
{

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
          lists to, uint32_t *ticket, volatile uint64_t *state, counters *count)
{
    __shared__ uint32_t mark_word[SPLIT_WORDS], before[SPLIT_WORDS], after[SPLIT_WORDS];
    __shared__ uint32_t small[SPLIT_WORDS], large[SPLIT_WORDS], small_offset[SPLIT_WORDS + 1],
        large_offset[SPLIT_WORDS + 1];
    __shared__ uint32_t drawn, small_first, large_before, row_before;
    const uint32_t halo = MAX_SMALL; // the first slot of the tile
    unsigned lane = threadIdx.x % LANES;

    if (threadIdx.x == 0)
        drawn = atomicAdd(ticket, 1u);
    __syncthreads(); // every thread sees the ticket
    uint32_t tile = drawn, first = tile * SPLIT_TILE, all_words = (n + LANES - 1) / LANES;
    if (threadIdx.x < SPLIT_WORDS) {
        uint32_t word = first / LANES + threadIdx.x; // HALO words ahead of the word that it stands for

        mark_word[threadIdx.x] = word < HALO ? 0 : word - HALO < all_words ? marks[word - HALO] : ALL;
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
        unsigned small_word = __ballot_sync(ALL, listed);
        unsigned large_word = __ballot_sync(ALL, inside && is_large && slot < halo + SPLIT_TILE);

        if (lane == 0) {
            small[slot / LANES] = small_word;
            large[slot / LANES] = large_word;
        }
    }
    if (threadIdx.x < HALO)
        small[threadIdx.x] = large[threadIdx.x] = 0;
    __syncthreads(); // the flags are complete
    scan_flags(small, SPLIT_WORDS, small_offset);
    scan_flags(large, SPLIT_WORDS, large_offset);
    __syncthreads(); // the offsets are complete
    if (threadIdx.x < LANES) {
        uint32_t last = last_mark(mark_word, before, halo + SPLIT_TILE - 1), sum, row;
        uint32_t mine = 0;

        if (last != NONE && last >= halo) {
            uint32_t at = first + (last - halo);

            at = at < n ? at : n - 1; // only in the last tile, whose state no tile reads
            mine = 1 + (rows ? rows[at] : at);
        }
        if (lane == 0 && tile > 0)
            state[tile] = STATE_TILE | (uint64_t)large_offset[SPLIT_WORDS] << 31 | mine;
        look_back(state, tile, &sum, &row);
        if (lane == 0) {
            uint32_t total = sum + large_offset[SPLIT_WORDS];
            uint32_t here = small_offset[SPLIT_WORDS];

            state[tile] = STATE_ALL | (uint64_t)total << 31 | (mine ? mine : row);
            large_before = sum;
            row_before = row - 1;
            small_first = here ? to.small_end - here - atomicAdd(&count->small_new, here) : 0;
            if (tile == gridDim.x - 1)
                count->large = total;
        }
    }
    __syncthreads(); // every thread sees what the tiles before hold
    for (uint32_t slot = halo + threadIdx.x; slot < halo + SPLIT_SLOTS; slot += THREADS) {
        uint32_t at = first + (slot - halo), head = last_mark(mark_word, before, slot);
        uint32_t next = next_mark(mark_word, after, slot);
        bool is_small = small[slot / LANES] >> slot % LANES & 1, is_large = large[slot / LANES] >> slot % LANES & 1;
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

#endif
