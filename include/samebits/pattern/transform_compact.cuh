// SPDX-License-Identifier: BSD-2-Clause
//
// Compaction: the indices for which a predicate holds, in their order.
//
// transform_compact   two passes: keep(i) marks the indices and their number comes to the host, which then has memory for
//                     them; write(place, i) is called for each marked index
// compact             one pass, where the caller has memory for all: items of a sequence that a predicate keeps
// partition           compact, and the other items go to a second array
//
// In both a block takes a tile; lanes count by votes, and decoupled look-back (prim/lookback.cuh) says how many indices of
// earlier tiles are kept. Stable.
// Source: the place of a kept item is a scan of marks, G. E. Blelloch, "Prefix sums and their applications" (1990).
// Cost: transform_compact: keep and write once for each index, 1 bit for each index and 8 bytes for each tile of scratch
// memory, and a wait for the count. compact, partition: items are read once, those that are wanted are written once; 8 bytes
// for each tile.
#ifndef SAMEBITS_PATTERN_TRANSFORM_COMPACT_CUH
#define SAMEBITS_PATTERN_TRANSFORM_COMPACT_CUH

#include <samebits/pattern/callable.cuh>
#include <samebits/pattern/iterators.cuh>
#include <samebits/prim/lookback.cuh>

namespace sb
{

// A count of at most 62 bits in a word of look-back.
struct kept_count {
    typedef uint64_t word;
    typedef uint64_t value;

    static __device__ __forceinline__ value identity()
    {
        return 0;
    }
    static __device__ __forceinline__ value join(value first, value second)
    {
        return first + second;
    }
    static __device__ __forceinline__ word of_aggregate(value count)
    {
        return AGGREGATE_STATUS | count;
    }
    static __device__ __forceinline__ word of_prefix(value count)
    {
        return PREFIX_STATUS | count;
    }
    static __device__ __forceinline__ bool is_prefix(word state)
    {
        return (state & PREFIX_STATUS) != 0;
    }
    static __device__ __forceinline__ value value_of(word state)
    {
        return state & STATUS_VALUE;
    }
    static __device__ __forceinline__ value reduce(value count)
    {
        return warp_reduce(count, add());
    }
};

// The rows of a tile: warp w takes the 32 EACH indices from 32 w EACH on, a row of 32 at a time. So index i of the tile is
// lane i % 32 of row i / 32, and the marks of a row are one vote.
template <typename Tune> __device__ __forceinline__ unsigned row_begin(unsigned row)
{
    return (warp_index() * Tune::EACH + row) * WARP_LANES;
}

// How many marks the warp's earlier warps have, and in *all how many the tile has; `mine` is the warp's, in every lane. All
// threads call; one barrier, between writing and reading `warp_counts`.
template <unsigned WARPS>
__device__ __forceinline__ unsigned count_before_warp(unsigned mine, unsigned (&warp_counts)[WARPS], unsigned *all)
{
    unsigned before = 0, sum = 0;

    if (lane_index() == 0)
        warp_counts[warp_index()] = mine;
    __syncthreads(); // all warps have written their counts
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        before += w < warp_index() ? warp_counts[w] : 0;
        sum += warp_counts[w];
    }
    *all = sum;
    return before;
}

// Items of a thread: all their loads are in flight at once. On an H200, of 2^28 items of 4 bytes of which half are kept, 256
// threads with 16, 20 and 24 items took 0.69, 0.62 and 0.57 ms, 512 with 20 0.58 ms. Not tuned for other sizes.
template <unsigned BYTES> struct compact_tune : tune<256, BYTES <= 4 ? 24 : BYTES <= 8 ? 12 : BYTES <= 16 ? 6 : 2> {
};

// Words of look-back that a lane reads at once. On an H200, 1 or 4 made 2%: look-back is not what the time goes to.
enum : unsigned { COMPACT_WINDOW = 1 };

// ---- one pass ----

// In place of the array of a partition's other items.
struct no_others {
};

