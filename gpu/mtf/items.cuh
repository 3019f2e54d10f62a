// SPDX-License-Identifier: BSD-2-Clause
//
// What the variants of mtf.pass share: all but the pass itself.
//
// A chunk has as many items as the passes before have left it, so the variants run over segments: the items of one
// chunk, where there are any. Where segments begin, and which items the next pass gets, are both a choice among all
// items that keeps their order. It is made in three kernels: a warp for each tile of items counts those chosen, one
// block sums the counts up, and a warp for each tile puts those chosen where they belong. The variant's kernel runs
// between the two choices; it gives ranks, and for each item that the next pass gets the value that has left the queue.
//
// Votes are reached by all 32 lanes. The host waits twice, for the number of segments and for that of items.
// Workspace: 5 bytes an item, 8 a tile. Cost besides the pass: each position is read five times and each rank twice, in
// order, so the memory's speed bounds it.
#ifndef GPU_MTF_ITEMS_CUH
#define GPU_MTF_ITEMS_CUH

#include "pieces.cuh"

enum { TILE = 2048, TILE_WARPS = 8, SUM_THREADS = 512 };

struct items {
    const uint32_t *position;
    const uint8_t *symbol, *entering;
    uint64_t n;
    unsigned base, depth;
    uint32_t chunk; // 0: all positions are in one
    uint32_t *pair_position, *next_position;
    uint8_t *rank, *next_symbol, *evicted;
    // workspace
    uint64_t *chosen; // by each tile, then before each tile and in all
    unsigned *missing;
    uint32_t *start; // of each segment
    uint8_t *left;   // the queue, where an item goes on to the next pass
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

// Item `index` has found its symbol at `position` of the queue, or not: then it is depth, and `left` has left.
static __device__ __forceinline__ void give_rank(const items &all, uint64_t index, unsigned position, unsigned left)
{
    all.rank[index] = (uint8_t)(all.base + position);
    if (position < all.depth)
        return;
    all.left[index] = (uint8_t)left;
    if (all.base + all.depth == 256)
        atomicExch(all.missing, 1u);
}

// The items that begin a segment.
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

// The items that the next pass gets.
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

static const unsigned WHOLE_WARP = 0xffffffffu;

static __device__ __forceinline__ uint64_t tile_of_warp(void)
{
    return blockIdx.x * (uint64_t)TILE_WARPS + threadIdx.x / 32;
}

template <typename Choice> static __global__ void count_chosen(items all, uint64_t tiles)
{
    uint64_t tile = tile_of_warp();
    unsigned count = 0;

    if (tile >= tiles)
        return; // the whole warp
    for (uint64_t row = tile * TILE; row < (tile + 1) * TILE && row < all.n; row += 32) {
        uint64_t i = row + threadIdx.x % 32;

        count += (unsigned)__popc(__ballot_sync(WHOLE_WARP, i < all.n && Choice::chooses(all, i)));
    }
    if (threadIdx.x % 32 == 0)
        all.chosen[tile] = count;
}

// Counts become sums of the counts before; behind the last stands the sum of all. One block: each thread sums a stretch
// of counts up, then the stretches are summed by doubling distances.
static __global__ void sum_chosen(items all, uint64_t tiles)
{
    __shared__ uint64_t sum[2][SUM_THREADS];
    uint64_t stretch = (tiles + SUM_THREADS - 1) / SUM_THREADS;
    uint64_t first = threadIdx.x * stretch, end = first + stretch < tiles ? first + stretch : tiles;
    uint64_t mine = 0;
    unsigned side = 0;

    for (uint64_t i = first; i < end; i++)
        mine += all.chosen[i];
    sum[0][threadIdx.x] = mine;
    __syncthreads(); // the sums of stretches are there
    for (unsigned distance = 1; distance < SUM_THREADS; distance *= 2, side = 1 - side) {
        sum[1 - side][threadIdx.x] =
            sum[side][threadIdx.x] + (threadIdx.x >= distance ? sum[side][threadIdx.x - distance] : 0);
        __syncthreads(); // each reaches back twice as far; the other side has been read
    }
    uint64_t before = sum[side][threadIdx.x] - mine;

    for (uint64_t i = first; i < end; i++) {
        uint64_t count = all.chosen[i];

        all.chosen[i] = before;
        before += count;
    }
    if (threadIdx.x == SUM_THREADS - 1)
        all.chosen[tiles] = sum[side][threadIdx.x];
}

template <typename Choice> static __global__ void put_chosen(items all, uint64_t tiles)
{
    uint64_t tile = tile_of_warp();

    if (tile >= tiles)
        return; // the whole warp
    uint64_t to = all.chosen[tile];

    for (uint64_t row = tile * TILE; row < (tile + 1) * TILE && row < all.n; row += 32) {
        uint64_t i = row + threadIdx.x % 32;
        bool mine = i < all.n && Choice::chooses(all, i);
        unsigned chosen = __ballot_sync(WHOLE_WARP, mine);

        if (mine)
            Choice::put(all, i, to + (unsigned)__popc(chosen & ((1u << threadIdx.x % 32) - 1)));
        to += (unsigned)__popc(chosen);
    }
}

// Returns false when CUDA does; `count` is how many items are chosen.
template <typename Choice> static bool choose(const items &all, uint64_t *count)
{
    uint64_t tiles = (all.n + TILE - 1) / TILE;
    unsigned blocks = (unsigned)((tiles + TILE_WARPS - 1) / TILE_WARPS);

    count_chosen<Choice><<<blocks, TILE_WARPS * 32>>>(all, tiles);
    sum_chosen<<<1, SUM_THREADS>>>(all, tiles);
    put_chosen<Choice><<<blocks, TILE_WARPS * 32>>>(all, tiles);
    return cudaPeekAtLastError() == cudaSuccess &&
           cudaMemcpy(count, all.chosen + tiles, sizeof *count, cudaMemcpyDeviceToHost) == cudaSuccess;
}

// Where the workspace holds what; the first item of each array is aligned to its type.
static uint64_t chosen_bytes(uint64_t n)
{
    return ((n + TILE - 1) / TILE + 1) * sizeof(uint64_t);
}

static uint64_t items_workspace(const uint64_t *, const sb_array *inputs)
{
    uint64_t n = inputs[SB_MTF_PASS_SYMBOL].length;

    return chosen_bytes(n) + sizeof(unsigned) + n * (sizeof(uint32_t) + sizeof(uint8_t));
}

static items make_items(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t chunk = parameters[SB_MTF_PASS_CHUNK];
    items all;

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
    all.chosen = (uint64_t *)workspace;
    all.missing = (unsigned *)((uint8_t *)workspace + chosen_bytes(all.n));
    all.start = (uint32_t *)(all.missing + 1);
    all.left = (uint8_t *)(all.start + all.n);
    all.segments = 0;
    return all;
}

// A variant is compiled for one depth.
template <unsigned DEPTH> static const char *refuses_depth(const uint64_t *parameters, const sb_array *)
{
    return parameters[SB_MTF_PASS_DEPTH] == DEPTH ? nullptr : "compiled for another depth";
}

// Launches kernel(items) with blocks of `threads` that take PER_BLOCK segments each, and all around it.
template <unsigned PER_BLOCK>
static sb_status launch_pass(void (*kernel)(items), unsigned threads, const uint64_t *parameters,
                             const sb_array *inputs, sb_array *outputs, void *workspace)
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
        kernel<<<(unsigned)((all.segments + PER_BLOCK - 1) / PER_BLOCK), threads>>>(all);
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
