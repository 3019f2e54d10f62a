// SPDX-License-Identifier: BSD-2-Clause
//
// The reduction of segments that are long on average, for lbs_segreduce.cuh, by one of three methods.
//
// The fewest items, in one cooperative launch of a block for each multiprocessor: each segment has warps of its own, as many as its mean
// length keeps busy, which share out its items and combine their parts in the block. Each block looks at all starts, beside the loads of
// its items, so all of them know whether a segment is too long for that (a giant). Only then all warps reduce tiles of items, as below, and
// meet at a barrier of the grid, behind which a giant's own warp combines what its tiles have.
//
// Few items: each segment has warps of its own, as many as its mean length keeps busy, which share out its items and combine their
// parts in the block. A segment that is too long for that (a giant) is left to other warps of the same launch, one for each tile of
// items: each searches whether its tile has a part of a giant, and leaves what that amounts to. A second kernel, which may begin before
// the first one ends, combines these parts. Without a giant it has nothing to do, and finds that out while the first one runs.
//
// More items: a warp takes a tile of items, whatever segments they belong to, so nothing but the tile's number says what it reads.
// The warp searches for the first segment that begins in its tile. What is before that belongs to an older segment, and is
// left as `first`. Then the warp takes 32 segments at a time: each lane reduces its own if it is short, and all lanes
// together reduce the others. What a segment has in the tile in which it begins is left as `last` if it ends behind the
// tile. A second kernel puts these together: `last` of that tile, and `first` of all tiles up to the one where it ends.
// Source: reductions in two levels, as the segmented scan of S. Sengupta, M. Harris, Y. Zhang and J. Owens, "Scan primitives
// for GPU computing" (2007).
// Cost: items are read once, starts once or twice; scratch memory of two values and 8 bytes a tile.
#ifndef SAMEBITS_PATTERN_LONG_SEGMENTS_CUH
#define SAMEBITS_PATTERN_LONG_SEGMENTS_CUH

#include <samebits/pattern/launch.cuh>
#include <samebits/prim/warp.cuh>
#include <cooperative_groups.h>

