// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.inverse/list_ranking: follows the LF-mapping of a large block from many rows at once; list ranking then finds
// where in the text each of these pieces belongs.
//
// The LF-mapping (see inverse_walk.cu) is a permutation of the rows, and the text is read along the cycle of `primary`.
// The position in the text of what a row holds is its distance from the primary on that cycle: a list ranking problem
// (J. C. Wyllie 1979). It is solved as D. R. Helman and J. JáJá (1999) do, by sublists: threads walk from many starts
// at once, each to the next start; a start of the shorter list that remains represents its whole sublist, with the
// length of it; and the same again on that list, until one thread can rank it.
//
//   count, bases   for blocks of more than one tile: a thread block counts the bytes of a tile of 4096 rows; one thread
//                  block for each byte value scans the counts of a block's tiles
//   map            one thread block for each tile: the row that each row leads to, and its byte, in one u64. Lanes with
//                  equal bytes find each other by a match and number themselves in order of rows, as the LF-mapping
//                  asks
//   walk           one thread for each sublist. A row is a start if it is the primary of its block, or if its number,
//                  multiplied by an odd constant modulo a power of two, is below a bound: one row in 32, without a
//                  table. A thread walks from its start to the next one, and keeps the first 64 bytes, the row after
//                  these, the start at which it ended, and the number of steps
//   shorten        the same on the list of starts, and on the lists that this leaves, until few are left: a start of
//                  the next list is one whose number is below a bound 32 times lower
//   rank           one thread for each block goes through the last list from the primary on, and finds how far from it
//                  each start is; `extend` then finds it for the starts of the list before, and so on
//   emit           a warp for 32 sublists: writes the bytes kept to their positions; sublists of more than 64 steps are
//                  walked again from the row where the kept bytes end
//   repeat         where the cycle is shorter than the block, the text repeats
//
// A start that is not on the cycle of a primary gets no distance, and nothing is written for it. The multiplication
// spreads the starts, so the length of a sublist is geometrically distributed with mean 32, and for a map that adds a
// constant at most about 64. A `last` made to avoid all starts is walked by one thread: slow, and right. Memory: 8
// bytes for each row for the map, 2 for the bytes kept, 1.2 for the lists. Cost: a read of 32 bytes at a random address
// of the map for each row, and again for an eighth of them. Measured: docs/MEASUREMENTS.md.
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/block.cuh>
#include <samebits/prim/radix.cuh>
#include <samebits/prim/workspace.cuh>

enum : unsigned {
    SYMBOLS = 256,
    WARPS = 8,
    THREADS = WARPS * sb::WARP_LANES, // one for each byte value where a thread block scans the counters
    STEPS = 16,                       // rows of 32 that a warp takes of a tile, in registers with their matches
    TILE = WARPS * STEPS * sb::WARP_LANES,
    // Mean length of a sublist. Twice as long halves the lists and the threads that walk; half as long doubles both,
    // and the bytes that are kept. Not tuned.
    STRETCH = 32,
    KEPT = 2 * STRETCH, // bytes kept of a sublist: all of seven in eight, as lengths are distributed geometrically
    FEW = 64,           // starts of the last list, which one thread ranks. Not tuned.
    MAX_LISTS = 12      // each 32 times shorter than the one before: more than 2^32 rows need
};

static_assert(THREADS == SYMBOLS, "a thread for each byte value");

static const uint64_t NOWHERE = UINT64_MAX;
static const uint64_t MAX_GRID = 1 << 13; // blocks, more than run at once; each takes every gridDim.x-th piece of work
static const uint64_t FACTOR = 0x9e3779b97f4a7c15u; // 2^64 / golden ratio, odd: multiples are spread evenly

struct blocks_of_text {
    uint64_t n, block, count;
    uint64_t tiles; // of a block
};

// The starts of a list: those whose numbers are below `hashed`, one in STRETCH of the list before; and the primaries of
// the blocks, which have the numbers from `hashed` on.
struct starts {
    uint64_t hashed;
    uint64_t *next;     // the start at which the sublist ends
    uint64_t *steps;    // of the sublist
    uint64_t *distance; // from the primary of the block, in steps; or NOWHERE
};

// The number of a row is row * factor modulo mask + 1, and row = number * inverse.
struct numbering {
    uint64_t factor, inverse, mask;
};

struct walked {
    uint64_t *step;   // of a row: the row that it leads to << 8 | byte
    uint64_t *beyond; // of a sublist: the row after KEPT steps
    uint8_t *kept;    // KEPT bytes a sublist
};

