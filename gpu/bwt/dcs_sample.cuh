// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort: the ranks of the sample.
//
// The positions of the sample are sorted by their first PERIOD bytes like all rotations, and then by prefix doubling:
// by (rank, rank of the position twice as far away in each round), without those that already have their final rank. A
// position and the one PERIOD bytes further on have the same residue, so their ranks are adjacent in memory. Positions
// from the end of the root on, up to PERIOD further, have ended: they are smaller than all others.
#ifndef GPU_BWT_DCS_SAMPLE_CUH
#define GPU_BWT_DCS_SAMPLE_CUH

#include "dcs_quicksort.cuh"

namespace
{

static __host__ __device__ uint64_t chain_length(uint64_t n)
{
    return n / PERIOD + 2;
}

// Lists the positions of the sample in the root, and ranks those that have ended. Returns the number of the former.
template <class Team> static __device__ uint32_t collect_sample(const rotations &all)
{
    const uint64_t places = (uint64_t)all.chain * all.of->size;
    uint32_t count = all.n / PERIOD * all.of->size;

    for (uint32_t k = 0; k < all.of->size; k++)
        count += all.of->element[k] < all.n % PERIOD;
    for (uint64_t i = Team::thread(); i < places; i += Team::threads()) {
        uint64_t at = i / all.of->size * PERIOD + all.of->element[i % all.of->size];

        if (i < count) {
            all.row[i] = (uint32_t)at;
            all.key[i] = all.bytes_at(at);
        } else {
            all.rank[all.index_of(at)] = (uint32_t)(all.n + PERIOD - 1 - at); // no rank past n + PERIOD - 1 is read
        }
    }
    return count;
}

static __device__ bool agree(const rotations &all, uint32_t a, uint32_t b)
{
    for (uint32_t depth = 0; depth < PERIOD; depth += WORD)
        if (all.bytes_at((uint64_t)a + depth) != all.bytes_at((uint64_t)b + depth))
            return false;
    return true;
}

// A bit for each of 32 rows: is it equal to the row before, by its key (`ranked`) or by its first PERIOD bytes?
static __device__ unsigned equal_rows(const rotations &all, uint64_t base, uint32_t count, bool ranked)
{
    const uint64_t i = base + sb::lane_index();

    return __ballot_sync(sb::FULL_MASK,
                         i > 0 && i < count &&
                             (ranked ? all.key[i] == all.key[i - 1] : agree(all, all.row[i], all.row[i - 1])));
}

// The rows of the sample are sorted by their first PERIOD bytes, or, once they have ranks, by keys that hold the rank
// and the rank further on. Ranks them anew: equal rows get the rank of the first of them. Moves the rows that equal
// others to the front, and returns their number. Ranks begin at PERIOD, after those of positions that have ended. One
// warp calls.
static __device__ __noinline__ uint32_t settle(const rotations all, uint32_t count, bool ranked)
{
    // Rows moved to the front; first row equal to the last row so far; first row that had the same rank as the last.
    uint32_t left = 0, head = 0, group = 0;
    unsigned equal = equal_rows(all, 0, count, ranked);

    for (uint64_t base = 0; base < count; base += sb::WARP_LANES) {
        const uint64_t i = base + sb::lane_index();
        const bool valid = i < count;
        const unsigned equal_next = equal_rows(all, base + sb::WARP_LANES, count, ranked);
        const unsigned up_to_me = sb::lanes_below() << 1 | 1;
        const uint32_t row = valid ? all.row[i] : 0;
        const uint32_t rank = valid && ranked ? (uint32_t)(all.key[i] >> 32) : (uint32_t)PERIOD;
        const bool leads = valid && (i == 0 || (ranked && all.key[i - 1] >> 32 != rank));
        const unsigned heads = __ballot_sync(sb::FULL_MASK, valid) & ~equal,
                       groups = __ballot_sync(sb::FULL_MASK, leads);
        const uint32_t my_head = heads & up_to_me ? (uint32_t)base + sb::highest_bit(heads & up_to_me) : head;
        const uint32_t my_group = groups & up_to_me ? (uint32_t)base + sb::highest_bit(groups & up_to_me) : group;
        const bool equals_next =
            sb::lane_index() < sb::WARP_LANES - 1 ? equal >> (sb::lane_index() + 1) & 1 : equal_next & 1;
        const unsigned stay = __ballot_sync(sb::FULL_MASK, valid && ((equal >> sb::lane_index() & 1) || equals_next));

        if (valid)
            all.rank[all.index_of(row)] = rank + my_head - my_group;
        __syncwarp(); // these rows have been read, and the last one again for the next 32
        if (stay >> sb::lane_index() & 1)
            all.row[left + sb::count_below(stay)] = row;
        left += (unsigned)__popc(stay);
        head = heads ? (uint32_t)base + sb::highest_bit(heads) : head;
        group = groups ? (uint32_t)base + sb::highest_bit(groups) : group;
        equal = equal_next;
    }
    return left;
}

// Ranks all positions of the sample. `left` is a word in shared memory.
template <class Team, class Ranges> static __device__ void rank_sample(rotations all, Ranges &ranges, uint32_t *left)
{
    uint32_t count = collect_sample<Team>(all);

    all.what = SAMPLE_PREFIXES;
    sort_rows<Team>(all, count, ranges);
    all.what = SAMPLE_RANKS;
    all.cached = true;
    for (uint64_t distance = 0;; distance = distance == 0 ? 1 : 2 * distance) {
        if (Team::thread() < sb::WARP_LANES) {
            count = settle(all, count, distance > 0);
            if (Team::thread() == 0)
                *left = count;
        }
        Team::sync(); // ranks and the number of rows left are known
        count = *left;
        if (count == 0)
            return;
        for (uint64_t i = Team::thread(), far = distance == 0 ? 1 : 2 * distance; i < count; i += Team::threads()) {
            const uint64_t index = all.index_of(all.row[i]);

            all.key[i] = (uint64_t)all.rank[index] << 32 | all.rank[index + far];
        }
        sort_rows<Team>(all, count, ranges);
    }
}

} // namespace

#endif