namespace sb
{

// ROWS: how many rows of 32 items a warp has in flight; a power of two. ITEMS: of a warp's tile, at most. On an H200, at 2^28 items
// of 4 bytes and segments of 4096, 4 rows were 11% slower, tiles of 2048 items 5%, blocks of 256 threads 1%; tiles of 8192 as fast.
// Fewer items are cut into tiles of half the size, down to MIN_ITEMS, until there are MANY_TILES of them: at 2^20 items tiles
// of 512 took 0.76 of the time of 4096, and 256 as long. Not tuned for other sizes. A lane alone reduces a segment of fewer items
// than ITEMS_OF_LANE. A thread alone puts together a segment of at most TILES_OF_THREAD tiles, a warp one of at most TILES_OF_WARP,
// and a block one of more.
//
// Up to FEW_ITEMS items, and MAX_MEAN on average, segments have warps of their own: at most MAX_WARPS, one for each WARP_ITEMS items of
// the mean; a giant has more than OWN_ROUNDS times what these load at once. On an H200 that took 0.7 to 1.0 of the time of tiles at 2^20
// to 2^24 items of 4 bytes, and 1.1 to 1.4 at 2^28, or where the mean was 65,536; with a warp for 128 items 1.0 to 1.5.
//
// Up to ONCE_ITEMS items, and ONCE_MEAN on average, they are reduced in one launch of ONCE_WARPS warps a block; a giant has more than
// ONCE_ROUNDS times what its warps load at once. On an H200, at 2^20 items of 4 bytes, a call took 0.66 to 1.01 of the time of two launches, but
// 1.01 to 1.38 where half of the items are in one segment. Blocks of 16 warps with 16 rows in flight took 1.2 to 1.4.
template <unsigned BYTES> struct long_tune : tune<128, 1> {
    static constexpr unsigned ROWS = BYTES <= 8 ? 8 : 4;
    static constexpr uint64_t ITEMS = 4096, MIN_ITEMS = 256, MANY_TILES = 2048, ITEMS_OF_LANE = 32,
                              TILES_OF_THREAD = 32, TILES_OF_WARP = 2048;
    static constexpr uint64_t FEW_ITEMS = (uint64_t)1 << 24, MAX_MEAN = 8192, WARP_ITEMS = 512, OWN_ROUNDS = 8;
    static constexpr unsigned MAX_WARPS = 16;
    static constexpr uint64_t ONCE_ITEMS = (uint64_t)1 << 20, ONCE_MEAN = 16384, ONCE_ROUNDS = 4;
    static constexpr unsigned ONCE_WARPS = 32;
};

// Items per segment from which this way is taken: on an H200 it was 6% faster than the other at 256, and 23% slower at 128.
static constexpr uint64_t LONG_SEGMENTS = 256;

static constexpr uint64_t NO_SEGMENT = ~(uint64_t)0;

// Of a warp's tile. It depends on the number of items alone, so that sums of floats are the same on every device.
template <typename Tune> uint64_t long_tile_items(uint64_t items)
{
    uint64_t size = Tune::ITEMS;

    while (size / 2 >= Tune::MIN_ITEMS && divide_up(items, size) < Tune::MANY_TILES)
        size /= 2;
    return size;
}

// Combines row[r] of all lanes, in the order of lanes, and these results in the order of rows. All lanes have the result. In
// each of the first steps two lanes share out the rows between them, so that 16 rows take 20 shuffles instead of 80.
template <unsigned ROWS, typename T, typename Op> __device__ __forceinline__ T reduce_rows(T (&row)[ROWS], const Op &op)
{
    unsigned distance = 1;

#pragma unroll
    for (unsigned half = ROWS / 2; half != 0; half /= 2, distance *= 2) {
        const bool upper = (lane_index() & distance) != 0;

#pragma unroll
        for (unsigned r = 0; r < half; r++) {
            const T kept = upper ? row[half + r] : row[r];
            const T got = shuffle_xor(upper ? row[r] : row[half + r], distance);

            row[r] = upper ? op(got, kept) : op(kept, got);
        }
    }
    T value = row[0];

    for (; distance < WARP_LANES; distance *= 2) { // lanes of the same row
        const T got = shuffle_xor(value, distance);

        value = (lane_index() & distance) != 0 ? op(got, value) : op(value, got);
    }
#pragma unroll
    for (distance = ROWS / 2; distance != 0; distance /= 2) { // rows, whose numbers' bits are those of lanes backwards
        const T got = shuffle_xor(value, distance);

        value = (lane_index() & distance) != 0 ? op(got, value) : op(value, got);
    }
    return value;
}

// load(begin), ..., load(end - 1) combined, in all lanes. All lanes call with the same range.
template <unsigned ROWS, typename T, typename Load, typename Op>
__device__ __forceinline__ T reduce_range(const Load &load, uint64_t begin, uint64_t end, const Op &op, T identity)
{
    T sum = identity;

    for (uint64_t first = begin - begin % WARP_LANES; first < end; first += ROWS * WARP_LANES) {
        T row[ROWS];

        if (first >= begin && end - first >= ROWS * WARP_LANES) {
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++)
                row[r] = load(first + r * WARP_LANES + lane_index());
        } else {
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++) {
                const uint64_t at = first + r * WARP_LANES + lane_index();

                row[r] = identity;
                if (at >= begin && at < end)
                    row[r] = load(at);
            }
        }
        sum = op(sum, reduce_rows<ROWS>(row, op));
    }
    return sum;
}

// The number of starts below `begin`. All lanes call; each step asks for 32 of the starts that are left.
template <typename Starts>
__device__ __forceinline__ uint64_t count_starts_below(const Starts &start, uint64_t segments, uint64_t begin)
{
    uint64_t low = 0, high = segments; // the answer is among low .. high

    while (low < high) {
        const uint64_t step = (high - low + WARP_LANES) / (WARP_LANES + 1);
        const uint64_t at = low + (lane_index() + 1) * step - 1;
        const unsigned below = (unsigned)__popc(__ballot_sync(FULL_MASK, at < high && start[at] < begin));
        const uint64_t behind = low + (below + 1) * step - 1;

        low += below * step;
        if (below < WARP_LANES && behind < high) // nobody has asked for the 33rd
            high = behind;
    }
    return low;
}

