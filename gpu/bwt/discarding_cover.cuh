// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: the end of the sort for small groups, by ranks of a sample of the rotations.
//
// A difference cover modulo 31 has 6 residues, such that any two positions i and j have a k < 31 with i + k and j + k in the
// sample, the positions whose residue is in the cover. So once rotations are sorted by 31 letters or more, only the
// sample, 6/31 of them, is sorted further, by the same rounds; then two rotations of a group compare as the ranks of
// those k letters on do (Burkhardt and Karkkainen 2003). Repeats of thousands of letters cost a fifth in each round, and
// the ranks of the sample are so few that they stay in the L2.
//
// The cover must not be broken where the text goes round. Residues therefore count from a seam at which no comparison
// arrives: it is behind h rotations in a row that are alone in their groups already, where h is the depth of the sort. A
// rotation before these agrees with no other one past the end of the first of them, which is the seam; those h
// themselves are in no group. A text that has no such place where one is looked for, a periodic one for example, is sorted by
// rounds alone.
//
// Positions count from the seam. Sample q is the position 31 (q / 6) + residue number q % 6, so a distance of 31 letters is one
// of 6 samples, and the 6 samples from any position on have successive numbers.
#ifndef GPU_BWT_DISCARDING_COVER_CUH
#define GPU_BWT_DISCARDING_COVER_CUH

#include "discarding_small_groups.cuh"
#include "discarding_split.cuh"
#include <samebits/pattern/segmented_sort.cuh>

enum : unsigned {
    PERIOD = 31,  // letters. 13, with 4 residues, is reached a round sooner, but 4/13 are nearly a third
    RESIDUES = 6, // of the cover: a perfect difference set, since 31 = 6 * 5 + 1
    COVER = 1u << 0 | 1u << 1 | 1u << 3 | 1u << 8 | 1u << 12 | 1u << 18, // a bit for each residue of it
    MIN_COVERED = 4096, // letters of a text that is worth it; not tuned
    COVERED_RATIO = 16, // and of which one rotation in so many is in small groups; not tuned
    MAX_SEAM = 1 << 10, // rotations in a row behind which a seam is, at most. Not tuned.
    // A seam is looked for in so many stretches of the text, so that one is found where most of it repeats; in the whole text, if
    // it has no more letters than all stretches together. Not tuned.
    STRETCHES = 64,
    STRETCH = 1 << 14,
    FEW_OTHERS = 8, // rotations in a group, up to which a thread loads only ranks that it compares. Not tuned.
    LIST_ITEMS = 8, // entries of a thread of list_sample
    LIST_TILE = LIST_ITEMS * THREADS,
    LIST_WORDS = LIST_TILE / WORD_BITS
};

namespace
{

// Positions of a text of n letters, counted from the seam, and its sample.
struct cover {
    uint32_t n, seam;

    __host__ __device__ uint32_t samples() const
    {
        return (n / PERIOD + 1) * RESIDUES;
    }
    __device__ uint32_t position_of(uint32_t i) const
    {
        return i >= seam ? i - seam : i - seam + n;
    }
    // Bit k says that the position k letters behind one of this residue is in the sample.
    static __device__ __forceinline__ uint32_t ahead(uint32_t residue)
    {
        return (COVER >> residue | COVER << (PERIOD - residue)) & ((1u << PERIOD) - 1);
    }
    // Of the samples that follow a position, as its ahead() says, the first with one as far behind another position.
    static __device__ __forceinline__ unsigned common(uint32_t mine, uint32_t others)
    {
        uint32_t both = mine & others;

        return (unsigned)__popc(mine & ((both & -both) - 1));
    }
    // The number of the first sample at a position or behind it.
    static __device__ __forceinline__ uint32_t first_sample(uint32_t position)
    {
        return position / PERIOD * RESIDUES + (unsigned)__popc(COVER & ((1u << position % PERIOD) - 1));
    }
    __device__ uint32_t rotation_at(uint32_t position) const
    {
        return position < n - seam ? position + seam : position + seam - n;
    }
    // The rotation of a sample, or NONE behind the last.
    __device__ uint32_t rotation_of(uint32_t sample) const
    {
        uint32_t cover = COVER, i;

        for (unsigned k = sample % RESIDUES; k > 0; k--)
            cover &= cover - 1;
        i = sample / RESIDUES * PERIOD + sb::lowest_bit(cover);
        return i >= n ? NONE : rotation_at(i);
    }
};

// The order of two positions of a group.
struct less_by_sample {
    const uint32_t *sample_rank;

    __device__ bool operator()(uint32_t first, uint32_t second) const
    {
        uint32_t a = cover::ahead(first % PERIOD), b = cover::ahead(second % PERIOD);

        return sample_rank[cover::first_sample(first) + cover::common(a, b)] <
               sample_rank[cover::first_sample(second) + cover::common(b, a)];
    }
};

} // namespace

