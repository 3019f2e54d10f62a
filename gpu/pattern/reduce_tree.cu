// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.reduce/tree: a block folds one tile to one item; the items of all blocks are folded the same way, until one
// is left.
//
// Each thread folds consecutive items. Then neighbours are folded in pairs, first before second: in step i, of every
// 2^(i+1) threads the first takes in the fold that the second half has gathered in its own first thread. So the order
// of the items is kept, as an operator that does not commute needs it.
// Shared memory: the tile, 15 KiB, through which coalesced loads meet runs of items a thread (their odd length avoids
// bank conflicts), and a fold a thread.
// Cost: items are read once; an item of workspace a tile, 1 in 3840, and as much again for each further level.
#include "operator.cuh"

enum { THREADS = 256 };

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x

namespace
{

// Of items of this many bytes: how many a thread has, and a tile.
template <uint64_t BYTES> struct tile {
    static constexpr unsigned EACH = BYTES == 4 ? 15 : 7, SIZE = THREADS * EACH;
};

} // namespace

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    fold_tiles(const typename Op::item *items, uint64_t n, typename Op::item *folds)
{
    typedef typename Op::item item;
    const unsigned each = tile<sizeof(item)>::EACH, size = tile<sizeof(item)>::SIZE;
    __shared__ item buffer[size];
    __shared__ item sums[THREADS];
    uint64_t first = (uint64_t)blockIdx.x * size;
    item mine[each], sum = Op::identity();

#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        uint64_t at = first + i * THREADS + threadIdx.x;

        mine[i] = at < n ? items[at] : Op::identity();
    }
#pragma unroll
    for (unsigned i = 0; i < each; i++)
        buffer[i * THREADS + threadIdx.x] = mine[i];
    __syncthreads(); // the tile is loaded
#pragma unroll
    for (unsigned i = 0; i < each; i++)
        sum = Op::apply(sum, buffer[threadIdx.x * each + i]);
    sums[threadIdx.x] = sum;
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads(); // the folds of the step before are there
        if (threadIdx.x % (2 * distance) == 0)
            sums[threadIdx.x] = Op::apply(sums[threadIdx.x], sums[threadIdx.x + distance]);
    }
    if (threadIdx.x == 0)
        folds[blockIdx.x] = sums[0];
}

static uint64_t tile_count(uint64_t n, uint64_t item_size)
{
    uint64_t size = item_size == 4 ? tile<4>::SIZE : tile<8>::SIZE;

    return n / size + (n % size != 0);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t item_size = sb_operator_item_size(parameters[SB_REDUCE_TYPE]);

    return tile_count(inputs[SB_REDUCE_ITEMS].length, item_size) > MAX_GRID ? "more tiles than blocks in a grid"
                                                                            : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t item_size = sb_operator_item_size(parameters[SB_REDUCE_TYPE]), items = 0;

    for (uint64_t n = tile_count(inputs[SB_REDUCE_ITEMS].length, item_size); n > 1; n = tile_count(n, item_size))
        items += n;
    return items * item_size;
}

template <typename Op> static sb_status launch_reduce(const sb_array &input, void *value, void *workspace)
{
    typedef typename Op::item item;
    const item *items = (const item *)input.data;
    item *folds = (item *)workspace;
    uint64_t n = input.length;

    for (uint64_t tiles; (tiles = tile_count(n, sizeof(item))) > 1; n = tiles) {
        fold_tiles<Op><<<(unsigned)tiles, THREADS>>>(items, n, folds);
        items = folds;
        folds += tiles;
    }
    fold_tiles<Op><<<1, THREADS>>>(items, n, (item *)value); // the identity when there are no items
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_operator(parameters[SB_REDUCE_TYPE], parameters[SB_REDUCE_OP], [=](auto op) {
        return launch_reduce<decltype(op)>(inputs[SB_REDUCE_ITEMS], outputs[SB_REDUCE_VALUE].data, workspace);
    });
}

extern "C" const sb_variant sb_gpu_pattern_reduce_tree[] = {
    {"pattern.reduce", "tree", "a block folds a tile, and a tile of folds, until one is left", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
