// SPDX-License-Identifier: BSD-2-Clause
//
// lbs_segreduce: for each segment, all that a behaviour returns for its items combined, whatever the lengths of the
// segments are. segmented_reduce: the same of the items of a sequence.
//
// Segments and starts as in transform_lbs.cuh; operators as for reduce.cuh: associative, not necessarily commutative; sums
// of floats are the same bits on every run. An empty segment gives the identity.
// A block takes a tile of items and segments. Each thread combines its adjacent items up to the end of each segment, a
// segmented scan (prim/segmented_scan.cuh) gives what comes before its first one, and the results go to their segments. A
// segment that goes on behind the tile leaves what it has so far with the tile. These values are scanned the same way, and
// a last kernel puts them before the results of segments that ended in a later tile than they began.
// Source: S. Baxter, "Modern GPU" (2013).
// Cost: items are read once, starts twice, results are written once; scratch memory of 32 bytes a tile for items of up to 8
// bytes.
#ifndef SAMEBITS_PATTERN_LBS_SEGREDUCE_CUH
#define SAMEBITS_PATTERN_LBS_SEGREDUCE_CUH

#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/transform.cuh>
#include <samebits/pattern/transform_lbs.cuh>
#include <samebits/prim/segmented_scan.cuh>

namespace sb
{

// As default_tune: items and their segments are in shared memory.
template <unsigned BYTES> struct segreduce_tune : tune<256, BYTES <= 4 ? 11 : BYTES <= 8 ? 7 : 3> {
};

// left[t]: what the segment that goes on behind tile t has there, marked if it began in the tile. opened[t]: the segment
// that began before tile t and ended in it, or NO_SEGMENT.
static constexpr uint64_t NO_SEGMENT = ~(uint64_t)0;

template <typename Tune, typename T, typename Starts, typename Behaviour, typename Op, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    segreduce_kernel(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                     const uint64_t *split, T *result, marked<T> *left, uint64_t *opened,
                     restricted<Arguments>... arguments)
{
    typedef marked<T> value;
    __shared__ unsigned number[Tune::SIZE];
    __shared__ unsigned warp_numbers[Tune::WARPS];
    __shared__ T buffer[Tune::SIZE];
    __shared__ value warp_values[Tune::WARPS];
    const balanced_tile tile = balance_tile<Tune::SIZE>(split, blockIdx.x, segments, items);
    const segmented<Op> with = {op};

    for (unsigned s = threadIdx.x; s < tile.segments; s += Tune::THREADS) {
        uint64_t segment = tile.first_segment + s;

        if ((uint64_t)start[segment] == (segment + 1 < segments ? (uint64_t)start[segment + 1] : items))
            result[segment] = identity;
    }
    number_segments<Tune::THREADS>(tile, start, segments, items, number, warp_numbers);
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        buffer[at] = identity;
        if (at < tile.items) {
            uint64_t item = tile.first_item + at, segment = tile.first_segment + number[at] - 1;

            buffer[at] = behaviour(item, segment, item - (uint64_t)start[segment], arguments...);
        }
    }
    __syncthreads(); // the items are in the buffer
    const unsigned mine = threadIdx.x * Tune::EACH;
    unsigned segment = mine == 0 ? 0 : number[mine - 1]; // that of the item before
    value sum = unmarked(identity), all;

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) { // after the last item there are identities of its segment
        unsigned here = number[mine + i];

        sum = with(sum, value{buffer[mine + i], here != segment});
        segment = here;
    }
    value before = block_exclusive_scan(sum, with, unmarked(identity), warp_values, &all);

    segment = mine == 0 ? 0 : number[mine - 1];
    for (unsigned i = 0; i < Tune::EACH && mine + i < tile.items; i++) {
        unsigned here = number[mine + i];
        uint64_t index = tile.first_segment + here - 1;

        before = with(before, value{buffer[mine + i], here != segment});
        segment = here;
        bool last = mine + i + 1 == tile.items;
        bool ends = last ? (index + 1 < segments ? (uint64_t)start[index + 1] : items) == tile.first_item + tile.items
                         : number[mine + i + 1] != here;

        if (ends)
            result[index] = before.value;
        if (ends && here == 0)
            opened[blockIdx.x] = index;
        if (last) {
            left[blockIdx.x] = ends ? value{identity, 1} : before;
            if (here != 0 ? number[0] != 0 : !ends)
                opened[blockIdx.x] = NO_SEGMENT;
        }
    }
    if (threadIdx.x == 0 && tile.items == 0) { // a tile of empty segments
        left[blockIdx.x] = unmarked(identity);
        opened[blockIdx.x] = NO_SEGMENT;
    }
}