static __device__ __forceinline__ uint64_t length_of(const blocks_of_text &all, uint64_t b)
{
    uint64_t first = b * all.block;

    return all.n - first < all.block ? all.n - first : all.block;
}

// Sets *invalid if a primary lies outside its block.
static __global__ void check(blocks_of_text all, const uint64_t *primary, unsigned *invalid)
{
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t b = blockIdx.x * (uint64_t)THREADS + threadIdx.x; b < all.count; b += stride)
        if (primary[b] >= length_of(all, b))
            atomicOr(invalid, 1u);
}

// ---- the map ----

struct tile {
    uint64_t first;    // row of the block in the input
    uint64_t row;      // of the tile in the block
    uint64_t length;   // of the tile
    uint64_t counters; // index of the counters of the block's tiles
    uint64_t index;    // of the tile in the block
};

static __device__ __forceinline__ tile tile_at(const blocks_of_text &all, uint64_t number)
{
    uint64_t b = number / all.tiles;
    tile t;

    t.index = number % all.tiles;
    t.first = b * all.block;
    t.row = t.index * TILE;
    t.counters = b * SYMBOLS * all.tiles;
    uint64_t length = length_of(all, b);
    t.length = length <= t.row ? 0 : length - t.row < TILE ? length - t.row : (uint64_t)TILE;
    return t;
}

// One thread block for each tile: a block of the text that is more than one tile has over TILE bytes, so there are few.
static __global__ void __launch_bounds__(THREADS) count(blocks_of_text all, const uint8_t *last, uint32_t *counters)
{
    __shared__ unsigned counter[SYMBOLS];
    tile t = tile_at(all, blockIdx.x);

    counter[threadIdx.x] = 0;
    __syncthreads(); // all counters are 0 before any is raised
    for (unsigned i = threadIdx.x; i - threadIdx.x % sb::WARP_LANES < t.length; i += THREADS) {
        unsigned symbol = i < t.length ? last[t.first + t.row + i] : (unsigned)SYMBOLS;
        unsigned equal = sb::match_digit(symbol);

        if (symbol < SYMBOLS && sb::count_below(equal) == 0)
            atomicAdd(&counter[symbol], (unsigned)__popc(equal));
    }
    __syncthreads(); // the tile is counted
    counters[t.counters + threadIdx.x * all.tiles + t.index] = counter[threadIdx.x];
}

// Replaces the count of a symbol in each tile of a block by the count in the tiles before it. One thread block for each
// symbol.
static __global__ void __launch_bounds__(THREADS) bases(blocks_of_text all, uint32_t *counters, uint64_t *totals)
{
    __shared__ uint64_t sums[WARPS];

    for (uint64_t number = blockIdx.x; number < all.count * SYMBOLS; number += gridDim.x) {
        uint32_t *counter = counters + number * all.tiles;
        uint64_t before = 0, total;

        for (uint64_t base = 0; base < all.tiles; base += THREADS) {
            uint64_t i = base + threadIdx.x;
            uint64_t here = i < all.tiles ? counter[i] : 0;
            uint64_t in_tiles = before + sb::block_exclusive_sum(here, sums, &total);

            if (i < all.tiles)
                counter[i] = (uint32_t)in_tiles;
            before += total;
            __syncthreads(); // the sums have been read
        }
        if (threadIdx.x == 0)
            totals[number] = before;
    }
}

