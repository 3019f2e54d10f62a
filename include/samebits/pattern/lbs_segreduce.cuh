// SPDX-License-Identifier: BSD-2-Clause
//
// lbs_segreduce: for each segment, all that a behaviour returns for its items combined, whatever the lengths of the
// segments are. segmented_reduce: the same of the items of a sequence.
//
// Segments and starts as in transform_lbs.cuh; operators as for reduce.cuh: associative, not necessarily commutative; sums
// of floats are the same bits on every run. An empty segment gives the identity.
// Segments that are long on average are reduced as long_segments.cuh says, and others as follows. A block takes a tile of items and segments. Each thread combines its adjacent items from the last head of a segment on, a
// segmented scan (prim/segmented_scan.cuh) gives what comes before its first one, and threads that have heads then close
// the segments that end there. A segment that goes on behind the tile leaves what it has so far with the tile. These values
// are scanned the same way, and a last kernel puts them before the results of segments that ended in a later tile than they
// began.
// Source: S. Baxter, "Modern GPU" (2013).
// Cost: items are read once, starts twice, results are written once; scratch memory of 32 bytes a tile for items of up to 8
// bytes.
#ifndef SAMEBITS_PATTERN_LBS_SEGREDUCE_CUH
#define SAMEBITS_PATTERN_LBS_SEGREDUCE_CUH

#include <samebits/pattern/long_segments.cuh>
#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/transform.cuh>
#include <samebits/pattern/transform_lbs.cuh>
#include <samebits/prim/segmented_scan.cuh>

namespace sb
{

// 23 KiB of shared memory for items of 4 bytes, their segments, and results. Odd, so that threads that read runs of items
// use different banks. On an H200, 128 threads with 15 items were 9% faster than with 11 and 5% faster than 256 with 15, at
// 2^28 items and segments of 16, and at all other lengths as well. Not tuned for other sizes.
template <unsigned BYTES> struct segreduce_tune : tune<128, BYTES <= 4 ? 15 : BYTES <= 8 ? 9 : 5> {
};

// left[t]: what the segment that goes on behind tile t has there, marked if it began in the tile. opened[t]: the segment
// that began before tile t and ended in it, or NO_SEGMENT.
// Whether a behaviour wants to know segment and rank of an item.
template <typename Behaviour> struct wants_segment : std::true_type {
};

template <typename Items> struct wants_segment<element_of<Items>> : std::false_type {
};

// The thread's adjacent items of a tile, and a bit of `heads` for each with which a segment begins.
template <typename Tune, typename T> struct items_and_heads {
    T item[Tune::EACH];
    unsigned heads;

    // What they amount to from the last head on; its mark is the head's number.
    template <typename Op>
    __device__ __forceinline__ marked<T> load(const T (&buffer)[Tune::SIZE], const unsigned (&word)[Tune::SIZE],
                                              bool all_named, Op op, T identity)
    {
        const unsigned mine = threadIdx.x * Tune::EACH;
        unsigned before = all_named && mine != 0 ? number_of(word[mine - 1]) : 0;
        marked<T> sum = unmarked(identity);

        heads = 0;
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            const unsigned here = number_of(word[mine + i]);
            const bool head = all_named ? here != before : here != 0;

            before = here;
            item[i] = buffer[mine + i];
            heads |= (unsigned)head << i;
            sum.value = head ? item[i] : op(sum.value, item[i]);
            sum.mark = head ? here : sum.mark;
        }
        return sum;
    }
};

