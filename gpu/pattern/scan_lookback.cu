// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.scan/lookback: one pass; a block scans one tile and looks back for the value of everything before it.
//
// A block draws its tile from a counter, so that the blocks of all earlier tiles run or have ended and may be waited
// for. Each thread combines consecutive items, the block scans these values, and sb::block_look_back publishes the
// tile's aggregate and finds the prefix. How items are bracketed never depends on timing, so sums of floats are the
// same bits on every run.
// Source: D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016).
// Shared memory: the tile, 15 KiB, through which coalesced loads and stores meet the run of items of each thread, and
// two arrays with one value for each warp, one for each scan of the block.
// Cost: each item is read and written once; the workspace has 4 bytes and one item for each tile, and the flags are
// cleared first. Items of 4 bytes share a word with their flag, which saves the fences of waiting threads.
#include "tile.cuh"
#include <samebits/pattern/scan.cuh>
#include <samebits/prim/lookback.cuh>

// Blocks on a multiprocessor at once: it leaves 48 registers for each thread, which hold a tile's items without
// spilling.
enum { RESIDENT_BLOCKS = 5 };

template <typename Op>
static __global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS)
    scan(const typename Op::item *items, uint64_t n, bool inclusive, typename Op::item *result,
         typename Op::item *total, unsigned *ticket, typename sb::scan_states<typename Op::item>::type slots)
{
    typedef typename Op::item item;
    const unsigned each = tile<sizeof(item)>::EACH, size = tile<sizeof(item)>::SIZE;
    __shared__ item buffer[size];
    __shared__ item tile_sums[WARPS], slot_sums[WARPS];
    __shared__ unsigned drawn;
    item mine[each], aggregate;
    unsigned tile = sb::draw_tile(ticket, drawn);
    uint64_t first = (uint64_t)tile * size;

    load_tile<Op>(items, n, first, mine, buffer);
    item in_tile = sb::block_exclusive_scan(fold<Op>(mine), Op(), Op::identity(), tile_sums, &aggregate);
    item before = sb::block_look_back<THREADS>(slots, tile, aggregate, Op(), Op::identity(), slot_sums);

    if (threadIdx.x == 0 && tile == gridDim.x - 1)
        *total = Op()(before, aggregate);
    store_scan<Op>(Op()(before, in_tile), inclusive, mine, buffer, n, first, result);
}

// No items still make a tile: it writes the total.
static uint64_t block_count(uint64_t n, uint64_t item_size)
{
    return n == 0 ? 1 : tile_count(n, item_size);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t item_size = sb_operator_item_size(parameters[SB_SCAN_TYPE]);
    uint64_t tiles = block_count(inputs[SB_SCAN_ITEMS].length, item_size);
    sb::workspace space(nullptr);

    if (item_size == 4)
        (void)sb::scan_states<uint32_t>(tiles + 1, space);
    else
        (void)sb::scan_states<uint64_t>(tiles + 1, space);
    return space.bytes();
}

template <typename Op>
static sb_status launch_scan(const sb_array &items, bool inclusive, void *result, void *total, void *workspace)
{
    typedef typename Op::item item;
    uint64_t tiles = block_count(items.length, sizeof(item));
    sb::workspace space(workspace);
    const sb::scan_states<item> states(tiles + 1, space);

    if (cudaMemsetAsync(states.flags, 0, states.flag_bytes, 0) != cudaSuccess)
        return SB_FAILED;
    scan<Op><<<(unsigned)tiles, THREADS>>>((const item *)items.data, items.length, inclusive, (item *)result,
                                           (item *)total, (unsigned *)states.flags, states.slot);
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
    {"pattern.scan", "lookback", "one pass: one block for each tile looks back for its prefix",
     refuses<SB_SCAN_TYPE, SB_SCAN_ITEMS>, workspace_bytes, launch, tile_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