// Where a seam is looked for: the first `length` of each `step` rotations, of which each has a flag.
namespace
{

struct stretches {
    uint32_t count, length, step;

    explicit stretches(uint32_t n)
    {
        const bool whole = n <= STRETCHES * STRETCH;

        count = whole ? 1 : (uint32_t)STRETCHES;
        length = whole ? n : (uint32_t)STRETCH;
        step = n / count;
    }
};

} // namespace

// Sets the flags of the rotations of a list.
static __global__ void __launch_bounds__(THREADS)
    flag_listed(uint32_t count, const uint32_t *list, stretches of, uint8_t *flags)
{
    uint32_t at = global_index();

    if (at >= count)
        return;
    uint32_t i = list[at] & ~HEAD, stretch = i / of.step, offset = i % of.step;

    if (stretch < of.count && offset < of.length)
        flags[stretch * of.length + offset] = 1;
}

// The end of the first `depth` rotations in a row without flags; *seam is NONE before.
static __global__ void __launch_bounds__(THREADS)
    find_seam(stretches of, uint32_t depth, const uint8_t *flags, uint32_t *seam)
{
    uint32_t at = global_index(), stretch = at / of.length, end = at % of.length + depth;

    if (stretch >= of.count || end > of.length)
        return;
    for (uint32_t i = depth; i-- > 0;)
        if (flags[at + i])
            return;
    atomicMin(seam, stretch * of.step + end);
}

static __global__ void __launch_bounds__(THREADS) rank_sample(cover all, const uint32_t *rank, uint32_t *sample_rank)
{
    uint32_t sample = global_index();

    if (sample < all.samples()) {
        uint32_t i = all.rotation_of(sample);

        sample_rank[sample] = i == NONE ? 0 : rank[i];
    }
}

// Writes the samples among the rotations of both lists, those of large groups first, because `split` needs ascending rows there,
// in their order, with the ranks of their groups as keys and their own rows; *counted becomes their number. A thread block takes a tile of 2048 entries, and finds the number of those
// before it by decoupled look-back.
static __global__ void __launch_bounds__(THREADS)
    list_sample(cover all, uint32_t small_count, const uint32_t *small, uint32_t large_count, const uint32_t *large,
                const uint32_t *rows_of_large, const uint32_t *rank, uint32_t *key, uint32_t *order, uint32_t *rows,
                uint32_t *ticket, uint64_t *state, uint32_t *counted)
{
    __shared__ uint32_t flags[LIST_WORDS], offset[LIST_WORDS + 1];
    __shared__ uint32_t before;
    __shared__ unsigned drawn;
    uint32_t tile = sb::draw_tile(ticket, drawn), first = tile * LIST_TILE;
    uint32_t mine[LIST_ITEMS];

#pragma unroll
    for (unsigned k = 0; k < LIST_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x, at = first + slot;
        bool inside = at < small_count + large_count;

        mine[k] = !inside ? 0 : (at < large_count ? large[at] : small[at - large_count]) & ~HEAD;
        unsigned word = __ballot_sync(sb::FULL_MASK, inside && (COVER >> all.position_of(mine[k]) % PERIOD & 1) != 0);
        if (sb::lane_index() == 0)
            flags[slot / WORD_BITS] = word;
    }
    __syncthreads(); // the flags are complete
    scan_flags(flags, LIST_WORDS, offset);
    __syncthreads(); // the offsets are complete
    if (threadIdx.x < sb::WARP_LANES) {
        uint64_t prefix = sb::find_prefix<large_rows>(state, tile, large_rows::make(offset[LIST_WORDS], 0), 0);

        if (sb::lane_index() == 0) {
            before = large_rows::count_of(prefix);
            if (tile == gridDim.x - 1)
                *counted = before + offset[LIST_WORDS];
        }
    }
    __syncthreads(); // the number of samples before the tile is known
#pragma unroll
    for (unsigned k = 0; k < LIST_ITEMS; k++) {
        uint32_t slot = k * THREADS + threadIdx.x, at = first + slot;

        if (!bit_at(flags, slot))
            continue;
        uint32_t to = before + flag_index(flags, offset, slot), head = at - large_count;

        key[to] = rank[mine[k]];
        order[to] = cover::first_sample(all.position_of(mine[k]));
        if (at >= large_count)
            while (!(small[head] & HEAD))
                head--;
        rows[to] = at < large_count ? rows_of_large[at] : key[to] + (at - large_count - head);
    }
}

