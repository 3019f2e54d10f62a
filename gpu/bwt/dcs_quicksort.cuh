// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort: ranges of more than MAX_SMALL rows, by one warp, by 3-way quicksort on keys.
//
// A multikey quicksort (J. L. Bentley and R. Sedgewick, "Fast algorithms for sorting and searching strings", 1997) with
// 8 bytes for a character: rows less than the pivot, equal to it, and greater. Rows equal to the pivot agree in 8 bytes
// more and get new keys. The partition is in place: the warp holds up to three vectors of 128 rows in registers, and
// the free positions are those of the vectors held. Ballots say where each row goes, so both sides are written in one
// piece. Ranges come from a stack (`Ranges`: forward_dcs_warp.cu, forward_dcs_block.cu) that takes the parts of a split
// again.
#ifndef GPU_BWT_DCS_QUICKSORT_CUH
#define GPU_BWT_DCS_QUICKSORT_CUH

#include "dcs_merge_sort.cuh"

namespace
{

struct vector {
    item held[ITEMS];
};

// The rows at, at + 1, ... up to `count`, 32 adjacent ones at a time.
static __device__ void load_vector(const rotations &all, uint32_t at, uint32_t count, uint32_t depth, vector *v)
{
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++)
        if (k * sb::WARP_LANES + sb::lane_index() < count)
            v->held[k] = all.load(at + k * sb::WARP_LANES + sb::lane_index(), depth);
}

// A range and the pivot that splits it; the same in all lanes.
struct splitter {
    const rotations &all;
    const range r;
    const bool keyed;
    item pivot;
    uint32_t equal; // rows equal to the pivot that the last pass has met

    __device__ splitter(const rotations &rows, const range &whole)
        : all(rows), r(whole), keyed(rows.keyed(whole.depth)), equal(0)
    {
    }

    __device__ bool less(const item &a, const item &b) const
    {
        return keyed ? a.key < b.key : all.ranks_before(a.row, b.row);
    }
    __device__ bool same(const item &a, const item &b) const
    {
        return keyed ? a.key == b.key : a.row == b.row;
    }

    // The pivot is the median of 32 rows, one drawn from each 32nd part of the range.
    __device__ void choose(uint32_t draw)
    {
        const uint32_t part = r.count / sb::WARP_LANES;
        item mine = all.load(r.first + sb::lane_index() * part + draw % part, r.depth);
        unsigned smaller = 0;

#pragma unroll 1
        for (unsigned k = 0; k < sb::WARP_LANES; k++) {
            item other = {__shfl_sync(sb::FULL_MASK, (unsigned long long)mine.key, (int)k),
                          __shfl_sync(sb::FULL_MASK, mine.row, (int)k)};

            smaller += k < sb::lane_index() ? !less(mine, other) : less(other, mine);
        }
        unsigned from = sb::lowest_bit(__ballot_sync(sb::FULL_MASK, smaller == MIDDLE));

        pivot.key = __shfl_sync(sb::FULL_MASK, (unsigned long long)mine.key, (int)from);
        pivot.row = __shfl_sync(sb::FULL_MASK, mine.row, (int)from);
    }

    // Writes the rows of a vector to the two sides, from `low` on upwards and from `high` on downwards. The low side
    // gets the rows equal to the pivot if `equals`, otherwise the rows less than it.
    __device__ void put(const vector &v, uint32_t count, bool equals, uint32_t *low, uint32_t *high)
    {
#pragma unroll
        for (unsigned k = 0; k < ITEMS; k++) {
            const bool valid = k * sb::WARP_LANES + sb::lane_index() < count;
            const bool is_same = valid && same(v.held[k], pivot);
            const bool goes_low = valid && (equals ? is_same : less(v.held[k], pivot));
            const unsigned lows = __ballot_sync(sb::FULL_MASK, goes_low),
                           highs = __ballot_sync(sb::FULL_MASK, valid && !goes_low);

            equal += (unsigned)__popc(__ballot_sync(sb::FULL_MASK, is_same));
            *high -= (unsigned)__popc(highs);
            if (valid)
                all.store(goes_low ? *low + sb::count_below(lows) : *high + sb::count_below(highs), v.held[k], r.depth);
            *low += (unsigned)__popc(lows);
        }
    }

