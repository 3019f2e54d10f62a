// SPDX-License-Identifier: BSD-2-Clause
//
// Patterns over the items of segments, shared out evenly whatever the lengths of the segments are
// (prim/load_balance.cuh).
//
//     start  0 2 2 5, 6 items     segment   0 0 2 2 2 3
//                                 rank      0 1 0 1 2 0
//
// transform_lbs         calls a behaviour for each item, with its segment, its rank in the segment, and values of the
//                       segment, which are loaded once for a segment, not for each item
// load_balance_search   writes segment and rank of each item
// Starts are any sequence of numbers that begins with 0 and does not descend; the last segment ends with the last item.
// A first kernel cuts the work into tiles, a warp for each; then a block takes each tile.
// Source: S. Baxter, "Modern GPU" (2013).
// Cost: each start is read once or twice, and what the behaviour costs; scratch memory of 8 bytes a tile. Shared memory: 4
// bytes for each item of a tile, and its values.
#ifndef SAMEBITS_PATTERN_TRANSFORM_LBS_CUH
#define SAMEBITS_PATTERN_TRANSFORM_LBS_CUH

#include <samebits/pattern/sequence.cuh>
#include <samebits/prim/load_balance.cuh>
#include <utility>

namespace sb
{

// ---- values of segments ----

// What the caller wants to know of each segment: of_segments(weight, colour) are sequences with an element for each: pointers,
// or structures whose operator[] names its type; not sequence(lambda), because nvcc does not tell the host what a lambda
// returns. In shared memory a tile keeps the elements of its segments, and in slot 0 those of the segment that began before.
template <unsigned SLOTS, typename... Sequences> struct segment_slots {
};

template <unsigned SLOTS, typename First, typename... Rest> struct segment_slots<SLOTS, First, Rest...> {
    std::decay_t<decltype(std::declval<First>()[0])> value[SLOTS];
    segment_slots<SLOTS, Rest...> rest;
};

template <typename... Sequences> struct segment_values {
    static constexpr unsigned BYTES = 0; // of the elements of a segment

    template <typename Slots> __device__ __forceinline__ void load(Slots &, unsigned, uint64_t) const
    {
    }
    // act(known..., values...): those of a slot, or those of a segment.
    template <typename Slots, typename Act, typename... Known>
    __device__ __forceinline__ auto call(const Slots &, unsigned, const Act &act, Known... known) const
    {
        return act(known...);
    }
    template <typename Act, typename... Known>
    __device__ __forceinline__ auto call_of(uint64_t, const Act &act, Known... known) const
    {
        return act(known...);
    }
};

template <typename First, typename... Rest> struct segment_values<First, Rest...> {
    typedef std::decay_t<decltype(std::declval<First>()[0])> value;
    static constexpr unsigned BYTES = (unsigned)sizeof(value) + segment_values<Rest...>::BYTES;
    First first;
    segment_values<Rest...> rest;

    template <typename Slots> __device__ __forceinline__ void load(Slots &slots, unsigned slot, uint64_t segment) const
    {
        slots.value[slot] = first[segment];
        rest.load(slots.rest, slot, segment);
    }
    template <typename Slots, typename Act, typename... Known>
    __device__ __forceinline__ auto call(const Slots &slots, unsigned slot, const Act &act, Known... known) const
    {
        return rest.call(slots.rest, slot, act, known..., slots.value[slot]);
    }
    template <typename Act, typename... Known>
    __device__ __forceinline__ auto call_of(uint64_t segment, const Act &act, Known... known) const
    {
        return rest.call_of(segment, act, known..., first[segment]);
    }
};

inline segment_values<> of_segments()
{
    return {};
}

template <typename First, typename... Rest> segment_values<First, Rest...> of_segments(First first, Rest... rest)
{
    return {first, of_segments(rest...)};
}

// ---- tiles ----

// Items of a thread, for values of BYTES bytes a segment: shared memory for 5 or 6 blocks on a multiprocessor. Odd, so that
// threads that read runs of shared memory use different banks. Not tuned.
template <unsigned BYTES> struct lbs_tune_of : tune<256, BYTES <= 8 ? 11 : BYTES <= 16 ? 7 : BYTES <= 40 ? 3 : 1> {
};

typedef lbs_tune_of<0> lbs_tune;

enum : unsigned { LBS_SPLIT_THREADS = 128 };

// The base of behaviours that load and store in two steps: held load(item, segment, rank, values..., arguments...) and
// store(held, the same). All loads of a thread are then in flight at once.
struct in_two_steps {
};

template <typename Starts>
__global__ void __launch_bounds__(LBS_SPLIT_THREADS)
    split_segments_kernel(Starts start, uint64_t segments, uint64_t items, uint64_t tiles, unsigned size,
                          uint64_t *split)
{
    const uint64_t tile = (uint64_t)blockIdx.x * (LBS_SPLIT_THREADS / WARP_LANES) + warp_index();

    if (tile >= tiles)
        return;
    const uint64_t before = segments_before(start, segments, items, tile * size);

    if (lane_index() == 0)
        split[tile] = before;
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
    split_segments_kernel<<<*blocks / (LBS_SPLIT_THREADS / WARP_LANES) + 1, LBS_SPLIT_THREADS, 0, on.stream>>>(
        start, segments, items, *blocks, Tune::SIZE, split);
    return cudaPeekAtLastError();
}

template <typename Tune, typename Starts, typename Behaviour, typename Values, typename Slots, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    transform_lbs_kernel(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Values values,
                         const uint64_t *split, restricted<Arguments>... arguments)
{
    __shared__ unsigned word[Tune::SIZE];
    __shared__ unsigned warp_results[Tune::WARPS];
    __shared__ Slots slots;
    const balanced_tile tile = balance_tile<Tune::SIZE>(split, blockIdx.x, segments, items);
    const uint64_t open = tile.first_segment - 1; // the segment that began before, if there is one
    // Where it began, from the tile's first item on: modulo 2^64.
    const uint64_t open_begin = tile.first_segment == 0 ? 0 : (uint64_t)start[open] - tile.first_item;

    // with_item(at, act) calls act(item, segment, rank, values...) for an item of the tile.
    auto for_items = [&](auto with_item) {
        if constexpr (std::is_base_of<in_two_steps, Behaviour>::value) {
            typename Behaviour::held held[Tune::EACH];

            load_rows<Tune::THREADS>(
                tile.items,
                [&](unsigned at) {
                    return with_item(at, [&](auto... known) { return behaviour.load(known..., arguments...); });
                },
                typename Behaviour::held(), held);
#pragma unroll
            for (unsigned i = 0; i < Tune::EACH; i++)
                if (i * Tune::THREADS + threadIdx.x < tile.items)
                    with_item(i * Tune::THREADS + threadIdx.x,
                              [&](auto... known) { behaviour.store(held[i], known..., arguments...); });
        } else {
            for_aligned_rows<Tune::THREADS>(tile.first_item, tile.items, [&](unsigned at) {
                with_item(at, [&](auto... known) { behaviour(known..., arguments...); });
            });
        }
    };

    if (tile.segments == 0) { // all items are of the open segment
        for_items([&](unsigned at, auto act) {
            return values.call_of(open, act, tile.first_item + at, open, at - open_begin);
        });
        return;
    }
    number_segments<Tune::THREADS>(tile, start, segments, items, word, warp_results,
                                   [&](unsigned slot, uint64_t segment) { values.load(slots, slot, segment); });
    for_items([&](unsigned at, auto act) {
        const unsigned here = word[at], number = number_of(here);

        return values.call(slots, number, act, tile.first_item + at, open + number,
                           at - (number != 0 ? begin_of(here) : open_begin));
    });
}

// Calls behaviour(item, segment, rank, values..., arguments...) once for each item, in any order. `values` are the elements
// of the item's segment in the sequences that of_segments names. Items before the first start belong to no segment: there
// must be none.
template <typename Tune, typename Behaviour, typename Starts, typename... Sequences, typename... Arguments>
cudaError_t transform_lbs_by(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments,
                             segment_values<Sequences...> values, const context &on, Arguments... arguments)
{
    constexpr bool GOOD = std::is_base_of<in_two_steps, Behaviour>::value ||
                          is_called<Behaviour, void, uint64_t, uint64_t, uint64_t,
                                    std::decay_t<element_type<Sequences>>..., Arguments &...>();
    static_assert(GOOD, "transform_lbs: the function is called as f(uint64_t item, uint64_t segment, uint64_t rank, "
                        "values of the segment..., arguments...)");
    typedef called_as<GOOD, void, Behaviour> chosen;
    scratch space(on, lbs_bytes<Tune>(items, segments));
    uint64_t *split = (uint64_t *)space.memory();
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess)
        error = split_segments<Tune>(start, segments, items, split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    transform_lbs_kernel<Tune, Starts, chosen, segment_values<Sequences...>,
                         segment_slots<Tune::SIZE + 1, Sequences...>, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(chosen(behaviour), items, start, segments, values, split,
                                                  arguments...);
    return cudaPeekAtLastError();
}

template <typename Behaviour, typename Starts, typename... Sequences, typename... Arguments>
cudaError_t transform_lbs(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments,
                          segment_values<Sequences...> values, const context &on, Arguments... arguments)
{
    return transform_lbs_by<lbs_tune_of<segment_values<Sequences...>::BYTES>>(behaviour, items, start, segments, values,
                                                                              on, arguments...);
}

// The same without values.
template <typename Tune = lbs_tune, typename Behaviour, typename Starts, typename... Arguments>
cudaError_t transform_lbs(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, const context &on,
                          Arguments... arguments)
{
    return transform_lbs_by<Tune>(behaviour, items, start, segments, of_segments(), on, arguments...);
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
// On an H200, at 2^28 items and segments of 4, 16 and 256, 512 threads with 15 items each took 0.93, 0.98 and 0.99 of the time of 11
// each; 23 took 1.00, 1.12 and 1.06, and 256 threads with 23 took 0.88, 1.01 and 1.02. Fewer items than MANY_SEARCHED take the tiles of
// lbs_tune, of which 2^20 items have enough for all multiprocessors: there the large ones took 1.06 to 1.12 of the time, at 2^22 1.03 to
// 1.04, and at 2^24 as long. They are larger than those of lbs_tune, so lbs_bytes is enough for both.
typedef tune<512, 15> search_lbs_tune;

static constexpr uint64_t MANY_SEARCHED = (uint64_t)1 << 24;

template <typename Starts, typename Index>
cudaError_t load_balance_search(uint64_t items, Starts start, uint64_t segments, Index *segment_of, Index *rank_of,
                                const context &on)
{
    const write_segment_and_rank<Index> write = {};

    return items < MANY_SEARCHED
               ? transform_lbs<lbs_tune>(write, items, start, segments, on, segment_of, rank_of)
               : transform_lbs<search_lbs_tune>(write, items, start, segments, on, segment_of, rank_of);
}

} // namespace sb

#endif