// `counters` and `totals` are null where a block is one tile.
static __global__ void __launch_bounds__(THREADS)
    map(blocks_of_text all, const uint8_t *last, const uint32_t *counters, const uint64_t *totals, uint64_t *step)
{
    __shared__ unsigned counter[WARPS][SYMBOLS]; // rows of each symbol: of a warp; then of the warps before it
    __shared__ uint64_t start[SYMBOLS];          // row to which the tile's first row of a symbol leads
    __shared__ uint64_t sums[WARPS];
    unsigned lane = sb::lane_index(), warp = sb::warp_index();

    for (uint64_t number = blockIdx.x; number < all.count * all.tiles; number += gridDim.x) {
        tile t = tile_at(all, number);
        const uint8_t *from = last + t.first + t.row;
        unsigned symbol[STEPS], equal[STEPS];

        for (unsigned i = 0; i < WARPS; i++)
            counter[i][threadIdx.x] = 0;
        __syncthreads(); // all counters are 0 before any is raised
#pragma unroll
        for (unsigned i = 0; i < STEPS; i++) {
            unsigned at = (warp * STEPS + i) * sb::WARP_LANES + lane;

            if (at - lane >= t.length)
                break; // the whole warp
            symbol[i] = at < t.length ? from[at] : (unsigned)SYMBOLS;
            equal[i] = sb::match_digit(symbol[i]);
            if (symbol[i] < SYMBOLS && sb::count_below(equal[i]) == 0)
                counter[warp][symbol[i]] += (unsigned)__popc(equal[i]);
            __syncwarp(); // the counter is raised before another lane raises it
        }
        __syncthreads(); // the warps have counted
        unsigned in_tile = sb::start_digit(counter, threadIdx.x, 0u);
        uint64_t all_rows, in_block = totals ? totals[number / all.tiles * SYMBOLS + threadIdx.x] : in_tile;
        uint64_t in_tiles_before = counters ? counters[t.counters + threadIdx.x * all.tiles + t.index] : 0;

        start[threadIdx.x] = t.first + sb::block_exclusive_sum(in_block, sums, &all_rows) + in_tiles_before;
        __syncthreads(); // it is known where the rows of each symbol lead
#pragma unroll
        for (unsigned i = 0; i < STEPS; i++) {
            unsigned at = (warp * STEPS + i) * sb::WARP_LANES + lane;

            if (at - lane >= t.length)
                break; // the whole warp
            unsigned before = sb::count_below(equal[i]);
            uint64_t to = symbol[i] < SYMBOLS ? start[symbol[i]] + counter[warp][symbol[i]] + before : 0;

            __syncwarp(); // every lane has read its counter before the first lane of its symbol raises it
            if (at < t.length) {
                step[t.first + t.row + at] = to << 8 | symbol[i];
                if (before == 0)
                    counter[warp][symbol[i]] += (unsigned)__popc(equal[i]);
            }
            __syncwarp(); // the counters are raised for the next 32 rows
        }
        __syncthreads(); // counters and sums have been read
    }
}

// ---- the walk ----

// The row of start number `id`, its block, and the row of the block's primary; NOWHERE if no row has this number, or if
// the row is a primary, which has a number of its own.
static __device__ __forceinline__ uint64_t row_of(const blocks_of_text &all, const uint64_t *primary, numbering numbers,
                                                  uint64_t hashed, uint64_t id, uint64_t *b, uint64_t *home)
{
    uint64_t row = id * numbers.inverse & numbers.mask;

    if (id >= hashed) {
        *b = id - hashed;
        *home = *b * all.block + primary[*b];
        return *home;
    }
    if (row >= all.n)
        return NOWHERE;
    *b = row / all.block;
    *home = *b * all.block + primary[*b];
    return row == *home ? NOWHERE : row;
}

static __global__ void __launch_bounds__(THREADS)
    walk(blocks_of_text all, const uint64_t *primary, numbering numbers, starts to, walked w)
{
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t id = blockIdx.x * (uint64_t)THREADS + threadIdx.x; id < to.hashed + all.count; id += stride) {
        uint64_t b, home, steps = 0, next = NOWHERE;
        uint64_t row = row_of(all, primary, numbers, to.hashed, id, &b, &home);
        uint64_t word = 0;

        to.distance[id] = NOWHERE;
        if (row == NOWHERE)
            continue;
        do {
            uint64_t here = w.step[row];

            row = here >> 8;
            if (steps < KEPT) {
                word |= (here & 255) << steps % 8 * 8;
                if (steps % 8 == 7) {
                    *(uint64_t *)&w.kept[id * KEPT + steps - 7] = word;
                    word = 0;
                }
            }
            if (++steps == KEPT)
                w.beyond[id] = row;
            next = row == home ? to.hashed + b : row * numbers.factor & numbers.mask;
        } while (row != home && next >= to.hashed);
        if (steps < KEPT && steps % 8 != 0)
            *(uint64_t *)&w.kept[id * KEPT + steps / 8 * 8] = word;
        to.next[id] = next;
        to.steps[id] = steps;
    }
}

// The number in the longer list `from` of start `id` of the shorter list `to`. (A number that row_of() calls NOWHERE
// has no sublist, and no other sublist ends at it.)
static __device__ __forceinline__ uint64_t number_below(const starts &from, const starts &to, uint64_t id)
{
    return id < to.hashed ? id : from.hashed + (id - to.hashed);
}

static __global__ void __launch_bounds__(THREADS)
    shorten(blocks_of_text all, const uint64_t *primary, numbering numbers, starts from, starts to)
{
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t id = blockIdx.x * (uint64_t)THREADS + threadIdx.x; id < to.hashed + all.count; id += stride) {
        uint64_t b, home, steps = 0;
        uint64_t here = number_below(from, to, id);

        to.distance[id] = NOWHERE;
        if (row_of(all, primary, numbers, to.hashed, id, &b, &home) == NOWHERE)
            continue;
        do {
            steps += from.steps[here];
            here = from.next[here];
        } while (here >= to.hashed && here < from.hashed);
        to.next[id] = here < to.hashed ? here : to.hashed + (here - from.hashed);
        to.steps[id] = steps;
    }
}

