// SPDX-License-Identifier: BSD-2-Clause
//
// Reductions and scans of items share the tiles defined here; each block takes one.
#ifndef GPU_PATTERN_TILE_CUH
#define GPU_PATTERN_TILE_CUH

#include "operator.cuh"
#include <samebits/prim/block.cuh>

enum {
    THREADS = 256, // in a block; not tuned
    WARPS = THREADS / sb::WARP_LANES
};

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x: a limit of CUDA

namespace
{

// For items of BYTES bytes: how many a thread and a tile have. A tile fills 14 or 15 KiB of shared memory, so that
// several blocks share a multiprocessor. EACH is odd, because threads then read runs of items without bank conflicts.
template <uint64_t BYTES> struct tile {
    static constexpr unsigned EACH = BYTES == 4 ? 15 : 7, SIZE = THREADS * EACH;
};

} // namespace

// The last: items of 8 bytes have as many tiles as a tile has items.
static const uint64_t tile_sizes[] = {tile<8>::SIZE, tile<4>::SIZE, uint64_t{tile<8>::SIZE} * tile<8>::SIZE, 0};

static uint64_t tile_count(uint64_t n, uint64_t item_size)
{
    return sb::divide_up(n, item_size == 4 ? tile<4>::SIZE : tile<8>::SIZE);
}

// TYPE: the parameter that names the items' type; ITEMS: the input that holds them.
template <int TYPE, int ITEMS> static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return tile_count(inputs[ITEMS].length, sb_operator_item_size(parameters[TYPE])) > MAX_GRID
               ? "more tiles than blocks in a grid"
               : nullptr;
}

// The thread's items of the tile that begins at `first`, in blocked arrangement; after the last item there are
// identities. One barrier, between writing and reading the buffer.
template <typename Op, unsigned EACH>
static __device__ __forceinline__ void load_tile(const typename Op::item *items, uint64_t n, uint64_t first,
                                                 typename Op::item (&mine)[EACH],
                                                 typename Op::item (&buffer)[THREADS * EACH])
{
    sb::load_striped<THREADS>(items, n, first, Op::identity(), mine);
    sb::striped_to_blocked<THREADS>(mine, buffer);
}

// Stores the scan of the tile that begins at `first`, after the value `before` for this thread. One barrier, between
// writing and reading the buffer.
template <typename Op, unsigned EACH>
static __device__ __forceinline__ void
store_scan(typename Op::item before, bool inclusive, const typename Op::item (&mine)[EACH],
           typename Op::item (&buffer)[THREADS * EACH], uint64_t n, uint64_t first, typename Op::item *result)
{
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        typename Op::item next = Op()(before, mine[i]);

        buffer[threadIdx.x * EACH + i] = inclusive ? next : before;
        before = next;
    }
    __syncthreads(); // the results are in the buffer
    sb::store_buffer<THREADS>(buffer, n, first, result);
}

// The thread's items combined, first to last.
template <typename Op, unsigned EACH>
static __device__ __forceinline__ typename Op::item fold(const typename Op::item (&mine)[EACH])
{
    typename Op::item sum = Op::identity();

#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        sum = Op()(sum, mine[i]);
    return sum;
}

#endif