template <typename Tune, typename T, typename Starts, typename Behaviour, typename Op, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    long_segments_kernel(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                         uint64_t tile_items, uint64_t tiles, T *result, T *first, T *last, uint64_t *spans,
                         restricted<Arguments>... arguments)
{
    const uint64_t tile = blockIdx.x * (uint64_t)Tune::WARPS + warp_index(), begin = tile * tile_items;
    const uint64_t end = items - begin < tile_items ? items : begin + tile_items;
    const bool is_last = tile == tiles - 1;
    uint64_t spanning = NO_SEGMENT;

    if (tile >= tiles)
        return;
    uint64_t segment = count_starts_below(start, segments, begin);

    for (bool done = false, older = true; !done; segment += WARP_LANES, older = false) {
        const uint64_t mine = segment + lane_index();
        uint64_t from = mine < segments ? (uint64_t)start[mine] : items;
        uint64_t to = mine + 1 < segments ? (uint64_t)start[mine + 1] : items;
        const bool here = mine < segments && (is_last || from < end);

        done = __ballot_sync(FULL_MASK, here) != FULL_MASK;
        if (older && tile != 0) {
            const uint64_t next = shuffle(from, 0);
            const T sum = reduce_range<Tune::ROWS>(
                [&](uint64_t i) -> T {
                    return behaviour(i, segment - 1, i - (uint64_t)start[segment - 1], arguments...);
                },
                begin, next < end ? next : end, op, identity);

            if (lane_index() == 0)
                first[tile] = sum;
        }
        const bool alone = here && to - from < Tune::ITEMS_OF_LANE; // also if it goes on behind the tile

        if (alone) {
            T sum = identity;

            for (uint64_t i = from; i < to; i++)
                sum = op(sum, (T)behaviour(i, mine, i - from, arguments...));
            result[mine] = sum;
        }
        for (unsigned left = __ballot_sync(FULL_MASK, here && !alone); left != 0; left &= left - 1) {
            const unsigned lane = lowest_bit(left);
            const uint64_t number = segment + lane, its_from = shuffle(from, lane), its_to = shuffle(to, lane);
            const T sum = reduce_range<Tune::ROWS>(
                [&](uint64_t i) -> T { return behaviour(i, number, i - its_from, arguments...); }, its_from,
                its_to < end ? its_to : end, op, identity);

            if (its_to > end)
                spanning = number;
            if (lane_index() == 0)
                *(its_to > end ? &last[tile] : &result[number]) = sum;
        }
    }
    if (lane_index() == 0)
        spans[tile] = spanning;
}

