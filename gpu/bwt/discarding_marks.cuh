// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: group boundaries as bitmasks. Bit `row` is set where the rotation in that row differs from
// the one in the row before, that is, where a group of equal rotations begins.
//
// In shared memory a row of the tile is a *slot*, and 32 slots are a word. The nearest mark before or after a slot is
// found in the slot's own word, or in a table of the nearest marks outside each word, so a look-up takes constant time.
#ifndef GPU_BWT_DISCARDING_MARKS_CUH
#define GPU_BWT_DISCARDING_MARKS_CUH

#include "discarding_rotations.cuh"

enum : unsigned {
    WORD_BITS = sb::WARP_LANES, // of a word of marks, as a ballot makes it
    // Rounds of small groups between two copies of the counters to the host. Such rounds are short, so the copy's wait
    // would show; a list that has become empty costs launches that return at once. Not tuned.
    ROUNDS_PER_SYNC = 4
};

namespace
{

// The counters that the host reads after a round.
struct counters {
    uint32_t large;                                          // rotations in large groups
    uint32_t small_new;                                      // rotations in small groups that were not in one before
    uint32_t large_splits;                                   // boundaries inside groups that were not small
    uint32_t left[ROUNDS_PER_SYNC], splits[ROUNDS_PER_SYNC]; // rotations, boundaries in small groups, by round
};

} // namespace

static __device__ __forceinline__ bool bit_at(const uint32_t *words, uint32_t i)
{
    return words[i / WORD_BITS] >> i % WORD_BITS & 1;
}

// Sets the marks of n rows in order, whose first keys are in `key`: a row is marked where the first or the second key
// differs from that of the row before. Rows marked by the second key alone are counted: they are splits of groups that
// were equal so far. A thread takes a row, and a warp writes a word.
template <class Second>
static __global__ void __launch_bounds__(THREADS)
    mark(Second second, uint32_t n, const uint32_t *key, const uint32_t *order, uint32_t *marks, counters *count)
{
    __shared__ uint32_t splits;
    unsigned lane = sb::lane_index();
    uint32_t row = global_index();
    uint32_t first_key = 0, second_key = 0, first_before, second_before;

    if (threadIdx.x == 0)
        splits = 0;
    __syncthreads(); // the count is 0 before any warp adds to it
    if (row < n) {
        first_key = key[row];
        second_key = second(order[row]);
    }
    first_before = __shfl_up_sync(sb::FULL_MASK, first_key, 1);
    second_before = __shfl_up_sync(sb::FULL_MASK, second_key, 1);
    if (lane == 0 && row > 0 && row < n) {
        first_before = key[row - 1];
        second_before = second(order[row - 1]);
    }
    bool first = row >= n || row == 0 || first_key != first_before;
    unsigned word = __ballot_sync(sb::FULL_MASK, first || second_key != second_before);
    unsigned split = __ballot_sync(sb::FULL_MASK, !first && second_key != second_before);
    if (lane == 0) {
        if (row < n)
            marks[row / WORD_BITS] = word;
        if (split)
            atomicAdd(&splits, (unsigned)__popc(split));
    }
    __syncthreads(); // all warps have added their counts
    if (threadIdx.x == 0 && splits)
        atomicAdd(&count->large_splits, splits);
}

// The slot marked last at or before `slot`; NONE: there is none. before[w] is the last mark before word w. (In place of
// sb::highest_bit: with the additions in this order nvcc 13.0 spills no registers of sort_small.)
static __device__ __forceinline__ uint32_t last_mark(const uint32_t *marks, const uint32_t *before, uint32_t slot)
{
    uint32_t word = marks[slot / WORD_BITS] & ((2u << slot % WORD_BITS) - 1); // 2 << 31 is 0: all ones

    return word ? slot / WORD_BITS * WORD_BITS + WORD_BITS - 1 - (unsigned)__clz((int)word) : before[slot / WORD_BITS];
}

// The slot marked first after `slot`; NONE: there is none. after[w] is the first mark after word w.
static __device__ __forceinline__ uint32_t next_mark(const uint32_t *marks, const uint32_t *after, uint32_t slot)
{
    uint32_t word = marks[slot / WORD_BITS] & ~((2u << slot % WORD_BITS) - 1);

    return word ? slot / WORD_BITS * WORD_BITS + sb::lowest_bit(word) : after[slot / WORD_BITS];
}

// Fills `before` and `after` for `words` words of marks, one thread for each word. Groups that matter are short, so the
// walk to the nearest word with a mark is.
static __device__ __forceinline__ void find_nearest_marks(const uint32_t *marks, uint32_t words, uint32_t *before,
                                                          uint32_t *after)
{
    uint32_t word = threadIdx.x, i;

    if (word >= words)
        return;
    for (i = word; i > 0 && marks[i - 1] == 0;)
        i--;
    before[word] = i == 0 ? NONE : (i - 1) * WORD_BITS + sb::highest_bit(marks[i - 1]);
    for (i = word + 1; i < words && marks[i] == 0;)
        i++;
    after[word] = i == words ? NONE : i * WORD_BITS + sb::lowest_bit(marks[i]);
}

// offset[w] becomes the number of flags in the words before w, for w <= words: with flag_index(), the index of each
// flagged slot among the flagged ones. The thread of w = `words` gets the number of all flags as the result.
static __device__ __forceinline__ uint32_t scan_flags(const uint32_t *flags, uint32_t words, uint32_t *offset)
{
    uint32_t before = 0;

    if (threadIdx.x <= words) {
        for (uint32_t i = 0; i < threadIdx.x; i++)
            before += (unsigned)__popc(flags[i]);
        offset[threadIdx.x] = before;
    }
    return before;
}

static __device__ __forceinline__ uint32_t flag_index(const uint32_t *flags, const uint32_t *offset, uint32_t slot)
{
    return offset[slot / WORD_BITS] + (unsigned)__popc(flags[slot / WORD_BITS] & ((1u << slot % WORD_BITS) - 1));
}

// Where `split` has written only the ranks of rotations in groups.
static __global__ void __launch_bounds__(THREADS)
    rank_singles(uint32_t n, const uint32_t *marks, const uint32_t *order, uint32_t *rank)
{
    uint32_t row = global_index(), next = row + 1;

    if (row < n && bit_at(marks, row) && (next == n || bit_at(marks, next)))
        rank[order[row]] = row;
}

#endif