// Each warp stages the items that it keeps in a stretch of its own, as it votes, and so needs no register for an item while
// it waits for the look-back. The others, if they are wanted, fill the stretch from its end. So many of them precede the warp's
// as indices precede its rows, without those that are kept.
template <typename Tune, unsigned WINDOW, typename T, typename Items, typename Keep, typename Kept, typename Others,
          typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    compact_kernel(Items items, uint64_t count, Keep keep, Kept kept, Others others, uint64_t *kept_number,
                   unsigned *ticket, uint64_t *states, restricted<Arguments>... arguments)
{
    constexpr bool PARTS = !std::is_same<Others, no_others>::value;
    constexpr unsigned STRETCH = Tune::EACH * WARP_LANES;
    __shared__ T staged[Tune::SIZE];
    __shared__ unsigned warp_counts[Tune::WARPS];
    __shared__ unsigned drawn;
    __shared__ uint64_t tile_before;
    const unsigned tile = draw_tile(ticket, drawn), begin = row_begin<Tune>(0), last = begin + STRETCH - 1;
    const uint64_t stretch = (uint64_t)tile * Tune::SIZE + begin, first = stretch + lane_index();
    T item[Tune::EACH];
    unsigned mine = 0, all;

    if (count - (uint64_t)tile * Tune::SIZE >= Tune::SIZE) {
#pragma unroll
        for (unsigned row = 0; row < Tune::EACH; row++)
            item[row] = items[first + row * WARP_LANES];
#pragma unroll
        for (unsigned row = 0; row < Tune::EACH; row++) {
            const bool good = keep(item[row], first + row * WARP_LANES, arguments...);
            const unsigned vote = __ballot_sync(FULL_MASK, good);

            if (good)
                staged[begin + mine + count_below(vote)] = item[row];
            else if (PARTS)
                staged[last - (row * WARP_LANES - mine) - count_below(~vote)] = item[row];
            mine += (unsigned)__popc(vote);
        }
    } else {
        for (unsigned row = 0; row < Tune::EACH; row++) {
            const uint64_t at = first + row * WARP_LANES;
            bool good = at < count;
            T here = T();

            if (good) {
                here = items[at];
                good = keep(here, at, arguments...);
            }
            const unsigned vote = __ballot_sync(FULL_MASK, good);

            if (good)
                staged[begin + mine + count_below(vote)] = here;
            else if (PARTS && at < count)
                staged[last - (row * WARP_LANES - mine) - count_below(~vote)] = here;
            mine += (unsigned)__popc(vote);
        }
    }
    const unsigned before_warp = count_before_warp(mine, warp_counts, &all);

    if (warp_index() == 0) {
        uint64_t before = find_prefix<kept_count, WINDOW>(states, tile, (uint64_t)all, 0);

        if (lane_index() == 0) {
            tile_before = before;
            if (tile == gridDim.x - 1)
                *kept_number = before + all;
        }
    }
    __syncthreads(); // tile_before is there
    const uint64_t to = tile_before + before_warp;

    for (unsigned i = lane_index(); i < mine; i += WARP_LANES)
        write_element(kept, to + i, staged[begin + i]);
    if constexpr (PARTS) {
        const uint64_t left = stretch < count ? count - stretch : 0;
        const unsigned rest = (left < STRETCH ? (unsigned)left : STRETCH) - mine;

        for (unsigned i = lane_index(); i < rest; i += WARP_LANES)
            write_element(others, stretch - to + i, staged[last - i]);
    }
}

// Bytes of scratch memory that compact of `count` items of type T needs.
template <typename T, typename Tune = compact_tune<sizeof(T)>> uint64_t compact_bytes(uint64_t count)
{
    return (divide_up(count, Tune::SIZE) + 1) * sizeof(uint64_t);
}

template <typename Tune, unsigned WINDOW, typename Items, typename Keep, typename Kept, typename Others,
          typename... Arguments>
cudaError_t compact_into(Items items, uint64_t count, Keep keep, Kept kept, Others others, uint64_t *kept_number,
                         const context &on, Arguments... arguments)
{
    typedef output_element<Kept> element;
    constexpr bool GOOD = is_called<Keep, bool, element &, uint64_t, Arguments &...>();
    static_assert(GOOD, "compact, partition: the predicate is called as bool keep(item, uint64_t index, arguments...)");
    typedef called_as<GOOD, bool, Keep> chosen;
    unsigned blocks;
    cudaError_t error = count_blocks<Tune::SIZE>(count, &blocks);

    if (error == cudaSuccess && blocks == 0)
        return cudaMemsetAsync(kept_number, 0, sizeof *kept_number, on.stream);
    if (error != cudaSuccess)
        return error;
    const uint64_t bytes = compact_bytes<element, Tune>(count);
    scratch space(on, bytes);
    if (space.error() != cudaSuccess)
        return space.error();
    uint64_t *states = (uint64_t *)space.memory();

    error = cudaMemsetAsync(states, 0, bytes, on.stream);
    if (error != cudaSuccess)
        return error;
    compact_kernel<Tune, WINDOW, element, Items, chosen, Kept, Others, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(items, count, chosen(keep), kept, others, kept_number,
                                                  (unsigned *)(states + blocks), states, arguments...);
    return cudaPeekAtLastError();
}