// The segment that goes on behind tile t, if there is one: what is left of it in tiles t + 1 ... is combined.
template <typename Tune, typename T, typename Starts, typename Op>
__global__ void __launch_bounds__(Tune::THREADS)
    join_tiles_kernel(Starts start, uint64_t segments, uint64_t items, Op op, T identity, uint64_t tile_items,
                      uint64_t tiles, const T *first, const T *last, const uint64_t *spans, T *result)
{
    __shared__ T part[Tune::WARPS];
    __shared__ uint64_t long_tile[Tune::THREADS];
    __shared__ unsigned long_count;
    const uint64_t tile = blockIdx.x * (uint64_t)Tune::THREADS + threadIdx.x;
    const uint64_t segment = tile < tiles ? spans[tile] : NO_SEGMENT;
    const bool some = segment != NO_SEGMENT;
    uint64_t end = 0; // behind its last tile
    auto load = [&](uint64_t t) -> T { return first[t]; };

    if (threadIdx.x == 0)
        long_count = 0;
    __syncthreads(); // the count is 0
    if (some) {
        end = divide_up(segment + 1 < segments ? (uint64_t)start[segment + 1] : items, tile_items);
        if (end - tile <= Tune::TILES_OF_THREAD) {
            T sum = last[tile];

            for (uint64_t t = tile + 1; t < end; t++)
                sum = op(sum, first[t]);
            result[segment] = sum;
        } else if (end - tile > Tune::TILES_OF_WARP) {
            long_tile[atomicAdd(&long_count, 1u)] = tile;
        }
    }
    const bool by_warp = some && end - tile > Tune::TILES_OF_THREAD && end - tile <= Tune::TILES_OF_WARP;

    for (unsigned left = __ballot_sync(FULL_MASK, by_warp); left != 0; left &= left - 1) {
        const unsigned lane = lowest_bit(left);
        const uint64_t its = shuffle(tile, lane), behind = shuffle(end, lane), number = shuffle(segment, lane);
        const T sum = reduce_range<Tune::ROWS>(load, its + 1, behind, op, identity);

        if (lane_index() == 0)
            result[number] = op(last[its], sum);
    }
    __syncthreads(); // all long segments are listed
    for (unsigned i = 0; i < long_count; i++) {
        const uint64_t its = long_tile[i], number = spans[its];
        const uint64_t behind = divide_up(number + 1 < segments ? (uint64_t)start[number + 1] : items, tile_items);
        const uint64_t share = divide_up(behind - its - 1, Tune::WARPS), wanted = its + 1 + warp_index() * share;
        const uint64_t from = wanted < behind ? wanted : behind, to = behind - from < share ? behind : from + share;
        const T sum = reduce_range<Tune::ROWS>(load, from, to, op, identity);

        if (lane_index() == 0)
            part[warp_index()] = sum;
        __syncthreads(); // all warps have their parts
        if (threadIdx.x == 0) {
            T all = last[its];

            for (unsigned w = 0; w < Tune::WARPS; w++)
                all = op(all, part[w]);
            result[number] = all;
        }
        __syncthreads(); // the parts have been read
    }
}

// ---- few items ----

struct segment_owners {
    unsigned warps; // of a segment: a power of two
    uint64_t
        limit; // a longer segment is a giant; at least a tile, so a giant never ends in the tile in which it begins
    uint64_t blocks; // those with a higher number take tiles
};

template <typename Tune> segment_owners owners_of(uint64_t items, uint64_t segments, uint64_t tile_items)
{
    constexpr uint64_t ROUND = Tune::ROWS * WARP_LANES;
    segment_owners o = {1, 0, 0};

    while (o.warps < Tune::MAX_WARPS && 2 * o.warps * Tune::WARP_ITEMS <= items / segments)
        o.warps *= 2;
    o.limit = o.warps * ROUND * Tune::OWN_ROUNDS;
    if (o.limit < tile_items)
        o.limit = tile_items;
    o.blocks = divide_up(segments * o.warps, o.warps < Tune::WARPS ? Tune::WARPS : o.warps);
    return o;
}

struct long_segment {
    uint64_t from, to;

    template <typename Starts>
    __device__ __forceinline__ long_segment(const Starts &start, uint64_t segments, uint64_t items, uint64_t segment)
    {
        from = segment < segments ? (uint64_t)start[segment] : items;
        to = segment + 1 < segments ? (uint64_t)start[segment + 1] : items;
    }
};

