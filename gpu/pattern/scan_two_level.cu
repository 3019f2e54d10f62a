// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.scan/two_level: reduce the tiles, scan their sums, scan the tiles.
//
// One function scans a tile after a given prefix and returns prefix and tile combined. Three kernels use it: one block
// for each tile computes the sums alone; one block scans the sums tile by tile, and the prefix of each tile is the
// combination of the tiles before it; and one block for each tile computes the results. In a tile each thread combines
// consecutive items, and these values are scanned in shared memory: in step i every thread, whose value then covers 2^i
// threads, takes in the value of the 2^i threads before those.
// Source: W. D. Hillis and G. L. Steele, "Data parallel algorithms" (1986), for the scan of a tile.
// Shared memory: the tile, 15 KiB, through which coalesced loads and stores meet the run of items of each thread, and
// one value for each thread.
// Cost: items are read twice and written once; one item of workspace for each tile.
#include "tile.cuh"

// The values of the caller and all threads before it, combined; afterwards sums[i] is the result of thread i. Two
// barriers in each step, and one at the end.
template <typename Op>
static __device__ typename Op::item scan_by_doubling(typename Op::item value, typename Op::item sums[THREADS])
{
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        sums[threadIdx.x] = value;
        __syncthreads(); // all threads have written their sums of this step
        if (threadIdx.x >= distance)
            value = Op()(sums[threadIdx.x - distance], value);
        __syncthreads(); // they have been read
    }
    sums[threadIdx.x] = value;
    __syncthreads(); // all threads have written their results
    return value;
}

// Scans the items at `first` and after, writes results unless `result` is null, and returns `before` and the tile
// combined. items and result may be the same.
template <typename Op>
static __device__ typename Op::item scan_tile(const typename Op::item *items, uint64_t n, uint64_t first,
                                              typename Op::item before, bool inclusive, typename Op::item *result)
{
    typedef typename Op::item item;
    __shared__ item buffer[tile<sizeof(item)>::SIZE];
    __shared__ item sums[THREADS];
    item mine[tile<sizeof(item)>::EACH];

    sb::load_striped<THREADS>(items, n, first, Op::identity(), mine);
    // no barrier: a thread writes to the buffer what it has read itself when the tile before was stored
    sb::striped_to_blocked<THREADS>(mine, buffer);
    scan_by_doubling<Op>(fold<Op>(mine), sums);
    item end = Op()(before, sums[THREADS - 1]);

    if (result != nullptr)
        store_scan<Op>(threadIdx.x == 0 ? before : Op()(before, sums[threadIdx.x - 1]), inclusive, mine, buffer, n,
                       first, result);
    return end;
}

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    reduce_tiles(const typename Op::item *items, uint64_t n, typename Op::item *sums)
{
    uint64_t first = (uint64_t)blockIdx.x * tile<sizeof(typename Op::item)>::SIZE;
    typename Op::item sum = scan_tile<Op>(items, n, first, Op::identity(), false, nullptr);

    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    scan_sums(typename Op::item *sums, uint64_t tiles, typename Op::item *total)
{
    typename Op::item before = Op::identity();

    for (uint64_t first = 0; first < tiles; first += tile<sizeof(typename Op::item)>::SIZE)
        before = scan_tile<Op>(sums, tiles, first, before, false, sums);
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
    item *sums = (item *)workspace;
    uint64_t n = input.length, tiles = tile_count(n, sizeof(item));

    if (tiles > 0)
        reduce_tiles<Op><<<(unsigned)tiles, THREADS>>>(items, n, sums);
    scan_sums<Op><<<1, THREADS>>>(sums, tiles, (item *)total);
    if (tiles > 0)
        scan_tiles<Op><<<(unsigned)tiles, THREADS>>>(items, n, sums, inclusive, (item *)result);
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
    {"pattern.scan", "two_level", "reduce the tiles, scan their sums, scan the tiles",
     refuses<SB_SCAN_TYPE, SB_SCAN_ITEMS>, workspace_bytes, launch, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
