// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/bucket: cuts the range from the smallest to the largest key into buckets of equal width, finds the one that
// holds the k-th largest key, and cuts that one again.
//
// A first pass finds the smallest and the largest key. Then each pass counts the keys of 2048 buckets and copies those
// of the bucket chosen before if they are few (narrow.cuh). Widths are powers of two in words of the same order as the
// keys (samebits/prim/keys.cuh), so a bucket's bounds are exact, the largest key is in no bucket past the last, and
// every key of a bucket lies in its range: no arithmetic of floats decides. Words of floats are about logarithmic, so
// values that are spread over exponents still fill many buckets.
// Source: bucket select; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for
// graphics processing units" (2012). There, buckets are linear in the values.
// Cost: the first two passes read all keys, the next one reads them once more and copies those of a bucket; at most 4
// passes for 4-byte keys, 7 for 8-byte keys; the first alone for k = 1 and k = n. Workspace for 5/16 of the keys.
// Measured: docs/MEASUREMENTS.md.
#include "narrow.cuh"

// Makes the range that of the keys, whose ends are the keys of k = n and k = 1. `ends` are the smallest and the largest word
// of all blocks.
template <typename Word>
static __global__ void __launch_bounds__(THREADS, RESIDENT) find_ends(range_selection<Word> s, Word *ends)
{
    typedef key_array<Word> array;
    __shared__ Word smallest[WARPS], largest[WARPS];
    __shared__ bool last;
    const array from(s.keys, s.n, sb::key_map<Word>(s.order));
    const uint64_t tiles = from.tiles();
    const Word fill = from[0];
    Word low = fill, high = fill;

    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)gridDim.x * WARPS) {
        Word word[array::EACH];

        from.load(tile, fill, word);
#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++) {
            low = word[i] < low ? word[i] : low;
            high = word[i] > high ? word[i] : high;
        }
    }
    low = sb::block_reduce(low, sb::minimum(), smallest);
    high = sb::block_reduce(high, sb::maximum(), largest);
    if (threadIdx.x == 0) {
        atomic_min(&ends[0], low);
        atomic_max(&ends[1], high);
    }
    if (is_last_block(&s.state->blocks, last) && threadIdx.x == 0) {
        s.state->blocks = 0;
        set_range(s.state, ends[0], ends[1]);
        if (s.k == 1 || s.k == s.n)
            *s.key = sb::from_ordered(s.k == 1 ? ends[1] : ends[0], s.order);
    }
}

template <typename Word> static __global__ void start_ends(Word *ends)
{
    ends[0] = ~(Word)0;
    ends[1] = 0;
}

// The workspace of the passes, and the ends after it.
template <typename Word> static uint64_t lay_out(range_arrays<Word> *a, Word **ends, uint64_t n, void *workspace)
{
    const uint64_t used = sb::round_up(lay_out_ranges(a, n, workspace), sizeof(Word));

    *ends = workspace == nullptr ? nullptr : (Word *)((char *)workspace + used);
    return used + 2 * sizeof(Word);
}

template <typename Word> static uint64_t bytes(uint64_t n)
{
    range_arrays<Word> a;
    Word *ends;

    return lay_out(&a, &ends, n, nullptr);
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, uint64_t, sb::key_order order, void *key,
                               void *workspace)
{
    range_arrays<Word> a = {};
    Word *ends;

    lay_out(&a, &ends, keys.length, workspace);
    const range_selection<Word> s = select_in(a, keys, k, order, key);
    const unsigned blocks = grid_for(key_array<Word>(s.keys, s.n, sb::key_map<Word>(order)).tiles());

    start_ranges<Word><<<1, THREADS>>>(s);
    start_ends<Word><<<1, 1>>>(ends);
    find_ends<Word><<<blocks, THREADS>>>(s, ends);
    if (k != 1 && k != s.n)
        narrow(s);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_select_kth_bucket[] = {
    {"select.kth", "bucket",
     "2048 buckets of equal width between smallest and largest key, again inside the chosen one", refuses_kth,
     kth_workspace<bytes<uint32_t>, bytes<uint64_t>>, launch_kth<launch_select<uint32_t>, launch_select<uint64_t>>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
