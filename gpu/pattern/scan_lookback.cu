// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.scan/lookback: one pass; a block scans one tile and looks back for what stands before it.
//
// A block draws its tile from a counter, so that all earlier tiles are done or running and may be waited for. Each
// thread folds consecutive items, the block scans the folds by warp shuffles, and the tile's aggregate is published at
// once. What stands before a tile is found in slots. Slot s holds the aggregate of tile s-1, except that every 256th
// slot holds the fold of all tiles before it: tile t waits for the slots from the multiple of 256 at or before t up to
// t, one a thread, folds them in order, and, when slot t+1 is such a multiple, publishes the prefix there. So tiles of
// a group wait for neighbours only, a chain runs once in 256 tiles, and how items are bracketed never depends on
// timing: sums of floats are the same bits on every run.
// A value is published by a plain store, a fence, and an atomic on the slot's flag, and taken by an atomic on the
// flag, a fence, and a plain load. It may be of any size, and no slot is written twice.
// Shared memory: the tile, 15 KiB, through which coalesced loads and stores meet runs of items a thread (their odd
// length avoids bank conflicts), and the folds of each warp, for each of the two block scans its own.
// Cost: each item read and written once; 4 bytes and an item of workspace a tile, and the flags cleared first.
#include "operator.cuh"

enum {
    LANES = 32,
    THREADS = 256, // also the slots of a group: one a thread
    WARPS = THREADS / LANES
};

static const unsigned ALL = 0xffffffffu;
static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x

namespace
{

// Of items of this many bytes: how many a thread has, and a tile.
template <uint64_t BYTES> struct tile {
    static constexpr unsigned EACH = BYTES == 4 ? 15 : 7, SIZE = THREADS * EACH;
};

} // namespace

template <typename T> static __device__ T shuffle_up(T value, unsigned distance)
{
    return __shfl_up_sync(ALL, value, distance);
}

static __device__ sb_affine shuffle_up(sb_affine value, unsigned distance)
{
    return {__shfl_up_sync(ALL, value.a, distance), __shfl_up_sync(ALL, value.b, distance)};
}

// The fold of the values of all threads before the caller; *total: of all. `sums` is used by this one call only.
template <typename Op>
static __device__ typename Op::item block_scan(typename Op::item value, typename Op::item sums[WARPS],
                                               typename Op::item *total)
{
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    typename Op::item all = Op::identity(), before = Op::identity();

    for (unsigned distance = 1; distance < LANES; distance *= 2) {
        typename Op::item lower = shuffle_up(value, distance);

        if (lane >= distance)
            value = Op::apply(lower, value);
    }
    if (lane == LANES - 1)
        sums[warp] = value;
    typename Op::item lower = shuffle_up(value, 1);
    __syncthreads(); // sums of all warps are there
    for (unsigned i = 0; i < WARPS; i++) {
        if (i == warp)
            before = all;
        all = Op::apply(all, sums[i]);
    }
    *total = all;
    return lane == 0 ? before : Op::apply(before, lower);
}

template <typename T> static __device__ void publish(T *slot, unsigned *ready, uint64_t at, T value)
{
    slot[at] = value;
    __threadfence();
    atomicExch(&ready[at], 1u);
}

template <typename T> static __device__ T await(const T *slot, unsigned *ready, uint64_t at)
{
    while (atomicAdd(&ready[at], 0u) == 0)
        ;
    __threadfence();
    return slot[at];
}