// Sorts the small groups of a list by the ranks of the sample, and writes the last bytes of their rotations, and with `rank`
// their ranks. A tile is read as in sort_small. A thread holds the ranks of the 6 samples that follow a rotation in
// shared memory, and finds its place in its group by comparing it with all others; no two are equal.
static __global__ void __launch_bounds__(THREADS)
    sort_by_sample(transform out, cover all, uint32_t n, const uint32_t *order, const uint32_t *sample_rank,
                   const uint32_t *rank, uint32_t *new_rank)
{
    __shared__ uint32_t next[RESIDUES][SMALL_SLOTS + 1]; // + 1: the ranks of a slot are in different banks
    __shared__ uint32_t ahead[SMALL_SLOTS];              // where the samples that follow are
    __shared__ uint32_t heads[SMALL_WORDS], before[SMALL_WORDS], after[SMALL_WORDS];
    const uint32_t first = blockIdx.x * (uint32_t)SMALL_TILE;
    const uint32_t count = n - first < SMALL_SLOTS ? n - first : (uint32_t)SMALL_SLOTS;
    uint32_t mine[SMALL_ITEMS], mine_first[SMALL_ITEMS], row[SMALL_ITEMS], smaller[SMALL_ITEMS];
    // Calls what(k, slot, head, end) for each slot of this thread that is in a group of the tile.
    auto for_groups = [&](auto what) {
        for_slots([&](unsigned k, uint32_t slot) {
            const uint32_t head = last_mark(heads, before, slot), end = next_mark(heads, after, slot);

            if (slot < count && head < SMALL_TILE) // false for NONE, too
                what(k, slot, head, end < count ? end : count);
        });
    };

    for_slots([&](unsigned k, uint32_t slot) {
        mine[k] = slot < count ? order[first + slot] : HEAD;
        unsigned word = __ballot_sync(sb::FULL_MASK, mine[k] & HEAD);
        if (sb::lane_index() == 0)
            heads[slot / WORD_BITS] = word;
    });
    __syncthreads(); // the heads are loaded
    find_nearest_marks(heads, (uint32_t)SMALL_WORDS, before, after);
    __syncthreads(); // before[] and after[] are complete
    for_groups([&](unsigned k, uint32_t slot, uint32_t head, uint32_t) {
        uint32_t position = all.position_of(mine[k] & ~HEAD);

        row[k] = head == slot ? rank[mine[k] & ~HEAD] : 0;
        ahead[slot] = cover::ahead(position % PERIOD);
        mine_first[k] = cover::first_sample(position);
    });
    __syncthreads(); // it is known where the samples are
    for_groups([&](unsigned k, uint32_t slot, uint32_t head, uint32_t end) {
        uint32_t here = ahead[slot], asked = 0;

        if (end - head > FEW_OTHERS)
            asked = (1u << RESIDUES) - 1;
        else
            for (uint32_t other = head; other < end; other++)
                asked |= other == slot ? 0 : 1u << cover::common(here, ahead[other]);
#pragma unroll
        for (unsigned j = 0; j < RESIDUES; j++)
            if (asked >> j & 1)
                next[j][slot] = sample_rank[mine_first[k] + j];
    });
    __syncthreads(); // the ranks are loaded
    for_groups([&](unsigned k, uint32_t slot, uint32_t head, uint32_t end) {
        uint32_t here = ahead[slot];

        smaller[k] = 0;
        for (uint32_t other = head; other < end; other++)
            if (other != slot)
                smaller[k] +=
                    next[cover::common(ahead[other], here)][other] < next[cover::common(here, ahead[other])][slot];
    });
    __syncthreads(); // all have compared
    for_groups([&](unsigned k, uint32_t slot, uint32_t head, uint32_t) {
        if (head == slot)
            next[0][slot] = row[k];
    });
    __syncthreads(); // the rows of the groups are there
    for_groups([&](unsigned k, uint32_t, uint32_t head, uint32_t) {
        uint32_t to = next[0][head] + smaller[k];

        if (new_rank && smaller[k] > 0)
            new_rank[mine[k] & ~HEAD] = to;
        out.write(to, mine[k] & ~HEAD);
    });
}

// The positions of a list of large groups.
static __global__ void __launch_bounds__(THREADS)
    find_positions(cover all, uint32_t count, const uint32_t *list, uint32_t *position)
{
    uint32_t at = global_index();

    if (at < count)
        position[at] = all.position_of(list[at]);
}

// Where the groups of that list begin: start[k] is the start of the group in which the k-th 256 entries end. A large group has more
// entries than that, so each is named, and what is named again is an empty segment. The rows of a group are successive.
static __global__ void __launch_bounds__(THREADS)
    find_starts(uint32_t count, const uint32_t *list, const uint32_t *rows, const uint32_t *rank, uint32_t *start)
{
    uint32_t k = global_index();

    if (k >= sb::divide_up(count, MAX_SMALL))
        return;
    uint32_t at = (k + 1) * MAX_SMALL < count ? (k + 1) * MAX_SMALL - 1 : count - 1;

    start[k] = at - (rows[at] - rank[list[at]]);
}

static __global__ void __launch_bounds__(THREADS)
    write_positions(transform out, cover all, uint32_t count, const uint32_t *position, const uint32_t *rows)
{
    uint32_t at = global_index();

    if (at < count)
        out.write(rows[at], all.rotation_at(position[at]));
}

#endif