    // Brings the rows of the low side to the front of rows first..end-1 and returns where they end. The free positions
    // are those of the vectors held: two vectors, and three while one is written. The next vector is read from the side
    // with fewer free positions, so each side then has at least a whole vector free.
    __device__ uint32_t part(uint32_t first, uint32_t end, bool equals)
    {
        const uint32_t at_first = end - first < VECTOR ? end - first : (uint32_t)VECTOR,
                       left_over = end - first - at_first;
        const uint32_t at_last = left_over < VECTOR ? left_over : (uint32_t)VECTOR; // below VECTOR only if it is all
        uint32_t low = first, high = end, left = first + at_first, right = end - at_last;
        vector oldest, newer, newest;

        equal = 0;
        load_vector(all, first, at_first, r.depth, &oldest);
        load_vector(all, right, at_last, r.depth, &newer);
        while (right - left >= VECTOR) {
            const bool from_left = left - low <= high - right;

            load_vector(all, from_left ? left : right - VECTOR, VECTOR, r.depth, &newest);
            if (from_left)
                left += VECTOR;
            else
                right -= VECTOR;
            __syncwarp(); // all lanes have read the rows that may now be overwritten
            put(oldest, VECTOR, equals, &low, &high);
            oldest = newer;
            newer = newest;
        }
        load_vector(all, left, right - left, r.depth, &newest);
        __syncwarp(); // all rows are in registers
        put(oldest, at_first, equals, &low, &high);
        put(newer, at_last, equals, &low, &high);
        put(newest, right - left, equals, &low, &high);
        __syncwarp(); // all rows are written
        return low;
    }
};

static __device__ void swap_if(bool wanted, range *a, range *b)
{
    if (wanted) {
        range kept = *a;

        *a = *b;
        *b = kept;
    }
}

// Splits a range in three, and pushes the parts, the smallest last: it is on top then, which bounds the depth of the
// stack. Rows equal to the pivot are separated from greater ones in a second pass, if there are several.
template <class Ranges>
static __device__ __noinline__ void split(const rotations all, const range r, uint32_t draw, Ranges &ranges)
{
    const uint32_t end = r.first + r.count;
    splitter s(all, r);
    range less, same = {0, 0, PERIOD}, more;
    uint32_t below, above;

    s.choose(draw);
    below = above = s.part(r.first, end, false);
    if (below == r.first || s.equal > 1) {
        above = s.part(below, end, true);
        same = {below, above - below, s.keyed && all.what != SAMPLE_RANKS ? r.depth + WORD : (uint32_t)PERIOD};
    }
    less = {r.first, below - r.first, r.depth};
    more = {above, end - above, r.depth};
    if (same.count > 1 && all.what != SAMPLE_RANKS)
        fetch_keys(all, same);
    swap_if(less.count < same.count, &less, &same);
    swap_if(same.count < more.count, &same, &more);
    swap_if(less.count < same.count, &less, &same);
    push_range(all, less, ranges);
    push_range(all, same, ranges);
    push_range(all, more, ranges);
}

// Sorts ranges from the stack until there are none. One warp calls. The pivot's random numbers are those of a linear
// congruential generator (Numerical Recipes), seeded by the warp, so a run repeats exactly where the ranges do.
template <class Ranges> static __device__ void sort_ranges(const rotations &all, Ranges &ranges)
{
    uint32_t random = threadIdx.x / sb::WARP_LANES;
    range r;

    while (ranges.pop(&r)) {
        random = random * 1664525u + 1013904223u;
        if (r.count <= MAX_SMALL)
            merge_sort(all, r);
        else
            split(all, r, random >> 8, ranges);
        ranges.done();
    }
}

// Sorts the first `count` rows. All threads of the block call.
template <class Team, class Ranges>
static __device__ void sort_rows(const rotations &all, uint32_t count, Ranges &ranges)
{
    Team::sync(); // the rows and their keys are written
    if (Team::thread() == 0)
        ranges.begin({0, count, 0});
    Team::sync(); // the first range is on the stack
    sort_ranges(all, ranges);
    Team::sync(); // all ranges are sorted
}

} // namespace

#endif