// The kernel behind this one in the stream may begin when all blocks have called it; what it needs it waits for.
__device__ __forceinline__ void let_next_begin()
{
#if defined(__SIMT__) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900)
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ __forceinline__ void wait_for_previous()
{
#if defined(__SIMT__) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900)
    cudaGridDependencySynchronize();
#endif
}

// What giants have in a tile: the one that is older, and the one that begins here. All lanes call.
template <typename Tune, typename T, typename Starts, typename Load, typename Op>
__device__ __forceinline__ void reduce_giants_of_tile(const Load &load, uint64_t items, const Starts &start,
                                                      uint64_t segments, Op op, T identity, uint64_t limit,
                                                      uint64_t tile_items, uint64_t tile, T *first, T *last)
{
    const uint64_t begin = tile * tile_items, end = items - begin < tile_items ? items : begin + tile_items;
    uint64_t segment = count_starts_below(start, segments, begin);

    if (segment != 0) {
        const long_segment older(start, segments, items, segment - 1);

        if (older.to - older.from > limit && older.to > begin) {
            const T sum = reduce_range<Tune::ROWS>([&](uint64_t i) -> T { return load(i, segment - 1, older.from); },
                                                   begin, older.to < end ? older.to : end, op, identity);

            if (lane_index() == 0)
                first[tile] = sum;
        }
    }
    for (bool done = false; !done; segment += WARP_LANES) {
        const long_segment mine(start, segments, items, segment + lane_index());
        const bool here = segment + lane_index() < segments && mine.from < end;
        const unsigned giants = __ballot_sync(FULL_MASK, here && mine.to - mine.from > limit); // one at most

        done = __ballot_sync(FULL_MASK, here) != FULL_MASK;
        if (giants != 0) {
            const unsigned lane = lowest_bit(giants);
            const uint64_t from = shuffle(mine.from, lane);
            const T sum = reduce_range<Tune::ROWS>([&](uint64_t i) -> T { return load(i, segment + lane, from); }, from,
                                                   end, op, identity);

            if (lane_index() == 0)
                last[tile] = sum;
        }
    }
}

// What is left of warp `member`'s share of a segment: members share out rounds, which begin at multiples of their size.
template <uint64_t ROUND>
__device__ __forceinline__ long_segment share_of(const long_segment &all, unsigned member, unsigned members)
{
    const uint64_t rounds = all.from / ROUND, share = divide_up(divide_up(all.to, ROUND) - rounds, members);
    const uint64_t begin = (rounds + member * share) * ROUND, end = begin + share * ROUND;
    long_segment its = all;

    its.from = begin < all.from ? all.from : begin < all.to ? begin : all.to;
    its.to = end < all.from ? all.from : end < all.to ? end : all.to;
    return its;
}

// What a giant has in the tiles behind the one in which it begins comes after what it has there. All lanes call.
template <typename Tune, typename T, typename Op>
__device__ __forceinline__ void join_giant(const long_segment &giant, Op op, T identity, uint64_t tile_items,
                                           const T *first, const T *last, T *result)
{
    const uint64_t tile = giant.from / tile_items, behind = divide_up(giant.to, tile_items);
    const T sum = reduce_range<Tune::ROWS>([&](uint64_t t) -> T { return first[t]; }, tile + 1, behind, op, identity);

    if (lane_index() == 0)
        *result = op(last[tile], sum);
}

template <typename Tune, typename T, typename Starts, typename Behaviour, typename Op, typename... Arguments>
__global__ void __launch_bounds__(Tune::MAX_WARPS *WARP_LANES)
    own_segments_kernel(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                        segment_owners owners, uint64_t tile_items, uint64_t tiles, T *result, T *first, T *last,
                        restricted<Arguments>... arguments)
{
    constexpr uint64_t ROUND = Tune::ROWS * WARP_LANES;
    __shared__ T part[Tune::MAX_WARPS];
    const unsigned warps = blockDim.x / WARP_LANES, member = warp_index() % owners.warps;
    auto load = [&](uint64_t i, uint64_t segment, uint64_t from) -> T {
        return behaviour(i, segment, i - from, arguments...);
    };

    let_next_begin();
    if (blockIdx.x >= owners.blocks) {
        const uint64_t tile = (blockIdx.x - owners.blocks) * warps + warp_index();

        if (tile < tiles)
            reduce_giants_of_tile<Tune>(load, items, start, segments, op, identity, owners.limit, tile_items, tile,
                                        first, last);
        return;
    }
    const uint64_t segment = blockIdx.x * (uint64_t)(warps / owners.warps) + warp_index() / owners.warps;
    const long_segment mine(start, segments, items, segment);
    const bool own = segment < segments && mine.to - mine.from <= owners.limit;
    const long_segment share = share_of<ROUND>(mine, member, owners.warps);
    T sum = identity;

    if (own)
        sum = reduce_range<Tune::ROWS>([&](uint64_t i) -> T { return load(i, segment, mine.from); }, share.from,
                                       share.to, op, identity);
    if (owners.warps != 1) { // in all threads
        if (lane_index() == 0)
            part[warp_index()] = sum;
        __syncthreads(); // all members have their parts
        if (member == 0) {
            T parts[1] = {lane_index() < owners.warps ? part[warp_index() + lane_index()] : identity};

            sum = reduce_rows<1>(parts, op);
        }
    }
    if (own && member == 0 && lane_index() == 0)
        result[segment] = sum;
}

// A warp for each giant.
template <typename Tune, typename T, typename Starts, typename Op>
__global__ void __launch_bounds__(Tune::THREADS)
    join_giants_kernel(Starts start, uint64_t segments, uint64_t items, Op op, T identity, uint64_t limit,
                       uint64_t tile_items, const T *first, const T *last, T *result)
{
    const uint64_t segment = blockIdx.x * (uint64_t)Tune::THREADS + threadIdx.x;
    const long_segment mine(start, segments, items, segment);
    unsigned giants = __ballot_sync(FULL_MASK, segment < segments && mine.to - mine.from > limit);

    wait_for_previous();
    for (; giants != 0; giants &= giants - 1) {
        const unsigned lane = lowest_bit(giants);
        long_segment giant = mine;

        giant.from = shuffle(mine.from, lane);
        giant.to = shuffle(mine.to, lane);
        join_giant<Tune>(giant, op, identity, tile_items, first, last, result + shuffle(segment, lane));
    }
}

// Whether a kernel may begin before the one before it ends: where its code waits for that one, which code for compute capability 9.0
// and later does. A device runs the code for the highest capability that it has among those that this file is compiled for.
inline bool may_begin_early()
{
    int device = 0, major = 0;
    bool waits = false;
#ifdef __CUDA_ARCH_LIST__
    constexpr int COMPILED[] = {__CUDA_ARCH_LIST__};
#else
    constexpr int COMPILED[] = {0}; // not known
#endif

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess)
        return false;
    for (int capability : COMPILED)
        waits |= capability >= 900 && capability / 100 <= major;
    return waits;
}

