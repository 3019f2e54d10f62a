// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns over the items of segments, shared out evenly whatever the lengths of the segments are
// (prim/load_balance.cuh).
//
//     start  0 2 2 5, 6 items     segment   0 0 2 2 2 3
//                                 rank      0 1 0 1 2 0
//
// transform_lbs         calls a behaviour for each item, with its segment, its rank in the segment, and what the caller
//                       wants to know of the segment
// load_balance_search   writes segment and rank of each item
// Starts are any sequence of numbers that begins with 0 and does not descend; the last segment ends with the last item.
// A first kernel cuts the work into tiles, a thread for each; then a block takes each tile.
// Source: S. Baxter, "Modern GPU" (2013).
// Cost: each start is read once or twice, and what the behaviour costs; scratch memory of 8 bytes a tile. Shared memory: 4
// bytes for each item of a tile.
#ifndef SAMEBITS_PATTERN_TRANSFORM_LBS_CUH
#define SAMEBITS_PATTERN_TRANSFORM_LBS_CUH

#include <samebits/pattern/sequence.cuh>
#include <samebits/prim/load_balance.cuh>

namespace sb
{

// 11 items a thread: odd, so that threads that read runs of shared memory use different banks. Not tuned.
typedef tune<256, 11> lbs_tune;

enum : unsigned { LBS_SPLIT_THREADS = 128 };

template <typename Starts>
__global__ void __launch_bounds__(LBS_SPLIT_THREADS)
    split_segments_kernel(Starts start, uint64_t segments, uint64_t items, uint64_t tiles, unsigned size,
                          uint64_t *split)
{
    uint64_t tile = (uint64_t)blockIdx.x * LBS_SPLIT_THREADS + threadIdx.x;

    if (tile < tiles)
        split[tile] = segments_before(start, segments, items, tile * size);
}

// Bytes of scratch memory that a pattern over `items` items of `segments` segments needs.
template <typename Tune = lbs_tune> uint64_t lbs_bytes(uint64_t items, uint64_t segments)
{
    return divide_up(items + segments, Tune::SIZE) * sizeof(uint64_t);
}

// split[t] becomes how many segments come before tile t. *blocks: the tiles.
template <typename Tune, typename Starts>
cudaError_t split_segments(Starts start, uint64_t segments, uint64_t items, uint64_t *split, unsigned *blocks,
                           const context &on)
{
    cudaError_t error = count_blocks<Tune::SIZE>(items + segments, blocks);

    if (error != cudaSuccess || *blocks == 0)
        return error;
    split_segments_kernel<<<*blocks / LBS_SPLIT_THREADS + 1, LBS_SPLIT_THREADS, 0, on.stream>>>(
        start, segments, items, *blocks, Tune::SIZE, split);
    return cudaPeekAtLastError();
}

// Calls act(item, segment, begin) for each item of the tile, by adjacent threads for adjacent items; begin is the item with
// which its segment begins. All threads of the block call.
template <typename Tune, typename Starts, typename Act>
__device__ __forceinline__ void for_items(const balanced_tile &tile, const Starts &start, uint64_t segments,
                                          uint64_t items, unsigned (&number)[Tune::SIZE],
                                          unsigned (&warp_results)[Tune::WARPS], Act act)
{
    if (tile.segments == 0) { // all items belong to the segment that began before
        const uint64_t segment = tile.first_segment - 1, begin = start[segment];

#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            unsigned at = i * Tune::THREADS + threadIdx.x;

            if (at < tile.items)
                act(tile.first_item + at, segment, begin);
        }
        return;
    }
    number_segments<Tune::THREADS>(tile, start, segments, items, number, warp_results);
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < tile.items) {
            uint64_t segment = tile.first_segment + number[at] - 1;

            act(tile.first_item + at, segment, (uint64_t)start[segment]);
        }
    }
}

template <typename Tune, typename Starts, typename Behaviour, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    transform_lbs_kernel(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, const uint64_t *split,
                         restricted<Arguments>... arguments)
{
    __shared__ unsigned number[Tune::SIZE];
    __shared__ unsigned warp_results[Tune::WARPS];

    for_items<Tune>(
        balance_tile<Tune::SIZE>(split, blockIdx.x, segments, items), start, segments, items, number, warp_results,
        [&](uint64_t item, uint64_t segment, uint64_t begin) { behaviour(item, segment, item - begin, arguments...); });
}

// Calls behaviour(item, segment, rank, arguments...) once for each item, in any order. Items before the first start belong
// to no segment: there must be none.
template <typename Tune = lbs_tune, typename Behaviour, typename Starts, typename... Arguments>
cudaError_t transform_lbs(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, const context &on,
                          Arguments... arguments)
{
    scratch space(on, lbs_bytes<Tune>(items, segments));
    uint64_t *split = (uint64_t *)space.memory();
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess)
        error = split_segments<Tune>(start, segments, items, split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    transform_lbs_kernel<Tune, Starts, Behaviour, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(behaviour, items, start, segments, split, arguments...);
    return cudaPeekAtLastError();
}

template <typename Index> struct write_segment_and_rank {
    __device__ __forceinline__ void operator()(uint64_t item, uint64_t segment, uint64_t rank, Index *segment_of,
                                               Index *rank_of) const
    {
        segment_of[item] = (Index)segment;
        if (rank_of != nullptr)
            rank_of[item] = (Index)rank;
    }
};

// segment_of[i] and rank_of[i] become the segment of item i and its rank in it; rank_of may be null. Index is an unsigned
// type that holds them.
template <typename Starts, typename Index>
cudaError_t load_balance_search(uint64_t items, Starts start, uint64_t segments, Index *segment_of, Index *rank_of,
                                const context &on)
{
    return transform_lbs(write_segment_and_rank<Index>(), items, start, segments, on, segment_of, rank_of);
}

} // namespace sb

#endif
