// SPDX-License-Identifier: BSD-2-Clause
//
// The variants of mtf.pass share this code, which is everything except the pass itself.
//
// A chunk has as many items as the passes before have left of it, so the variants run over segments: the items of one
// chunk, where there are any. The beginnings of segments, and the items that the next pass gets, are both a selection
// among all items that keeps their order. A selection takes three kernels: a warp counts the selected items of a tile,
// one block scans the counts, and a warp writes the selected items of a tile to their positions. Between the two
// selections the variant's kernel runs; it gives ranks, and for each item that the next pass gets the value that has
// left the queue.
//
// All 32 lanes reach every ballot. The host waits twice: for the number of segments and for the number of items.
// Workspace: 5 bytes for each item, 8 for each tile. Cost besides the pass: each position is read five times and each
// rank twice, in order, so memory bandwidth bounds it.
#ifndef GPU_MTF_ITEMS_CUH
#define GPU_MTF_ITEMS_CUH

#include "chunks.cuh"
#include <samebits/prim/block.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    TILE = 2048,    // items of a warp: a count for 64 rows of 32. Not tuned.
    TILE_WARPS = 8, // of a block. Not tuned.
    SUM_WARPS = 16, // of the one block that scans the counts. Not tuned.
    SUM_EACH = 4    // counts that a thread takes at a time: a load of 32 bytes. Not tuned.
};

static const uint64_t item_sizes[] = {TILE, uint64_t{TILE} * TILE_WARPS, 0};

struct items {
    const uint32_t *position;
    const uint8_t *symbol, *entering;
    uint64_t n;
    unsigned base, depth;
    uint32_t chunk; // 0: all positions are in one
    uint32_t *pair_position, *next_position;
    uint8_t *rank, *next_symbol, *evicted;
    // in the workspace:
    uint64_t *chosen;  // items selected in each tile; then before each tile, and in all
    unsigned *missing; // 1: a symbol is in no queue, and there is no next pass
    uint32_t *start;   // first item of each segment
    uint8_t *left;     // for an item that the next pass gets: the value that has left the queue
    uint64_t segments;
};

// Segment number `index`; empty past the last.
static __device__ __forceinline__ span segment_at(const items &all, uint64_t index)
{
    span s = {0, 0};

    if (index < all.segments) {
        s.first = all.start[index];
        s.length = (index + 1 < all.segments ? all.start[index + 1] : all.n) - s.first;
    }
    return s;
}

// Item `index` has found its symbol at `position` of the queue. Or it has not: then position is depth, and `left` is
// the value that has left the queue.
static __device__ __forceinline__ void give_rank(const items &all, uint64_t index, unsigned position, unsigned left)
{
    all.rank[index] = (uint8_t)(all.base + position);
    if (position < all.depth)
        return;
    all.left[index] = (uint8_t)left;
    if (all.base + all.depth == 256)
        atomicExch(all.missing, 1u);
}

// Selects the items that begin a segment.
struct first_of_chunk {
    static __device__ __forceinline__ bool chooses(const items &all, uint64_t i)
    {
        return i == 0 || (all.chunk != 0 && all.position[i] / all.chunk != all.position[i - 1] / all.chunk);
    }
    static __device__ __forceinline__ void put(const items &all, uint64_t i, uint64_t to)
    {
        all.start[to] = (uint32_t)i;
    }
};

// Selects the items that the next pass gets.
struct not_found {
    static __device__ __forceinline__ bool chooses(const items &all, uint64_t i)
    {
        return all.rank[i] == all.base + all.depth;
    }
    static __device__ __forceinline__ void put(const items &all, uint64_t i, uint64_t to)
    {
        all.next_position[to] = all.position[i];
        all.next_symbol[to] = all.symbol[i];
        all.evicted[to] = all.left[i];
    }
};

static __device__ __forceinline__ uint64_t tile_of_warp(void)
{
    return blockIdx.x * (uint64_t)TILE_WARPS + sb::warp_index();
}

template <typename Choice> static __global__ void count_chosen(items all, uint64_t tiles)
{
    uint64_t tile = tile_of_warp();
    unsigned count = 0;

    if (tile >= tiles)
        return; // the whole warp
    for (uint64_t row = tile * TILE; row < (tile + 1) * TILE && row < all.n; row += sb::WARP_LANES) {
        uint64_t i = row + sb::lane_index();

        count += (unsigned)__popc(__ballot_sync(sb::FULL_MASK, i < all.n && Choice::chooses(all, i)));
    }
    if (sb::lane_index() == 0)
        all.chosen[tile] = count;
}

// Replaces each count by the sum of those before it; the sum of all follows the last. One block.
static __global__ void sum_chosen(items all, uint64_t tiles)
{
    __shared__ uint64_t warp_sums[SUM_WARPS];

    sb::block_scan_array<SUM_EACH>(all.chosen, tiles, warp_sums, all.chosen + tiles);
}