// The fold of everything before `tile`, the same in every thread; tells later tiles the `aggregate` of this one.
template <typename Op>
static __device__ typename Op::item look_back(unsigned tile, typename Op::item aggregate, typename Op::item *slot,
                                              unsigned *ready, typename Op::item sums[WARPS])
{
    unsigned group = tile - tile % THREADS;
    bool last_of_group = tile % THREADS == THREADS - 1;
    typename Op::item value = Op::identity(), before;

    if (threadIdx.x == 0 && !last_of_group)
        publish(slot, ready, tile + 1, aggregate);
    if (threadIdx.x <= tile - group && group + threadIdx.x > 0) // nothing stands before slot 0
        value = await(slot, ready, group + threadIdx.x);
    block_scan<Op>(value, sums, &before);
    if (threadIdx.x == 0 && last_of_group)
        publish(slot, ready, tile + 1, Op::apply(before, aggregate));
    return before;
}

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    scan(const typename Op::item *items, uint64_t n, bool inclusive, typename Op::item *result,
         typename Op::item *total, unsigned *ticket, unsigned *ready, typename Op::item *slot)
{
    typedef typename Op::item item;
    const unsigned each = tile<sizeof(item)>::EACH, size = tile<sizeof(item)>::SIZE;
    __shared__ item buffer[size];
    __shared__ item tile_sums[WARPS], slot_sums[WARPS];
    __shared__ unsigned drawn;
    item mine[each], sum = Op::identity(), aggregate;

    if (threadIdx.x == 0)
        drawn = atomicAdd(ticket, 1u);
    __syncthreads(); // the tile is drawn
    unsigned tile = drawn;
    uint64_t first = (uint64_t)tile * size;

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
    for (unsigned i = 0; i < each; i++) {
        mine[i] = buffer[threadIdx.x * each + i];
        sum = Op::apply(sum, mine[i]);
    }
    item in_tile = block_scan<Op>(sum, tile_sums, &aggregate);
    item before = look_back<Op>(tile, aggregate, slot, ready, slot_sums);
    item running = Op::apply(before, in_tile);

    if (threadIdx.x == 0 && tile == gridDim.x - 1)
        *total = Op::apply(before, aggregate);
#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        item next = Op::apply(running, mine[i]);

        buffer[threadIdx.x * each + i] = inclusive ? next : running;
        running = next;
    }
    __syncthreads(); // the results are in the buffer
#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        uint64_t at = first + i * THREADS + threadIdx.x;

        if (at < n)
            result[at] = buffer[i * THREADS + threadIdx.x];
    }
}

// No items still make a tile: it writes the total.
static uint64_t tile_count(uint64_t n, uint64_t item_size)
{
    uint64_t size = item_size == 4 ? tile<4>::SIZE : tile<8>::SIZE;

    return n == 0 ? 1 : n / size + (n % size != 0);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t item_size = sb_operator_item_size(parameters[SB_SCAN_TYPE]);

    return tile_count(inputs[SB_SCAN_ITEMS].length, item_size) > MAX_GRID ? "more tiles than blocks in a grid"
                                                                          : nullptr;
}

// Slots, then their flags; the flag of slot 0, for which nobody waits, is the ticket.
static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t item_size = sb_operator_item_size(parameters[SB_SCAN_TYPE]);

    return (tile_count(inputs[SB_SCAN_ITEMS].length, item_size) + 1) * (item_size + sizeof(unsigned));
}

template <typename Op>
static sb_status launch_scan(const sb_array &items, bool inclusive, void *result, void *total, void *workspace)
{
    typedef typename Op::item item;
    uint64_t tiles = tile_count(items.length, sizeof(item));
    item *slot = (item *)workspace;
    unsigned *ready = (unsigned *)(slot + tiles + 1);

    if (cudaMemsetAsync(ready, 0, (tiles + 1) * sizeof *ready, 0) != cudaSuccess)
        return SB_FAILED;
    scan<Op><<<(unsigned)tiles, THREADS>>>((const item *)items.data, items.length, inclusive, (item *)result,
                                           (item *)total, ready, ready, slot);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_operator(parameters[SB_SCAN_TYPE], parameters[SB_SCAN_OP], [=](auto op) {
        return launch_scan<decltype(op)>(inputs[SB_SCAN_ITEMS], parameters[SB_SCAN_INCLUSIVE] != 0,
                                         outputs[SB_SCAN_RESULT].data, outputs[SB_SCAN_TOTAL].data, workspace);
    });
}

extern "C" const sb_variant sb_gpu_pattern_scan_lookback[] = {
    {"pattern.scan", "lookback", "one pass: a block a tile, looking back for its prefix", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