static __global__ void __launch_bounds__(THREADS) rank(blocks_of_text all, starts list, uint64_t *cycle)
{
    uint64_t b = blockIdx.x * (uint64_t)THREADS + threadIdx.x;
    uint64_t here = list.hashed + b, distance = 0;

    if (b >= all.count)
        return;
    do {
        list.distance[here] = distance;
        distance += list.steps[here];
        here = list.next[here];
    } while (here != list.hashed + b);
    cycle[b] = distance;
}

static __global__ void __launch_bounds__(THREADS) extend(blocks_of_text all, starts from, starts to)
{
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t id = blockIdx.x * (uint64_t)THREADS + threadIdx.x; id < to.hashed + all.count; id += stride) {
        uint64_t distance = to.distance[id];
        uint64_t here = number_below(from, to, id);

        if (distance == NOWHERE)
            continue;
        do {
            from.distance[here] = distance;
            distance += from.steps[here];
            here = from.next[here];
        } while (here >= to.hashed && here < from.hashed);
    }
}

// ---- the text ----

static __global__ void __launch_bounds__(THREADS)
    emit(blocks_of_text all, const uint64_t *primary, numbering numbers, starts list, walked w, uint8_t *text)
{
    unsigned lane = sb::lane_index();
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t base = blockIdx.x * (uint64_t)THREADS + threadIdx.x - lane; base < list.hashed + all.count;
         base += stride) {
        uint64_t id = base + lane, b = 0, home;
        uint64_t distance = id < list.hashed + all.count ? list.distance[id] : NOWHERE;
        uint64_t steps = distance == NOWHERE ? 0 : list.steps[id];
        uint8_t *end = text; // after the first byte of the sublist, which is written back to front

        if (steps > 0) {
            row_of(all, primary, numbers, list.hashed, id, &b, &home);
            end += b * all.block + length_of(all, b) - distance;
        }
        for (unsigned i = 0; i < sb::WARP_LANES; i++) {
            uint64_t there = __shfl_sync(sb::FULL_MASK, steps, (int)i);
            uint8_t *to = (uint8_t *)__shfl_sync(sb::FULL_MASK, (unsigned long long)(uintptr_t)end, (int)i);

            for (unsigned at = lane; at < there && at < KEPT; at += sb::WARP_LANES)
                *(to - 1 - at) = w.kept[(base + i) * KEPT + at];
        }
        uint64_t row = steps > KEPT ? w.beyond[id] : 0;

        for (uint64_t at = KEPT; at < steps; at++) {
            uint64_t here = w.step[row];

            *(end - 1 - at) = (uint8_t)here;
            row = here >> 8;
        }
    }
}

static __global__ void __launch_bounds__(THREADS) repeat(blocks_of_text all, const uint64_t *cycle, uint8_t *text)
{
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < all.n; i += stride) {
        uint64_t b = i / all.block, length = length_of(all, b), from_end = b * all.block + length - 1 - i;

        if (from_end >= cycle[b])
            text[i] = text[i + from_end / cycle[b] * cycle[b]];
    }
}

// ---- the host ----

static blocks_of_text cut(const uint64_t *parameters, const sb_array *inputs)
{
    blocks_of_text all;

    all.n = inputs[SB_BWT_INVERSE_LAST].length;
    all.block = parameters[SB_BWT_BLOCK];
    if (all.block == 0 || all.block > all.n)
        all.block = all.n;
    all.count = all.n ? sb::divide_up(all.n, all.block) : 0;
    all.tiles = sb::divide_up(all.block, TILE);
    return all;
}

static numbering number(uint64_t n)
{
    numbering numbers = {FACTOR, FACTOR, 0};

    for (unsigned i = 0; i < 6; i++) // Newton: each step doubles the number of correct bits, 3 at first
        numbers.inverse *= 2 - FACTOR * numbers.inverse;
    while (numbers.mask < n - 1)
        numbers.mask = 2 * numbers.mask + 1;
    return numbers;
}

// The workspace; `memory` is null where only its size is asked for.
struct layout {
    numbering numbers;
    walked w;
    uint32_t *counters;
    uint64_t *totals, *cycle;
    unsigned *invalid;
    starts list[MAX_LISTS];
    unsigned lists;
    uint64_t bytes;