template <typename Choice> static __global__ void put_chosen(items all, uint64_t tiles)
{
    uint64_t tile = tile_of_warp();

    if (tile >= tiles)
        return; // the whole warp
    uint64_t to = all.chosen[tile];

    for (uint64_t row = tile * TILE; row < (tile + 1) * TILE && row < all.n; row += sb::WARP_LANES) {
        uint64_t i = row + sb::lane_index();
        bool mine = i < all.n && Choice::chooses(all, i);
        unsigned chosen = __ballot_sync(sb::FULL_MASK, mine);

        if (mine)
            Choice::put(all, i, to + sb::count_below(chosen));
        to += (unsigned)__popc(chosen);
    }
}

// *count is the number of items selected. False: the device failed.
template <typename Choice> static bool choose(const items &all, uint64_t *count)
{
    uint64_t tiles = sb::divide_up(all.n, TILE);
    unsigned blocks = (unsigned)sb::divide_up(tiles, TILE_WARPS);

    count_chosen<Choice><<<blocks, TILE_WARPS * sb::WARP_LANES>>>(all, tiles);
    sum_chosen<<<1, SUM_WARPS * sb::WARP_LANES>>>(all, tiles);
    put_chosen<Choice><<<blocks, TILE_WARPS * sb::WARP_LANES>>>(all, tiles);
    return cudaPeekAtLastError() == cudaSuccess &&
           cudaMemcpy(count, all.chosen + tiles, sizeof *count, cudaMemcpyDeviceToHost) == cudaSuccess;
}

// Lays the arrays of the workspace out for all.n items, and returns its size.
static uint64_t lay_out(items *all, void *memory)
{
    sb::workspace space(memory);

    all->chosen = space.take<uint64_t>(sb::divide_up(all->n, TILE) + 1);
    all->missing = space.take<unsigned>(1);
    all->start = space.take<uint32_t>(all->n);
    all->left = space.take<uint8_t>(all->n);
    return space.bytes();
}

static uint64_t items_workspace(const uint64_t *, const sb_array *inputs)
{
    items all = {};

    all.n = inputs[SB_MTF_PASS_SYMBOL].length;
    return lay_out(&all, nullptr);
}

static items make_items(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t chunk = parameters[SB_MTF_PASS_CHUNK];
    items all = {};

    all.position = (const uint32_t *)inputs[SB_MTF_PASS_POSITION].data;
    all.symbol = (const uint8_t *)inputs[SB_MTF_PASS_SYMBOL].data;
    all.entering = (const uint8_t *)inputs[SB_MTF_PASS_ENTERING].data;
    all.n = inputs[SB_MTF_PASS_SYMBOL].length;
    all.base = (unsigned)parameters[SB_MTF_PASS_BASE];
    all.depth = (unsigned)parameters[SB_MTF_PASS_DEPTH];
    all.chunk = chunk <= UINT32_MAX ? (uint32_t)chunk : 0;
    all.pair_position = (uint32_t *)outputs[SB_MTF_PASS_PAIR_POSITION].data;
    all.rank = (uint8_t *)outputs[SB_MTF_PASS_RANK].data;
    all.next_position = (uint32_t *)outputs[SB_MTF_PASS_NEXT_POSITION].data;
    all.next_symbol = (uint8_t *)outputs[SB_MTF_PASS_NEXT_SYMBOL].data;
    all.evicted = (uint8_t *)outputs[SB_MTF_PASS_EVICTED].data;
    lay_out(&all, workspace);
    return all;
}

// A variant is compiled for one depth.
template <unsigned DEPTH> static const char *refuses_depth(const uint64_t *parameters, const sb_array *)
{
    return parameters[SB_MTF_PASS_DEPTH] == DEPTH ? nullptr : "compiled for another depth";
}

// The launch function of a variant: KERNEL in blocks of THREADS that take PER_BLOCK segments each, and all around it.
template <void (*KERNEL)(items), unsigned PER_BLOCK, unsigned THREADS>
static sb_status launch_pass(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t depth = parameters[SB_MTF_PASS_DEPTH], passed_on = 0;
    unsigned missing = 0;

    if (parameters[SB_MTF_PASS_BASE] > 256 - depth)
        return SB_INVALID;
    items all = make_items(parameters, inputs, outputs, workspace);

    if (all.n > 0) {
        if (cudaMemsetAsync(all.missing, 0, sizeof *all.missing) != cudaSuccess ||
            cudaMemcpyAsync(all.pair_position, all.position, all.n * sizeof(uint32_t), cudaMemcpyDeviceToDevice) !=
                cudaSuccess ||
            !choose<first_of_chunk>(all, &all.segments))
            return SB_FAILED;
        KERNEL<<<(unsigned)sb::divide_up(all.segments, PER_BLOCK), THREADS>>>(all);
        if (!choose<not_found>(all, &passed_on) ||
            cudaMemcpy(&missing, all.missing, sizeof missing, cudaMemcpyDeviceToHost) != cudaSuccess)
            return SB_FAILED;
    }
    if (missing)
        return SB_INVALID;
    for (int i = SB_MTF_PASS_NEXT_POSITION; i <= SB_MTF_PASS_EVICTED; i++)
        outputs[i].length = passed_on;
    return SB_OK;
}

#endif
