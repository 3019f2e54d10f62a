// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.scan/two_level: fold the tiles, scan the folds, scan the tiles.
//
// One function scans a tile behind a given prefix and gives the fold of prefix and tile. Three kernels use it: a block
// a tile for the folds alone; one block that goes over the folds tile by tile, each tile's prefix being the fold of
// the tiles before it; and a block a tile for the results. In a tile each thread folds consecutive items, and the
// folds of the threads are scanned in shared memory: in step i every thread, whose fold then covers 2^i threads, takes
// in the fold of the 2^i threads before those.
// Shared memory: the tile, 15 KiB, through which coalesced loads and stores meet runs of items a thread (their odd
// length avoids bank conflicts), and a fold a thread.
// Cost: items are read twice and written once; an item of workspace a tile.
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

// The fold of the values of the caller and all threads before it; afterwards sums[i] is the one of thread i.
template <typename Op>
static __device__ typename Op::item block_scan(typename Op::item value, typename Op::item sums[THREADS])
{
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        sums[threadIdx.x] = value;
        __syncthreads(); // sums of this step are there
        if (threadIdx.x >= distance)
            value = Op::apply(sums[threadIdx.x - distance], value);
        __syncthreads(); // they have been read
    }
    sums[threadIdx.x] = value;
    __syncthreads();
    return value;
}

// Scans the items at `first` and after, writes results unless `result` is NULL, and returns the fold of `before` and
// the tile. items and result may be the same.
template <typename Op>
static __device__ typename Op::item scan_tile(const typename Op::item *items, uint64_t n, uint64_t first,
                                              typename Op::item before, bool inclusive, typename Op::item *result)
{
    typedef typename Op::item item;
    const unsigned each = tile<sizeof(item)>::EACH;
    __shared__ item buffer[tile<sizeof(item)>::SIZE];
    __shared__ item sums[THREADS];
    item mine[each], sum = Op::identity();

#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        uint64_t at = first + i * THREADS + threadIdx.x;

        mine[i] = at < n ? items[at] : Op::identity();
    }
    __syncthreads(); // the previous tile has left the buffer
#pragma unroll
    for (unsigned i = 0; i < each; i++)
        buffer[i * THREADS + threadIdx.x] = mine[i];
    __syncthreads(); // this one is loaded
#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        mine[i] = buffer[threadIdx.x * each + i];
        sum = Op::apply(sum, mine[i]);
    }
    block_scan<Op>(sum, sums);
    item end = Op::apply(before, sums[THREADS - 1]);

    if (result == nullptr)
        return end;
    item running = threadIdx.x == 0 ? before : Op::apply(before, sums[threadIdx.x - 1]);

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
    return end;
}

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    fold_tiles(const typename Op::item *items, uint64_t n, typename Op::item *folds)
{
    uint64_t first = (uint64_t)blockIdx.x * tile<sizeof(typename Op::item)>::SIZE;
    typename Op::item fold = scan_tile<Op>(items, n, first, Op::identity(), false, nullptr);

    if (threadIdx.x == 0)
        folds[blockIdx.x] = fold;
}

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    scan_folds(typename Op::item *folds, uint64_t tiles, typename Op::item *total)
{
    typename Op::item before = Op::identity();

    for (uint64_t first = 0; first < tiles; first += tile<sizeof(typename Op::item)>::SIZE)
        before = scan_tile<Op>(folds, tiles, first, before, false, folds);
    if (threadIdx.x == 0)
        *total = before;
}

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    scan_tiles(const typename Op::item *items, uint64_t n, const typename Op::item *prefixes, bool inclusive,
               typename Op::item *result)
{
    scan_tile<Op>(items, n, (uint64_t)blockIdx.x * tile<sizeof(typename Op::item)>::SIZE, prefixes[blockIdx.x],
                  inclusive, result);
}

static uint64_t tile_count(uint64_t n, uint64_t item_size)
{
    uint64_t size = item_size == 4 ? tile<4>::SIZE : tile<8>::SIZE;

    return n / size + (n % size != 0);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t item_size = sb_operator_item_size(parameters[SB_SCAN_TYPE]);

    return tile_count(inputs[SB_SCAN_ITEMS].length, item_size) > MAX_GRID ? "more tiles than blocks in a grid"
                                                                          : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t item_size = sb_operator_item_size(parameters[SB_SCAN_TYPE]);

    return tile_count(inputs[SB_SCAN_ITEMS].length, item_size) * item_size;
}

template <typename Op>
static sb_status launch_scan(const sb_array &input, bool inclusive, void *result, void *total, void *workspace)
{
    typedef typename Op::item item;
    const item *items = (const item *)input.data;
    item *folds = (item *)workspace;
    uint64_t n = input.length, tiles = tile_count(n, sizeof(item));

    if (tiles > 0)
        fold_tiles<Op><<<(unsigned)tiles, THREADS>>>(items, n, folds);
    scan_folds<Op><<<1, THREADS>>>(folds, tiles, (item *)total);
    if (tiles > 0)
        scan_tiles<Op><<<(unsigned)tiles, THREADS>>>(items, n, folds, inclusive, (item *)result);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_operator(parameters[SB_SCAN_TYPE], parameters[SB_SCAN_OP], [=](auto op) {
        return launch_scan<decltype(op)>(inputs[SB_SCAN_ITEMS], parameters[SB_SCAN_INCLUSIVE] != 0,
                                         outputs[SB_SCAN_RESULT].data, outputs[SB_SCAN_TOTAL].data, workspace);
    });
}

extern "C" const sb_variant sb_gpu_pattern_scan_two_level[] = {
    {"pattern.scan", "two_level", "fold the tiles, scan the folds, scan the tiles", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
