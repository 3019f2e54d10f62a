// SPDX-License-Identifier: BSD-2-Clause
//
// What the variants of pattern.compact share: the predicates.
#ifndef GPU_PATTERN_COMPACT_CUH
#define GPU_PATTERN_COMPACT_CUH

#include "keys.cuh"
#include <samebits/pattern/transform_compact.cuh>

namespace
{

template <typename Order> struct keep_item {
    typedef typename Order::key key;
    uint64_t keep;
    key limit;
    Order order;

    // Whether item i of `items` is kept.
    __device__ __forceinline__ bool operator()(key item, uint64_t i, const key *items) const
    {
        if (keep == SB_KEEP_LESS)
            return order(item, limit);
        if (keep == SB_KEEP_ODD)
            return (item & 1) != 0;
        return i == 0 || item != items[i - 1];
    }

    __device__ __forceinline__ bool operator()(uint64_t i, const key *items) const
    {
        return (*this)(items[i], i, items);
    }
};

} // namespace

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_COMPACT_ITEMS].length / sb::compact_tune<8>::SIZE >= sb::MAX_BLOCKS
               ? "more tiles than blocks in a grid"
               : nullptr;
}

#endif