// `kept` becomes the items for which keep(item, index, arguments...) is true, in their order, and *kept_number, in device
// memory, their number. `kept`, an array or a zip of arrays, has memory for as many as are kept, and is no other array of the
// call.
template <typename Tune, unsigned WINDOW, typename Items, typename Keep, typename Kept, typename... Arguments>
cudaError_t compact_by(Items items, uint64_t count, Keep keep, Kept kept, uint64_t *kept_number, const context &on,
                       Arguments... arguments)
{
    return compact_into<Tune, WINDOW>(items, count, keep, kept, no_others(), kept_number, on, arguments...);
}

template <typename Items, typename Keep, typename Kept, typename... Arguments>
cudaError_t compact(Items items, uint64_t count, Keep keep, Kept kept, uint64_t *kept_number, const context &on,
                    Arguments... arguments)
{
    return compact_by<compact_tune<sizeof(output_element<Kept>)>, COMPACT_WINDOW>(items, count, keep, kept, kept_number,
                                                                                  on, arguments...);
}

// The same, and `others`, another array or zip, becomes the items that are not kept, in their order. Scratch memory as for
// compact.
template <typename Items, typename Keep, typename Kept, typename Others, typename... Arguments>
cudaError_t partition(Items items, uint64_t count, Keep keep, Kept kept, Others others, uint64_t *kept_number,
                      const context &on, Arguments... arguments)
{
    return compact_into<compact_tune<sizeof(output_element<Kept>)>, COMPACT_WINDOW>(items, count, keep, kept, others,
                                                                                    kept_number, on, arguments...);
}

// ---- two passes ----

// 16 rows of a warp; not tuned.
typedef tune<256, 16> mark_tune;

// Marks, and for each tile how many marks are before it; one word of look-back for each tile, which ends as PREFIX_STATUS
// with the marks up to it.
template <typename Keep, typename... Arguments>
__global__ void __launch_bounds__(mark_tune::THREADS)
    mark_kernel(Keep keep, uint64_t count, unsigned *ticket, unsigned *votes, uint64_t *states,
                restricted<Arguments>... arguments)
{
    __shared__ unsigned warp_counts[mark_tune::WARPS];
    __shared__ unsigned drawn;
    const unsigned tile = draw_tile(ticket, drawn);
    const uint64_t first = (uint64_t)tile * mark_tune::SIZE;
    unsigned mine = 0, all, kept = 0;

#pragma unroll
    for (unsigned row = 0; row < mark_tune::EACH; row++) {
        uint64_t at = first + row_begin<mark_tune>(row) + lane_index();
        bool good = at < count;

        if (good)
            good = keep(at, arguments...);
        unsigned vote = __ballot_sync(FULL_MASK, good);

        mine += (unsigned)__popc(vote);
        kept = lane_index() == row ? vote : kept;
    }
    if (lane_index() < mark_tune::EACH)
        votes[(first + row_begin<mark_tune>(lane_index())) / WARP_LANES] = kept;
    count_before_warp(mine, warp_counts, &all);
    if (warp_index() == 0)
        find_prefix<kept_count>(states, tile, (uint64_t)all, 0);
}

