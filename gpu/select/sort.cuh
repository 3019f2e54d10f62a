// SPDX-License-Identifier: BSD-2-Clause
//
// The order of keys by a stable radix sort: not the keys move but their indices, beside 32 bits of each key. Keys of 8
// bytes are sorted by their lower halves, and then, because the sort is stable, by their upper halves.
#ifndef GPU_SELECT_SORT_CUH
#define GPU_SELECT_SORT_CUH

#include "keys.cuh"
#include <samebits/prim/radix_pairs.cuh>

namespace
{

// The arrays of a sort, in the workspace.
struct sort_space {
    sb::radix_pairs pairs;
    sb::radix_workspace radix;
};

} // namespace

static void take_sort_space(sort_space *a, uint64_t n, sb::workspace *space)
{
    uint32_t *words;

    for (unsigned i = 0; i < 2; i++) {
        a->pairs.key[i] = space->take<uint32_t>(n);
        a->pairs.value[i] = space->take<uint32_t>(n);
    }
    words = space->take<uint32_t>(sb::radix_workspace_words(n));
    a->radix = words == nullptr ? sb::radix_workspace() : sb::radix_workspace_at(words, n);
}

// The lower or upper 32 bits of the ordered words, of the keys in the order of `index` or, if it is null, as they
// stand. `flip` turns the order around.
template <typename Word>
static __global__ void __launch_bounds__(THREADS) halves(const Word *keys, uint64_t n, sb::key_map<Word> map, Word flip,
                                                         const uint32_t *index, unsigned shift, uint32_t *half)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < n; i += gridDim.x * (uint64_t)THREADS)
        half[i] = (uint32_t)((map(keys[index == nullptr ? i : index[i]]) ^ flip) >> shift);
}

// Sorts 0 < n <= RADIX_MAX_PAIRS keys, ascending or descending; equal keys keep their order. In *order, unless there is
// an error, are then the indices of the keys.
template <typename Word>
static bool sort_keys(const Word *keys, uint64_t n, sb::key_order key_order, bool descending, const sort_space &a,
                      const uint32_t **order)
{
    const sb::key_map<Word> map(key_order);
    const Word flip = descending ? ~(Word)0 : 0;
    const unsigned blocks = grid_for(sb::divide_up(n, sb::WARP_LANES));

    for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 32) {
        const bool first = shift == 0;

        halves<<<blocks, THREADS>>>(keys, n, map, flip, first ? nullptr : a.pairs.value[0], shift, a.pairs.key[0]);
        if (!sb::radix_sort(a.pairs, (uint32_t)n, sb::RADIX_PASSES, first, false, a.radix))
            return false;
    }
    *order = a.pairs.value[sb::RADIX_PASSES % 2];
    return true;
}

#endif
