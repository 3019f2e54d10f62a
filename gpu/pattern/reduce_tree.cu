// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.reduce/tree: a block reduces one tile to one item; the items of all blocks are reduced the same way, until
// one is left.
//
// Each thread combines consecutive items. Then adjacent values are combined in pairs, first before second: in step i,
// of every 2^(i+1) threads the first takes in the value that the second half has gathered in its own first thread. So
// the order of the items is kept, as an operator that does not commute needs it.
// Source: the binary reduction tree; M. Harris, "Optimizing parallel reduction in CUDA" (2007).
// Shared memory: the tile, 15 KiB, through which coalesced loads meet the run of items of each thread, and one value
// for each thread.
// Cost: items are read once; one item of workspace for each tile, 1 in 3840, and as much again for each further level.
#include "tile.cuh"

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    reduce_tiles(const typename Op::item *items, uint64_t n, typename Op::item *results)
{
    typedef typename Op::item item;
    __shared__ item buffer[tile<sizeof(item)>::SIZE];
    __shared__ item sums[THREADS];
    item mine[tile<sizeof(item)>::EACH];

    load_tile<Op>(items, n, (uint64_t)blockIdx.x * tile<sizeof(item)>::SIZE, mine, buffer);
    sums[threadIdx.x] = fold<Op>(mine);
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads(); // all threads have written the values of the step before
        if (threadIdx.x % (2 * distance) == 0)
            sums[threadIdx.x] = Op()(sums[threadIdx.x], sums[threadIdx.x + distance]);
    }
    if (threadIdx.x == 0)
        results[blockIdx.x] = sums[0];
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
    item *results = (item *)workspace;
    uint64_t n = input.length;

    for (uint64_t tiles; (tiles = tile_count(n, sizeof(item))) > 1; n = tiles) {
        reduce_tiles<Op><<<(unsigned)tiles, THREADS>>>(items, n, results);
        items = results;
        results += tiles;
    }
    reduce_tiles<Op><<<1, THREADS>>>(items, n, (item *)value); // the identity when there are no items
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_operator(parameters[SB_REDUCE_TYPE], parameters[SB_REDUCE_OP], [=](auto op) {
        return launch_reduce<decltype(op)>(inputs[SB_REDUCE_ITEMS], outputs[SB_REDUCE_VALUE].data, workspace);
    });
}

extern "C" const sb_variant sb_gpu_pattern_reduce_tree[] = {
    {"pattern.reduce", "tree", "a block reduces a tile, and a tile of results, until one is left",
     refuses<SB_REDUCE_TYPE, SB_REDUCE_ITEMS>, workspace_bytes, launch, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