template <typename Write, typename... Arguments>
__global__ void __launch_bounds__(mark_tune::THREADS)
    write_marked_kernel(Write write, const unsigned *votes, const uint64_t *states, restricted<Arguments>... arguments)
{
    __shared__ unsigned warp_counts[mark_tune::WARPS];
    const uint64_t first = (uint64_t)blockIdx.x * mark_tune::SIZE;
    unsigned kept = 0, all;

    if (lane_index() < mark_tune::EACH)
        kept = votes[(first + row_begin<mark_tune>(lane_index())) / WARP_LANES];
    unsigned mine = warp_reduce((unsigned)__popc(kept), add());
    unsigned before = count_before_warp(mine, warp_counts, &all);
    uint64_t place = (blockIdx.x == 0 ? 0 : kept_count::value_of(states[blockIdx.x - 1])) + before;

#pragma unroll
    for (unsigned row = 0; row < mark_tune::EACH; row++) {
        unsigned vote = shuffle(kept, row);

        if (vote >> lane_index() & 1)
            write(place + count_below(vote), first + row_begin<mark_tune>(row) + lane_index(), arguments...);
        place += (unsigned)__popc(vote);
    }
}

// The first pass marks the indices and counts them; the second calls the caller's function for each.
//
//     sb::transform_compact kept(n, context);
//     uint64_t number;
//     kept.mark([=] __device__(uint64_t i) { return x[i] > 0; }, &number);     waits
//     ... memory for `number` items ...
//     kept.write([=] __device__(uint64_t place, uint64_t i) { out[place] = x[i]; });
class transform_compact
{
  public:
    // Bytes of scratch memory for `count` indices.
    static uint64_t bytes(uint64_t count)
    {
        uint64_t tiles = divide_up(count, mark_tune::SIZE);

        return (tiles + 1) * sizeof(uint64_t) + tiles * mark_tune::SIZE / WARP_LANES * sizeof(unsigned);
    }

    transform_compact(uint64_t number, const context &where)
        : count(number), on(where), space(where, bytes(number)), states((uint64_t *)space.memory()), blocks(0)
    {
    }

    // Marks the indices for which keep(index, arguments...) is true; *kept, on the host, becomes their number. Waits for
    // the stream. With null it does not wait.
    template <typename Keep, typename... Arguments> cudaError_t mark(Keep keep, uint64_t *kept, Arguments... arguments)
    {
        constexpr bool GOOD = is_called<Keep, bool, uint64_t, Arguments &...>();
        static_assert(GOOD, "mark: the predicate is called as bool keep(uint64_t index, arguments...)");
        typedef called_as<GOOD, bool, Keep> chosen;
        uint64_t last = 0;
        cudaError_t error = space.error();

        if (error == cudaSuccess)
            error = count_blocks<mark_tune::SIZE>(count, &blocks);
        if (error == cudaSuccess && blocks != 0)
            error = cudaMemsetAsync(states, 0, (blocks + 1) * sizeof *states, on.stream);
        if (error == cudaSuccess && blocks != 0) {
            mark_kernel<chosen, Arguments...><<<blocks, mark_tune::THREADS, 0, on.stream>>>(
                chosen(keep), count, (unsigned *)(states + blocks), votes(), states, arguments...);
            error = cudaPeekAtLastError();
        }
        if (error != cudaSuccess || kept == nullptr)
            return error;
        if (blocks != 0) {
            error = cudaMemcpyAsync(&last, states + blocks - 1, sizeof last, cudaMemcpyDeviceToHost, on.stream);
            if (error == cudaSuccess)
                error = cudaStreamSynchronize(on.stream);
        }
        *kept = last & STATUS_VALUE;
        return error;
    }

    // Calls write(place, index, arguments...) for each marked index; places are 0, 1, 2, ... in the order of the indices.
    template <typename Write, typename... Arguments> cudaError_t write(Write behaviour, Arguments... arguments)
    {
        constexpr bool GOOD = is_called<Write, void, uint64_t, uint64_t, Arguments &...>();
        static_assert(GOOD, "write: the function is called as f(uint64_t place, uint64_t index, arguments...)");
        typedef called_as<GOOD, void, Write> chosen;

        if (blocks == 0)
            return cudaSuccess;
        write_marked_kernel<chosen, Arguments...>
            <<<blocks, mark_tune::THREADS, 0, on.stream>>>(chosen(behaviour), votes(), states, arguments...);
        return cudaPeekAtLastError();
    }

  private:
    unsigned *votes() const // one word for each row of 32 indices
    {
        return (unsigned *)(states + blocks + 1);
    }

    uint64_t count;
    context on;
    scratch space;
    uint64_t *states; // for each tile, then the ticket
    unsigned blocks;
};

} // namespace sb

#endif
