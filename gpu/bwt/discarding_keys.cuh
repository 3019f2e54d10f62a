// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: what rotations are sorted by, as functions from a rotation to 32 bits, and the kernels that
// write these keys in the order of a list.
#ifndef GPU_BWT_DISCARDING_KEYS_CUH
#define GPU_BWT_DISCARDING_KEYS_CUH

#include "discarding_rotations.cuh"

namespace
{

// Where the first key is the only one.
struct no_second_key {
    __device__ uint32_t operator()(uint32_t) const
    {
        return 0;
    }
};

// The rank of the rotation `distance` bytes further on: the second half of a key of prefix doubling.
struct rank_ahead {
    rotations all;
    const uint32_t *rank;
    uint32_t distance;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return rank[all.ahead(i, distance)];
    }
};

struct block_of {
    uint32_t block;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return i / block;
    }
};

struct rank_of {
    const uint32_t *rank;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return rank[i];
    }
};

} // namespace

// key[row] is the key of the rotation order[row]; of rotation `row` where there is no `order`.
template <class Key> static __global__ void key_by(Key key_of, uint32_t n, const uint32_t *order, uint32_t *key)
{
    uint32_t row = global_index();

    if (row < n)
        key[row] = key_of(order ? order[row] : row);
}

// The same for a list of small groups, whose entries carry HEAD. The list has *counter entries, or `known` ones where
// `counter` is null; `known` is a bound in both cases.
template <class Key>
static __global__ void key_small(Key key_of, uint32_t known, const uint32_t *counter, const uint32_t *order,
                                 uint32_t *key)
{
    uint32_t at = global_index();

    if (at < (counter ? *counter : known))
        key[at] = key_of(order[at] & ~HEAD);
}

#endif