// What earlier tiles have of the segment that ends in tile t comes before what tile t has of it.
template <typename T, typename Op> struct close_segment {
    Op op;

    __device__ __forceinline__ void operator()(uint64_t t, const marked<T> *before, const uint64_t *opened,
                                               T *result) const
    {
        if (opened[t] != NO_SEGMENT)
            result[opened[t]] = op(before[t].value, result[opened[t]]);
    }
};

template <typename T> struct segreduce_scratch {
    uint64_t *split, *opened;
    marked<T> *left, *before;
    void *scan;
    uint64_t tiles, scan_bytes, bytes;
};

template <typename T, typename Tune>
segreduce_scratch<T> lay_out_segreduce(uint64_t items, uint64_t segments, void *memory)
{
    segreduce_scratch<T> s;
    workspace space(memory);

    s.tiles = divide_up(items + segments, Tune::SIZE);
    s.scan_bytes = scan_bytes<marked<T>>(s.tiles);
    s.split = space.take<uint64_t>(s.tiles);
    s.opened = space.take<uint64_t>(s.tiles);
    s.left = space.take<marked<T>>(s.tiles);
    s.before = space.take<marked<T>>(s.tiles);
    s.scan = space.take<char>(s.scan_bytes, 16);
    s.bytes = space.bytes();
    return s;
}

// Bytes of scratch memory that lbs_segreduce needs.
template <typename T, typename Tune = segreduce_tune<sizeof(T)>>
uint64_t segreduce_bytes(uint64_t items, uint64_t segments)
{
    return lay_out_segreduce<T, Tune>(items, segments, nullptr).bytes;
}

// result[s] becomes op over behaviour(item, segment, rank, arguments...) for all items of segment s, in order, and
// `identity` if it has none.
template <typename Behaviour, typename Starts, typename Op, typename T, typename... Arguments>
cudaError_t lbs_segreduce(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                          T *result, const context &on, Arguments... arguments)
{
    typedef segreduce_tune<sizeof(T)> tuned;
    scratch space(on, segreduce_bytes<T>(items, segments));
    segreduce_scratch<T> s = lay_out_segreduce<T, tuned>(items, segments, space.memory());
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess)
        error = split_segments<tuned>(start, segments, items, s.split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    segreduce_kernel<tuned, T, Starts, Behaviour, Op, Arguments...><<<blocks, tuned::THREADS, 0, on.stream>>>(
        behaviour, items, start, segments, op, identity, s.split, result, s.left, s.opened, arguments...);
    error = cudaPeekAtLastError();
    if (error != cudaSuccess || blocks == 1)
        return error;
    error = scan((const marked<T> *)s.left, s.tiles, segmented<Op>{op}, unmarked(identity), EXCLUSIVE, s.before,
                 (marked<T> *)nullptr, context(on.stream, given_memory(s.scan)));
    return error != cudaSuccess ? error
                                : transform(close_segment<T, Op>{op}, s.tiles, on, (const marked<T> *)s.before,
                                            (const uint64_t *)s.opened, result);
}

// The same over the items of a sequence.
template <typename Items, typename Starts, typename Op, typename T>
cudaError_t segmented_reduce(Items items, uint64_t count, Starts start, uint64_t segments, Op op, T identity, T *result,
                             const context &on)
{
    return lbs_segreduce(element_of<Items>{items}, count, start, segments, op, identity, result, on);
}

} // namespace sb

#endif
