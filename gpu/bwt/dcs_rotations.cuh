// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort: the rotations of a block's root, how two of them compare, and what a row carries.
//
// Rows that agree in `depth` bytes carry the next 8 bytes of their rotations as keys, so most comparisons are one
// comparison of registers. Where keys are equal up to PERIOD bytes, the sample decides.
#ifndef GPU_BWT_DCS_ROTATIONS_CUH
#define GPU_BWT_DCS_ROTATIONS_CUH

#include "dcs_cover.cuh"

namespace
{

// `count` rows from `first` on that agree in `depth` bytes.
struct range {
    uint32_t first, count, depth;
};

// A row and its key: the 8 bytes of the rotation after those in which the range agrees.
struct item {
    uint64_t key;
    uint32_t row;
};

// The three sorts: the rows of each and their keys.
enum phase {
    SAMPLE_PREFIXES, // positions of the sample by their first PERIOD bytes
    SAMPLE_RANKS,    // positions of the sample by keys that hold two ranks
    ROTATIONS        // all rotations by their first PERIOD bytes, then by the ranks of the sample
};

// The threads that sort a block of text together: one warp, or all threads of a block.
template <unsigned WARPS> struct thread_team {
    static __device__ void sync()
    {
        if (WARPS == 1)
            __syncwarp();
        else
            __syncthreads();
    }
    static __device__ bool all(bool good)
    {
        return WARPS == 1 ? __all_sync(sb::FULL_MASK, good) : __syncthreads_and(good);
    }
    static __device__ unsigned thread()
    {
        return threadIdx.x;
    }
    static __device__ constexpr unsigned threads()
    {
        return WARPS * sb::WARP_LANES;
    }
};
// The root of a block of text and what is known of its rotations; the same in all threads.
struct rotations {
    uint64_t *word; // the root, and then its first bytes again
    uint64_t *key;
    uint32_t *row;
    uint32_t *rank;  // of the positions of the sample, grouped by residue
    const cover *of; // in shared memory
    uint32_t n;
    uint32_t chain; // capacity of a residue's group: the most positions of the sample that have one residue
    phase what;
    bool cached; // keys are kept beside the rows; otherwise they are read from the text each time

    __device__ uint64_t bytes_at(uint64_t at) const
    {
        const uint64_t *here = word + at / WORD;
        unsigned by = (unsigned)(at % WORD) * 8;

        return here[0] << by | here[1] >> 1 >> (63 - by);
    }

    // ---- the sample ----

    // The index of a position of the sample in `rank`.
    __device__ uint64_t index_of(uint64_t at) const
    {
        return (uint64_t)of->number[at % PERIOD] * chain + at / PERIOD;
    }
    // The order of two rotations that agree in PERIOD bytes: what they pass on the way to the sample is equal.
    __device__ bool ranks_before(uint32_t a, uint32_t b) const
    {
        uint64_t step = (of->of[(b - a) % PERIOD] - a) % PERIOD;

        return rank[index_of(a + step)] < rank[index_of(b + step)];
    }

    // ---- comparing ----

    // Do rows of a range of this depth have keys?
    __device__ bool keyed(uint32_t depth) const
    {
        return what == SAMPLE_RANKS || depth < PERIOD;
    }
    // Need rows that agree in `depth` bytes no further sorting?
    __device__ bool settled(uint32_t depth) const
    {
        return what != ROTATIONS && depth >= PERIOD;
    }
    // The order of two rotations that agree in `depth` bytes.
    __device__ bool agreeing_before(uint32_t a, uint32_t b, uint32_t depth) const
    {
        if (what == SAMPLE_RANKS)
            return false;
        for (; depth < PERIOD; depth += WORD) {
            uint64_t bytes_a = bytes_at((uint64_t)a + depth), bytes_b = bytes_at((uint64_t)b + depth);

            if (bytes_a != bytes_b)
                return bytes_a < bytes_b;
        }
        return what == ROTATIONS && ranks_before(a, b);
    }
    // The order of two items of a range.
    __device__ bool before(const item &a, const item &b, uint32_t depth) const
    {
        if (!keyed(depth))
            return ranks_before(a.row, b.row);
        if (a.key != b.key)
            return a.key < b.key;
        return agreeing_before(a.row, b.row, depth + WORD);
    }

    __device__ item load(uint32_t at, uint32_t depth) const
    {
        const uint32_t here = row[at];

        return {!keyed(depth) ? 0 : cached ? key[at] : bytes_at((uint64_t)here + depth), here};
    }
    __device__ void store(uint32_t at, const item &held, uint32_t depth) const
    {
        row[at] = held.row;
        if (cached && keyed(depth))
            key[at] = held.key;
    }
};

// Reads the keys of a range whose rows agree in more bytes than before. One warp calls.
static __device__ void fetch_keys(const rotations &all, const range &r)
{
    if (all.cached && r.depth < PERIOD)
        for (uint64_t i = sb::lane_index(); i < r.count; i += sb::WARP_LANES)
            all.key[r.first + i] = all.bytes_at((uint64_t)all.row[r.first + i] + r.depth);
    __syncwarp(); // any lane may read them next
}

} // namespace

#endif