template <typename Tune, typename T, typename Starts, typename Behaviour, typename Op, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    segreduce_kernel(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                     const uint64_t *split, T *result, marked<T> *left, uint64_t *opened,
                     restricted<Arguments>... arguments)
{
    constexpr bool NAMED = wants_segment<Behaviour>::value;
    __shared__ unsigned word[Tune::SIZE];
    __shared__ unsigned warp_numbers[Tune::WARPS];
    __shared__ T buffer[Tune::SIZE], staged[Tune::SIZE]; // items; results of the segments that begin in the tile
    __shared__ marked<T> warp_values[Tune::WARPS];
    __shared__ unsigned complete;
    const balanced_tile tile = balance_tile<Tune::SIZE>(split, blockIdx.x, segments, items);
    const uint64_t open = tile.first_segment - 1, behind = tile.first_segment + tile.segments;
    const uint64_t end = tile.first_item + tile.items;
    uint64_t last_begin = 0, next_begin = items; // of the last segment of the tile, and of the one behind
    T loaded[Tune::EACH];
    auto as_empty = [&](unsigned slot, uint64_t) {
        if (slot != 0)
            staged[slot - 1] = identity;
    };

    if (threadIdx.x == 0) {
        if (tile.segments != 0)
            last_begin = start[behind - 1];
        if (behind < segments)
            next_begin = start[behind];
    }
    if constexpr (NAMED) {
        const uint64_t open_begin = tile.first_segment == 0 ? 0 : (uint64_t)start[open] - tile.first_item;

        number_segments<Tune::THREADS>(tile, start, segments, items, word, warp_numbers, as_empty);
        load_rows<Tune::THREADS>(
            tile.items,
            [&](unsigned at) -> T {
                const unsigned here = word[at], number = number_of(here);

                return behaviour(tile.first_item + at, open + number, at - (number != 0 ? begin_of(here) : open_begin),
                                 arguments...);
            },
            identity, loaded);
    } else {
        load_rows<Tune::THREADS>(
            tile.items, [&](unsigned at) -> T { return behaviour(tile.first_item + at, arguments...); }, identity,
            loaded);
        mark_segments<Tune::THREADS>(tile, start, segments, items, word, as_empty);
    }
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        buffer[i * Tune::THREADS + threadIdx.x] = loaded[i];
    __syncthreads(); // items and heads are in shared memory
    const segmented<Op> with = {op};
    items_and_heads<Tune, T> mine;
    marked<T> sum = mine.load(buffer, word, NAMED, op, identity), all;

    sum = block_exclusive_scan(sum, with, unmarked(identity), warp_values, &all);
    if (mine.heads != 0) {
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            if ((mine.heads >> i & 1) == 0) {
                sum.value = op(sum.value, mine.item[i]);
                continue;
            }
            if (sum.mark != 0)
                staged[sum.mark - 1] = sum.value;
            else if (threadIdx.x * Tune::EACH + i != 0) // not the first item: there are some of an older segment
                result[open] = sum.value;
            sum = {mine.item[i], number_of(word[threadIdx.x * Tune::EACH + i])};
        }
    }
    if (threadIdx.x == 0) {
        // The last segment that has items here ends here if one begins behind them.
        const bool some = tile.items != 0, goes_on = some && number_of(word[0]) == 0;
        const bool ends = some && (next_begin == end || (tile.segments != 0 && last_begin == end));

        if (ends && all.mark != 0)
            staged[all.mark - 1] = all.value;
        else if (ends)
            result[open] = all.value;
        left[blockIdx.x] = ends ? marked<T>{identity, 1} : marked<T>{all.value, all.mark != 0};
        opened[blockIdx.x] = goes_on && (ends || all.mark != 0) ? open : NO_SEGMENT;
        complete = tile.segments - (tile.segments != 0 && next_begin != end); // the last one goes on behind the tile
    }
    __syncthreads(); // all results are staged
    for_rows<Tune::THREADS>(complete, [&](unsigned s) { result[tile.first_segment + s] = staged[s]; });
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
    return are_long(items, segments) ? lay_out_long_segments<T, long_tune<sizeof(T)>>(items, nullptr).bytes
                                     : lay_out_segreduce<T, Tune>(items, segments, nullptr).bytes;
}

// result[s] becomes op over behaviour(item, segment, rank, arguments...) for all items of segment s, in order, and
// `identity` if it has none.
template <typename Tune, typename Behaviour, typename Starts, typename Op, typename T, typename... Arguments>
cudaError_t lbs_segreduce_by(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                             T *result, const context &on, Arguments... arguments)
{
    constexpr bool GOOD = is_called<Behaviour, T, uint64_t, uint64_t, uint64_t, Arguments &...>(),
                   GOOD_OP = is_called<Op, T, T &, T &>();
    static_assert(GOOD, "lbs_segreduce: the behaviour is called as item behaviour(uint64_t item, uint64_t segment, "
                        "uint64_t rank, arguments...)");
    static_assert(GOOD_OP, "lbs_segreduce, segmented_reduce: the operator is called as item op(item, item)");
    typedef called_as<GOOD, T, Behaviour> load;
    typedef called_as<GOOD_OP, T, Op> combine;
    const combine with(op);
    scratch space(on, segreduce_bytes<T, Tune>(items, segments));
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess && are_long(items, segments))
        return reduce_long_segments<long_tune<sizeof(T)>>(load(behaviour), items, start, segments, with, identity,
                                                          result, space.memory(), on, arguments...);
    segreduce_scratch<T> s = lay_out_segreduce<T, Tune>(items, segments, space.memory());

    if (error == cudaSuccess)
        error = split_segments<Tune>(start, segments, items, s.split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    segreduce_kernel<Tune, T, Starts, load, combine, Arguments...><<<blocks, Tune::THREADS, 0, on.stream>>>(
        load(behaviour), items, start, segments, with, identity, s.split, result, s.left, s.opened, arguments...);
    error = cudaPeekAtLastError();
    if (error != cudaSuccess || blocks == 1)
        return error;
    error = scan((const marked<T> *)s.left, s.tiles, segmented<combine>{with}, unmarked(identity), EXCLUSIVE, s.before,
                 (marked<T> *)nullptr, context(on.stream, given_memory(s.scan)));
    return error != cudaSuccess ? error
                                : transform(close_segment<T, combine>{with}, s.tiles, on, (const marked<T> *)s.before,
                                            (const uint64_t *)s.opened, result);
}

template <typename Behaviour, typename Starts, typename Op, typename T, typename... Arguments>
cudaError_t lbs_segreduce(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                          T *result, const context &on, Arguments... arguments)
{
    return lbs_segreduce_by<segreduce_tune<sizeof(T)>>(behaviour, items, start, segments, op, identity, result, on,
                                                       arguments...);
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
