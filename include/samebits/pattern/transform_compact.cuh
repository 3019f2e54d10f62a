// SPDX-License-Identifier: BSD-2-Clause
//
// Compaction: the indices for which a predicate holds, in their order.
//
// transform_compact   two passes: keep(i) marks the indices and their number comes to the host, which then has memory for
//                     them; write(place, i) is called for each marked index
// compact             one pass, where the caller has memory for all: items of a sequence that a predicate keeps
//
// In both a block takes a tile; lanes count by votes, and decoupled look-back (prim/lookback.cuh) says how many indices of
// earlier tiles are kept. Stable.
// Source: the place of a kept item is a scan of marks, G. E. Blelloch, "Prefix sums and their applications" (1990).
// Cost: transform_compact: keep and write once for each index, 1 bit for each index and 8 bytes for each tile of scratch
// memory, and a wait for the count. compact: items are read once, kept ones are written once; 8 bytes for each tile.
#ifndef SAMEBITS_PATTERN_TRANSFORM_COMPACT_CUH
#define SAMEBITS_PATTERN_TRANSFORM_COMPACT_CUH

#include <samebits/pattern/sequence.cuh>
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

// Items of a thread, which are in registers, and staged in 30 or 36 KiB of shared memory. A larger tile means fewer tiles
// to look back over: with 16 items and 256 threads one pass over 2^26 items of 4 bytes took 247 us on an H200, where the
// bytes need about 100 us.
template <unsigned BYTES> struct compact_tune : tune<BYTES <= 8 ? 384 : 256, BYTES <= 4 ? 20 : BYTES <= 8 ? 12 : 4> {
};

// Blocks on a multiprocessor at once: it leaves 56 registers for each of 384 threads.
enum : unsigned { COMPACT_RESIDENT = 3 };

// ---- one pass ----

template <typename Tune, typename Items, typename Keep, typename T, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS, COMPACT_RESIDENT)
    compact_kernel(Items items, uint64_t count, Keep keep, T *kept, uint64_t *kept_number, unsigned *ticket,
                   uint64_t *states, restricted<Arguments>... arguments)
{
    static_assert(Tune::EACH <= 32, "a bit for each item");
    __shared__ T staged[Tune::SIZE];
    __shared__ unsigned warp_counts[Tune::WARPS];
    __shared__ unsigned drawn;
    __shared__ uint64_t tile_before;
    const unsigned tile = draw_tile(ticket, drawn);
    const uint64_t first = (uint64_t)tile * Tune::SIZE;
    T item[Tune::EACH];
    unsigned good = 0, mine = 0, all; // `good`: a bit for each of the thread's items that is kept

#pragma unroll
    for (unsigned row = 0; row < Tune::EACH; row++) {
        uint64_t at = first + row_begin<Tune>(row) + lane_index();

        if (at < count)
            item[row] = items[at];
    }
#pragma unroll
    for (unsigned row = 0; row < Tune::EACH; row++) {
        uint64_t at = first + row_begin<Tune>(row) + lane_index();
        bool kept_here = at < count;

        if (kept_here)
            kept_here = keep(item[row], at, arguments...);
        good |= (unsigned)kept_here << row;
        mine += (unsigned)__popc(__ballot_sync(FULL_MASK, kept_here));
    }
    unsigned place = count_before_warp(mine, warp_counts, &all);

    if (warp_index() == 0) {
        uint64_t before = find_prefix<kept_count>(states, tile, (uint64_t)all, 0);

        if (lane_index() == 0) {
            tile_before = before;
            if (tile == gridDim.x - 1)
                *kept_number = before + all;
        }
    }
#pragma unroll
    for (unsigned row = 0; row < Tune::EACH; row++) {
        const unsigned vote = __ballot_sync(FULL_MASK, good >> row & 1);

        if ((good >> row & 1) != 0)
            staged[place + count_below(vote)] = item[row];
        place += (unsigned)__popc(vote);
    }
    __syncthreads(); // the kept items are staged, and tile_before is there
    for (unsigned i = threadIdx.x; i < all; i += Tune::THREADS)
        kept[tile_before + i] = staged[i];
}

// Bytes of scratch memory that compact of `count` items of type T needs.
template <typename T, typename Tune = compact_tune<sizeof(T)>> uint64_t compact_bytes(uint64_t count)
{
    return (divide_up(count, Tune::SIZE) + 1) * sizeof(uint64_t);
}

// `kept` becomes the items for which keep(item, index, arguments...) is true, in their order, and *kept_number, in device
// memory, their number. `kept` has memory for as many as are kept, and is no other array of the call.
template <typename Items, typename Keep, typename T, typename... Arguments>
cudaError_t compact(Items items, uint64_t count, Keep keep, T *kept, uint64_t *kept_number, const context &on,
                    Arguments... arguments)
{
    typedef compact_tune<sizeof(T)> tuned;
    unsigned blocks;
    cudaError_t error = count_blocks<tuned::SIZE>(count, &blocks);

    if (error == cudaSuccess && blocks == 0)
        return cudaMemsetAsync(kept_number, 0, sizeof *kept_number, on.stream);
    if (error != cudaSuccess)
        return error;
    scratch space(on, compact_bytes<T>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    uint64_t *states = (uint64_t *)space.memory();

    error = cudaMemsetAsync(states, 0, compact_bytes<T>(count), on.stream);
    if (error != cudaSuccess)
        return error;
    compact_kernel<tuned, Items, Keep, T, Arguments...><<<blocks, tuned::THREADS, 0, on.stream>>>(
        items, count, keep, kept, kept_number, (unsigned *)(states + blocks), states, arguments...);
    return cudaPeekAtLastError();
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
        uint64_t last = 0;
        cudaError_t error = space.error();

        if (error == cudaSuccess)
            error = count_blocks<mark_tune::SIZE>(count, &blocks);
        if (error == cudaSuccess && blocks != 0)
            error = cudaMemsetAsync(states, 0, (blocks + 1) * sizeof *states, on.stream);
        if (error == cudaSuccess && blocks != 0) {
            mark_kernel<Keep, Arguments...><<<blocks, mark_tune::THREADS, 0, on.stream>>>(
                keep, count, (unsigned *)(states + blocks), votes(), states, arguments...);
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
        if (blocks == 0)
            return cudaSuccess;
        write_marked_kernel<Write, Arguments...>
            <<<blocks, mark_tune::THREADS, 0, on.stream>>>(behaviour, votes(), states, arguments...);
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