// ---- the fewest items ----

template <typename Tune, typename T, typename Starts, typename Behaviour, typename Op, typename... Arguments>
__device__ __forceinline__ void reduce_segments_at_once(const Behaviour &behaviour, uint64_t items, const Starts &start,
                                                        uint64_t segments, const Op &op, T identity, unsigned owners,
                                                        uint64_t limit, uint64_t tile_items, uint64_t tiles, T *result,
                                                        T *first, T *last, restricted<Arguments>... arguments)
{
    constexpr uint64_t ROUND = Tune::ROWS * WARP_LANES;
    constexpr unsigned WARPS = Tune::ONCE_WARPS;
    __shared__ T part[WARPS];
    const unsigned member = warp_index() % owners;
    const uint64_t own_first =
        blockIdx.x * (uint64_t)(WARPS / owners) + warp_index() / owners; // of the warp's segments
    const uint64_t step = gridDim.x * (uint64_t)(WARPS / owners);
    auto load = [&](uint64_t i, uint64_t segment, uint64_t from) -> T {
        return behaviour(i, segment, i - from, arguments...);
    };
    long_segment mine(start, segments, items, own_first);
    bool giants =
        false; // among those that the thread has looked at; behind the first barrier among all: the same in all blocks

    for (uint64_t s = threadIdx.x; s < segments; s += WARPS * WARP_LANES) {
        const long_segment one(start, segments, items, s);

        giants |= one.to - one.from > limit;
    }
    for (uint64_t segment = own_first, base = blockIdx.x * (uint64_t)(WARPS / owners);; segment += step) {
        const bool own = segment < segments && mine.to - mine.from <= limit;
        const long_segment share = share_of<ROUND>(mine, member, owners);
        T sum = identity;

        if (own)
            sum = reduce_range<Tune::ROWS>([&](uint64_t i) -> T { return load(i, segment, mine.from); }, share.from,
                                           share.to, op, identity);
        if (lane_index() == 0)
            part[warp_index()] = sum;
        giants = __syncthreads_or(giants) != 0; // all members have their parts, too
        if (owners != 1 && member == 0) {
            T parts[1] = {lane_index() < owners ? part[warp_index() + lane_index()] : identity};

            sum = reduce_rows<1>(parts, op);
        }
        if (own && member == 0 && lane_index() == 0)
            result[segment] = sum;
        base += step;
        if (base >= segments)
            break;
        mine = long_segment(start, segments, items, segment + step);
        __syncthreads(); // the parts of these segments have been read
    }
    if (!giants)
        return;
    for (uint64_t tile = warp_index() * (uint64_t)gridDim.x + blockIdx.x; tile < tiles;
         tile += gridDim.x * (uint64_t)WARPS)
        reduce_giants_of_tile<Tune>(load, items, start, segments, op, identity, limit, tile_items, tile, first, last);
    cooperative_groups::this_grid().sync(); // all tiles have what giants have there
    for (uint64_t segment = own_first; member == 0 && segment < segments; segment += step) {
        const long_segment one(start, segments, items, segment);

        if (one.to - one.from > limit)
            join_giant<Tune>(one, op, identity, tile_items, first, last, result + segment);
    }
}