    layout(const blocks_of_text &all, void *memory) : numbers(number(all.n)), w(), list(), lists(0)
    {
        sb::workspace space(memory);
        uint64_t hashed = (numbers.mask + 1) / STRETCH;
        bool many_tiles = all.tiles > 1;

        w.step = space.take<uint64_t>(all.n);
        w.kept = space.take<uint8_t>((hashed + all.count) * KEPT, sizeof(uint64_t));
        w.beyond = space.take<uint64_t>(hashed + all.count);
        totals = space.take<uint64_t>(many_tiles ? all.count * SYMBOLS : 0);
        counters = space.take<uint32_t>(many_tiles ? all.count * SYMBOLS * all.tiles : 0);
        cycle = space.take<uint64_t>(all.count);
        invalid = space.take<unsigned>(1);
        do {
            starts *s = &list[lists++];

            s->hashed = hashed;
            s->next = space.take<uint64_t>(hashed + all.count);
            s->steps = space.take<uint64_t>(hashed + all.count);
            s->distance = space.take<uint64_t>(hashed + all.count);
            hashed /= STRETCH;
        } while (list[lists - 1].hashed > FEW);
        if (!many_tiles) {
            totals = nullptr;
            counters = nullptr;
        }
        bytes = space.bytes();
    }
};

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    blocks_of_text all = cut(parameters, inputs);

    return all.n ? layout(all, nullptr).bytes : 0;
}

// Counters have 32 bits.
static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_BWT_INVERSE_LAST].length >> 32 ? "2^32 bytes or more" : nullptr;
}

static unsigned grid(uint64_t threads, uint64_t each)
{
    uint64_t blocks = sb::divide_up(threads, each);

    return (unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint64_t *primary = (const uint64_t *)inputs[SB_BWT_INVERSE_PRIMARY].data;
    const uint8_t *last = (const uint8_t *)inputs[SB_BWT_INVERSE_LAST].data;
    uint8_t *text = (uint8_t *)outputs[SB_BWT_INVERSE_TEXT].data;
    uint64_t given = inputs[SB_BWT_INVERSE_PRIMARY].length;
    blocks_of_text all = cut(parameters, inputs);
    unsigned invalid = 0;

    if (all.n == 0) {
        uint64_t only = 0;

        if (given == 1 && cudaMemcpy(&only, primary, sizeof only, cudaMemcpyDeviceToHost) != cudaSuccess)
            return SB_FAILED;
        return given > 1 || only != 0 ? SB_INVALID : SB_OK;
    }
    if (given != all.count)
        return SB_INVALID;
    layout at(all, workspace);

    if (cudaMemset(at.invalid, 0, sizeof *at.invalid) != cudaSuccess)
        return SB_FAILED;
    check<<<grid(all.count, THREADS), THREADS>>>(all, primary, at.invalid);
    if (cudaMemcpy(&invalid, at.invalid, sizeof invalid, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    if (invalid)
        return SB_INVALID;

    if (at.counters) {
        count<<<(unsigned)(all.count * all.tiles), THREADS>>>(all, last, at.counters);
        bases<<<grid(all.count * SYMBOLS, 1), THREADS>>>(all, at.counters, at.totals);
    }
    map<<<grid(all.count * all.tiles, 1), THREADS>>>(all, last, at.counters, at.totals, at.w.step);
    walk<<<grid(at.list[0].hashed + all.count, THREADS), THREADS>>>(all, primary, at.numbers, at.list[0], at.w);
    for (unsigned i = 1; i < at.lists; i++)
        shorten<<<grid(at.list[i].hashed + all.count, THREADS), THREADS>>>(all, primary, at.numbers, at.list[i - 1],
                                                                           at.list[i]);
    rank<<<(unsigned)sb::divide_up(all.count, THREADS), THREADS>>>(all, at.list[at.lists - 1], at.cycle);
    for (unsigned i = at.lists - 1; i > 0; i--)
        extend<<<grid(at.list[i].hashed + all.count, THREADS), THREADS>>>(all, at.list[i - 1], at.list[i]);
    emit<<<grid(at.list[0].hashed + all.count, THREADS), THREADS>>>(all, primary, at.numbers, at.list[0], at.w, text);
    repeat<<<grid(all.n, THREADS), THREADS>>>(all, at.cycle, text);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {TILE, 0};

extern "C" const sb_variant sb_gpu_bwt_inverse_list_ranking[] = {
    {"bwt.inverse", "list_ranking",
     "the LF-mapping from many rows at once, their sublists put in order by list ranking", refuses, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
