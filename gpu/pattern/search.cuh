// SPDX-License-Identifier: BSD-2-Clause
//
// What the variants of pattern.search share: what is written for a needle whose place is known.
#ifndef GPU_PATTERN_SEARCH_CUH
#define GPU_PATTERN_SEARCH_CUH

#include "keys.cuh"
#include <samebits/pattern/sorted_search.cuh>

namespace
{

// Writes the index of the bound, and, if asked for, whether the haystack has the needle: then it is the key at the lower
// bound, and the one before the upper bound. Equal keys have equal bits.
template <typename Key, sb::bound BOUND> struct write_bound {
    uint64_t count; // of the haystack
    bool match;

    __device__ __forceinline__ void operator()(uint64_t i, uint64_t place, const Key *needles, const Key *haystack,
                                               uint32_t *index, uint8_t *matched) const
    {
        index[i] = (uint32_t)place;
        if (match && BOUND == sb::LOWER_BOUND)
            matched[i] = place < count && haystack[place] == needles[i];
        if (match && BOUND == sb::UPPER_BOUND)
            matched[i] = place > 0 && haystack[place - 1] == needles[i];
    }
};

} // namespace

#endif