// Its own parameters are not of type `restricted`, so that a launch can name the kernel.
template <typename Tune, typename T, typename Starts, typename Behaviour, typename Op, typename... Arguments>
__global__ void __launch_bounds__(Tune::ONCE_WARPS *WARP_LANES)
    segments_at_once_kernel(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                            unsigned owners, uint64_t limit, uint64_t tile_items, uint64_t tiles, T *result, T *first,
                            T *last, Arguments... arguments)
{
    reduce_segments_at_once<Tune, T, Starts, Behaviour, Op, Arguments...>(behaviour, items, start, segments, op,
                                                                          identity, owners, limit, tile_items, tiles,
                                                                          result, first, last, arguments...);
}

template <typename T> struct long_segments_scratch {
    T *first, *last;
    uint64_t *spans;
    uint64_t tile_items, tiles, bytes;
};

template <typename T, typename Tune> long_segments_scratch<T> lay_out_long_segments(uint64_t items, void *memory)
{
    long_segments_scratch<T> s;
    workspace space(memory);

    s.tile_items = long_tile_items<Tune>(items);
    s.tiles = divide_up(items, s.tile_items);
    // As many as any smaller number of items has, so that memory for some is enough for fewer.
    const uint64_t pieces = divide_up(items, Tune::MIN_ITEMS), bound = 2 * Tune::MANY_TILES;
    const uint64_t small = pieces < bound ? pieces : bound, capacity = s.tiles > small ? s.tiles : small;

    s.first = space.take<T>(capacity);
    s.last = space.take<T>(capacity);
    s.spans = space.take<uint64_t>(capacity);
    s.bytes = space.bytes();
    return s;
}

inline bool are_long(uint64_t items, uint64_t segments)
{
    return segments != 0 && items / segments >= LONG_SEGMENTS;
}

template <typename Tune> bool are_fewest(uint64_t items, uint64_t segments)
{
    return items <= Tune::ONCE_ITEMS && items / segments <= Tune::ONCE_MEAN;
}

// As lbs_segreduce_by, of the fewest items. What each warp does depends on numbers of items and segments alone, so that sums of floats are
// the same on every device.
template <typename Tune, typename Behaviour, typename Starts, typename Op, typename T, typename... Arguments>
cudaError_t reduce_segments_in_one_launch(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op,
                                          T identity, T *result, const long_segments_scratch<T> &s, const context &on,
                                          Arguments... arguments)
{
    constexpr uint64_t ROUND = Tune::ROWS * WARP_LANES;
    void (*const kernel)(Behaviour, uint64_t, Starts, uint64_t, Op, T, unsigned, uint64_t, uint64_t, uint64_t, T *, T *,
                         T *, Arguments...) = segments_at_once_kernel<Tune, T, Starts, Behaviour, Op, Arguments...>;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute together = {};
    int device = 0, processors = 0;
    unsigned owners = 1; // of a segment: a power of two
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    while (owners < Tune::ONCE_WARPS && 2 * owners * ROUND <= items / segments)
        owners *= 2;
    const uint64_t most = owners * ROUND * Tune::ONCE_ROUNDS;
    const uint64_t limit =
        most < s.tile_items ? s.tile_items : most; // so a giant never ends in the tile in which it begins
    const uint64_t groups = divide_up(segments, Tune::ONCE_WARPS / owners),
                   of_tiles = divide_up(s.tiles, Tune::ONCE_WARPS);
    const uint64_t blocks = groups < of_tiles ? of_tiles : groups;

    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim = dim3((unsigned)(blocks < (uint64_t)processors ? blocks : (uint64_t)processors));
    config.blockDim = dim3(Tune::ONCE_WARPS * WARP_LANES);
    config.stream = on.stream;
    config.attrs = &together;
    config.numAttrs = 1;
    for (;; config.gridDim.x /= 2) { // fewer blocks do the same operations in the same order
        error = cudaLaunchKernelEx(&config, kernel, behaviour, items, start, segments, op, identity, owners, limit,
                                   s.tile_items, s.tiles, result, s.first, s.last, arguments...);
        if (error != cudaErrorCooperativeLaunchTooLarge || config.gridDim.x == 1)
            return error;
        (void)cudaGetLastError(); // the stream has a part of the device's multiprocessors only
    }
}

// As lbs_segreduce_by, of few items.
template <typename Tune, typename Behaviour, typename Starts, typename Op, typename T, typename... Arguments>
cudaError_t reduce_own_segments(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op, T identity,
                                T *result, const long_segments_scratch<T> &s, const context &on, Arguments... arguments)
{
    const segment_owners owners = owners_of<Tune>(items, segments, s.tile_items);
    const unsigned warps = owners.warps < Tune::WARPS ? Tune::WARPS : owners.warps;
    const unsigned blocks = (unsigned)(owners.blocks + divide_up(s.tiles, warps));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute early = {};

    own_segments_kernel<Tune, T, Starts, Behaviour, Op, Arguments...>
        <<<blocks, warps * WARP_LANES, 0, on.stream>>>(behaviour, items, start, segments, op, identity, owners,
                                                       s.tile_items, s.tiles, result, s.first, s.last, arguments...);
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3((unsigned)divide_up(segments, Tune::THREADS));
    config.blockDim = dim3(Tune::THREADS);
    config.stream = on.stream;
    config.attrs = &early;
    config.numAttrs = may_begin_early() ? 1 : 0;
    const cudaError_t error = cudaPeekAtLastError();
    if (error != cudaSuccess || items <= owners.limit)
        return error;
    return cudaLaunchKernelEx(&config, join_giants_kernel<Tune, T, Starts, Op>, start, segments, items, op, identity,
                              owners.limit, s.tile_items, (const T *)s.first, (const T *)s.last, result);
}

// As lbs_segreduce_by.
template <typename Tune, typename Behaviour, typename Starts, typename Op, typename T, typename... Arguments>
cudaError_t reduce_long_segments(Behaviour behaviour, uint64_t items, Starts start, uint64_t segments, Op op,
                                 T identity, T *result, void *memory, const context &on, Arguments... arguments)
{
    const auto s = lay_out_long_segments<T, Tune>(items, memory);
    unsigned blocks;
    cudaError_t error = count_blocks<Tune::WARPS>(s.tiles, &blocks);

    if (are_fewest<Tune>(items, segments))
        return reduce_segments_in_one_launch<Tune>(behaviour, items, start, segments, op, identity, result, s, on,
                                                   arguments...);
    if (items <= Tune::FEW_ITEMS && items / segments <= Tune::MAX_MEAN)
        return reduce_own_segments<Tune>(behaviour, items, start, segments, op, identity, result, s, on, arguments...);

    if (error != cudaSuccess)
        return error;
    long_segments_kernel<Tune, T, Starts, Behaviour, Op, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(behaviour, items, start, segments, op, identity, s.tile_items,
                                                  s.tiles, result, s.first, s.last, s.spans, arguments...);
    error = cudaPeekAtLastError();
    if (error != cudaSuccess || s.tiles == 1)
        return error;
    join_tiles_kernel<Tune><<<(unsigned)divide_up(s.tiles, Tune::THREADS), Tune::THREADS, 0, on.stream>>>(
        start, segments, items, op, identity, s.tile_items, s.tiles, (const T *)s.first, (const T *)s.last,
        (const uint64_t *)s.spans, result);
    return cudaPeekAtLastError();
}

} // namespace sb

#endif
