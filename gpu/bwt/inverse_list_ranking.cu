// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.inverse/list_ranking: many walkers through one large block, their stretches put in order by list ranking.
//
// The last-to-first map (see walk) is a permutation of the rows, and the text is read along the cycle of `primary`.
// Where in the text a row stands is not known before the walk has come there; so walkers start at many rows at once,
// each keeps what it reads, and the order of their stretches is found afterwards.
//   count, places  for blocks of more than one tile: a thread block a tile of 4096 bytes counts its bytes; one for each
//                  byte value scans the counts of the block's tiles
//   map            a thread block a tile: the row that each row goes to, and its byte, in one u64. Lanes with equal
//   bytes
//                  find each other by a match, and number themselves in order of rows, as the map asks
//   walk           a thread a stretch. A row is a *start* if it is the primary of its block, or if its number,
//   multiplied
//                  by an odd constant modulo a power of two, is below a bound: one row in 32, without a table. Each
//                  walks from its start to the next one, and keeps the first 64 bytes; the row it had come to then,
//                  where it ended, and after how many steps
//   shorten        the same again on the list of starts, and on what that leaves, until few are left: a start of the
//                  next list is one whose number is below a bound 32 times lower
//   chase          a thread a block goes through the last list from the primary on, and says how far from it each start
//                  is; `extend` then says it for the starts of the list before, and so on
//   emit           a warp for 32 stretches: writes the bytes kept where they belong; those of stretches longer than 64
//                  steps are walked again from the row where their bytes end
//   repeat         where the cycle is shorter than the block, the walk goes round again
// A start that is not on the cycle of a primary has no distance, and its stretch is nothing.
// Starts are spread by the multiplication, so a stretch is as long as a draw with chance 1/32 takes, and for a map that
// adds a constant no longer than about 64. A `last` made to avoid all starts is walked by one thread: slow, and right.
// Memory: 8 bytes a row for the map, 2 for what is kept, 1.2 for the lists. Cost: a read of 32 bytes somewhere in the
// map for each row, an eighth of them twice. On an H200 15.8 GB/s of text for 32 MiB of program text, 17.2 for
// 64 MiB of random DNA letters.
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    LANES = 32,
    SYMBOLS = 256,
    WARPS = 8,
    THREADS = WARPS * LANES, // one for each byte value where a thread block looks after the counters
    STEPS = 16,              // of 32 rows, that a warp takes of a tile
    TILE = WARPS * STEPS * LANES,
    STRETCH = 32, // mean length
    KEPT = 2 * STRETCH,
    FEW = 64, // starts that a thread may chase
    MAX_LISTS = 12
};

static const unsigned ALL = 0xffffffffu;
static const uint64_t NOWHERE = UINT64_MAX;
static const uint64_t MAX_GRID = 1 << 16; // far more than runs at once; each takes every gridDim.x-th piece of work
static const uint64_t FACTOR = 0x9e3779b97f4a7c15u;

struct blocks_of_text {
    uint64_t n, block, count;
    uint64_t tiles; // of a block
};

// One in STRETCH of the elements below; the primaries of the blocks have the numbers `hashed` and up.
struct starts {
    uint64_t hashed;
    uint64_t *next;     // start at which the stretch ends
    uint64_t *steps;    // of the stretch
    uint64_t *distance; // from the primary of the block, in steps; NOWHERE
};

// How rows become numbers: row * factor modulo mask + 1.
struct numbering {
    uint64_t factor, inverse, mask;
};

struct walked {
    uint64_t *step;   // of a row: row that it goes to << 8 | byte
    uint64_t *beyond; // of a stretch: the row after KEPT steps
    uint8_t *kept;    // KEPT bytes a stretch
};

static __device__ __forceinline__ uint64_t length_of(const blocks_of_text &all, uint64_t b)
{
    uint64_t first = b * all.block;

    return all.n - first < all.block ? all.n - first : all.block;
}

static __global__ void check(blocks_of_text all, const uint64_t *primary, unsigned *invalid)
{
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t b = blockIdx.x * (uint64_t)THREADS + threadIdx.x; b < all.count; b += stride)
        if (primary[b] >= length_of(all, b))
            atomicOr(invalid, 1u);
}

// ---- the map ----

struct tile {
    uint64_t first, row, length; // of the block in the input; of the tile in the block; of the tile
    uint64_t counters;           // where the counters of the block's tiles are
    uint64_t index;              // in the block
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

static __global__ void __launch_bounds__(THREADS) count(blocks_of_text all, const uint8_t *last, uint32_t *counters)
{
    __shared__ unsigned counter[SYMBOLS];

    for (uint64_t number = blockIdx.x; number < all.count * all.tiles; number += gridDim.x) {
        tile t = tile_at(all, number);

        counter[threadIdx.x] = 0;
        __syncthreads(); // all counters are 0 before any is raised
        for (unsigned i = threadIdx.x; i - threadIdx.x % LANES < t.length; i += THREADS) {
            unsigned symbol = i < t.length ? last[t.first + t.row + i] : (unsigned)SYMBOLS;
            unsigned equal = __match_any_sync(ALL, symbol);

            if (symbol < SYMBOLS && (equal & ((1u << threadIdx.x % LANES) - 1)) == 0)
                atomicAdd(&counter[symbol], (unsigned)__popc(equal));
        }
        __syncthreads(); // the tile is counted
        counters[t.counters + threadIdx.x * all.tiles + t.index] = counter[threadIdx.x];
        __syncthreads(); // the counters have been read
    }
}

// The sum of `value` over the threads before this one; `total` of all. `sums`: a place for each warp.
static __device__ uint64_t scan_threads(uint64_t value, uint64_t sums[WARPS], uint64_t *total)
{
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    uint64_t sum = value, before = 0;

    for (unsigned distance = 1; distance < LANES; distance *= 2) {
        uint64_t other = __shfl_up_sync(ALL, sum, distance);

        if (lane >= distance)
            sum += other;
    }
    __syncthreads(); // `sums` is free
    if (lane == LANES - 1)
        sums[warp] = sum;
    __syncthreads(); // the sum of each warp is there
    *total = 0;
    for (unsigned i = 0; i < WARPS; i++) {
        before += i < warp ? sums[i] : 0;
        *total += sums[i];
    }
    return before + sum - value;
}

// Turns the counts of a symbol in the tiles of a block into the number in the tiles before, a thread block each.
static __global__ void __launch_bounds__(THREADS) places(blocks_of_text all, uint32_t *counters, uint64_t *totals)
{
    __shared__ uint64_t sums[WARPS];

    for (uint64_t number = blockIdx.x; number < all.count * SYMBOLS; number += gridDim.x) {
        uint32_t *counter = counters + number * all.tiles;
        uint64_t before = 0, total;

        for (uint64_t base = 0; base < all.tiles; base += THREADS) {
            uint64_t i = base + threadIdx.x;
            uint64_t place = before + scan_threads(i < all.tiles ? counter[i] : 0, sums, &total);

            if (i < all.tiles)
                counter[i] = (uint32_t)place;
            before += total;
        }
        if (threadIdx.x == 0)
            totals[number] = before;
    }
}

// `counters` and `totals` are null where a block is one tile.
static __global__ void __launch_bounds__(THREADS)
    map(blocks_of_text all, const uint8_t *last, const uint32_t *counters, const uint64_t *totals, uint64_t *step)
{
    __shared__ unsigned counter[WARPS][SYMBOLS]; // of a warp's rows, then of those before
    __shared__ uint64_t start[SYMBOLS];          // row of the tile's first
    __shared__ uint64_t sums[WARPS];
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;

    for (uint64_t number = blockIdx.x; number < all.count * all.tiles; number += gridDim.x) {
        tile t = tile_at(all, number);
        const uint8_t *from = last + t.first + t.row;
        unsigned symbol[STEPS], equal[STEPS];
        uint64_t ignored;

        for (unsigned i = 0; i < WARPS; i++)
            counter[i][threadIdx.x] = 0;
        __syncthreads(); // all counters are 0 before any is raised
#pragma unroll
        for (unsigned i = 0; i < STEPS; i++) {
            unsigned at = (warp * STEPS + i) * LANES + lane;

            if (at - lane >= t.length)
                break; // the whole warp
            symbol[i] = at < t.length ? from[at] : (unsigned)SYMBOLS;
            equal[i] = __match_any_sync(ALL, symbol[i]);
            if (symbol[i] < SYMBOLS && (equal[i] & ((1u << lane) - 1)) == 0)
                counter[warp][symbol[i]] += (unsigned)__popc(equal[i]);
            __syncwarp(); // raised, before another lane raises it
        }
        __syncthreads(); // the warps have counted
        unsigned in_tile = 0;
        for (unsigned i = 0; i < WARPS; i++) {
            unsigned here = counter[i][threadIdx.x];

            counter[i][threadIdx.x] = in_tile;
            in_tile += here;
        }
        uint64_t in_block = totals ? totals[number / all.tiles * SYMBOLS + threadIdx.x] : in_tile;
        uint64_t in_tiles_before = counters ? counters[t.counters + threadIdx.x * all.tiles + t.index] : 0;

        start[threadIdx.x] = t.first + scan_threads(in_block, sums, &ignored) + in_tiles_before;
        __syncthreads(); // where the rows of each symbol go is known
#pragma unroll
        for (unsigned i = 0; i < STEPS; i++) {
            unsigned at = (warp * STEPS + i) * LANES + lane;

            if (at - lane >= t.length)
                break; // the whole warp
            unsigned before = (unsigned)__popc(equal[i] & ((1u << lane) - 1));
            uint64_t place = symbol[i] < SYMBOLS ? start[symbol[i]] + counter[warp][symbol[i]] + before : 0;

            __syncwarp(); // every lane has read its counter before one of the equal ones moves it
            if (at < t.length) {
                step[t.first + t.row + at] = place << 8 | symbol[i];
                if (before == 0)
                    counter[warp][symbol[i]] += (unsigned)__popc(equal[i]);
            }
            __syncwarp(); // the counters have been moved
        }
        __syncthreads(); // the counters are free
    }
}

// ---- the walk ----

// The row, or NOWHERE, at which start number `id` stands, and the first row of its block and the row of its primary.
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

// Is there a stretch that begins at this start of the list that `to` leaves of `from`? A hashed one may be no row, or a
// primary, which then has its own number: such a one has no stretch, and nobody comes to it.
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

static __global__ void __launch_bounds__(THREADS) chase(blocks_of_text all, starts list, uint64_t *cycle)
{
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t b = blockIdx.x * (uint64_t)THREADS + threadIdx.x; b < all.count; b += stride) {
        uint64_t here = list.hashed + b, distance = 0;

        do {
            list.distance[here] = distance;
            distance += list.steps[here];
            here = list.next[here];
        } while (here != list.hashed + b);
        cycle[b] = distance;
    }
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
    unsigned lane = threadIdx.x % LANES;
    uint64_t stride = (uint64_t)gridDim.x * THREADS;

    for (uint64_t base = blockIdx.x * (uint64_t)THREADS + threadIdx.x - lane; base < list.hashed + all.count;
         base += stride) {
        uint64_t id = base + lane, b = 0, home;
        uint64_t distance = id < list.hashed + all.count ? list.distance[id] : NOWHERE;
        uint64_t steps = distance == NOWHERE ? 0 : list.steps[id];
        uint8_t *end = text; // just after the first byte of the stretch: it is written back to front

        if (steps > 0) {
            row_of(all, primary, numbers, list.hashed, id, &b, &home);
            end += b * all.block + length_of(all, b) - distance;
        }
        for (unsigned i = 0; i < LANES; i++) {
            uint64_t there = __shfl_sync(ALL, steps, (int)i);
            uint8_t *to = (uint8_t *)__shfl_sync(ALL, (unsigned long long)(uintptr_t)end, (int)i);

            for (unsigned at = lane; at < there && at < KEPT; at += LANES)
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

// ---- the host's part ----

static uint64_t over(uint64_t count, uint64_t by)
{
    return count / by + (count % by != 0);
}

static blocks_of_text cut(const uint64_t *parameters, const sb_array *inputs)
{
    blocks_of_text all;

    all.n = inputs[SB_BWT_INVERSE_LAST].length;
    all.block = parameters[SB_BWT_BLOCK];
    if (all.block == 0 || all.block > all.n)
        all.block = all.n;
    all.count = all.n ? over(all.n, all.block) : 0;
    all.tiles = over(all.block, TILE);
    return all;
}

static numbering number(uint64_t n)
{
    numbering numbers = {FACTOR, FACTOR, 0};

    for (unsigned i = 0; i < 6; i++) // Newton: each step doubles the bits that are right, from 3
        numbers.inverse *= 2 - FACTOR * numbers.inverse;
    while (numbers.mask < n - 1)
        numbers.mask = 2 * numbers.mask + 1;
    return numbers;
}

// Lays out the workspace from `memory` on, which may be null where only its size is asked for.
struct layout {
    numbering numbers;
    walked w;
    uint32_t *counters;
    uint64_t *totals, *cycle;
    unsigned *invalid;
    starts list[MAX_LISTS];
    unsigned lists;
    uint64_t bytes;

    template <typename T> T *take(char *memory, uint64_t count)
    {
        T *at = memory ? (T *)(memory + bytes) : nullptr;

        bytes += over(count * sizeof(T), 8) * 8;
        return at;
    }

    layout(const blocks_of_text &all, char *memory) : numbers(number(all.n)), lists(0), bytes(0)
    {
        uint64_t hashed = (numbers.mask + 1) / STRETCH;
        bool many_tiles = all.tiles > 1;

        w.step = take<uint64_t>(memory, all.n);
        w.kept = take<uint8_t>(memory, (hashed + all.count) * KEPT);
        w.beyond = take<uint64_t>(memory, hashed + all.count);
        totals = take<uint64_t>(memory, many_tiles ? all.count * SYMBOLS : 0);
        counters = take<uint32_t>(memory, many_tiles ? all.count * SYMBOLS * all.tiles : 0);
        cycle = take<uint64_t>(memory, all.count);
        invalid = take<unsigned>(memory, 1);
        do {
            starts *s = &list[lists++];

            s->hashed = hashed;
            s->next = take<uint64_t>(memory, hashed + all.count);
            s->steps = take<uint64_t>(memory, hashed + all.count);
            s->distance = take<uint64_t>(memory, hashed + all.count);
            hashed /= STRETCH;
        } while (list[lists - 1].hashed > FEW);
        if (!many_tiles) {
            totals = nullptr;
            counters = nullptr;
        }
    }
};

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    blocks_of_text all = cut(parameters, inputs);

    return all.n ? layout(all, nullptr).bytes : 0;
}

// Counters of 32 bits, and a row in 56 bits of a step.
static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_BWT_INVERSE_LAST].length >> 32 ? "2^32 bytes or more" : nullptr;
}

static unsigned grid(uint64_t threads, uint64_t each)
{
    uint64_t blocks = over(threads, each);

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
    layout at(all, (char *)workspace);

    if (cudaMemset(at.invalid, 0, sizeof *at.invalid) != cudaSuccess)
        return SB_FAILED;
    check<<<grid(all.count, THREADS), THREADS>>>(all, primary, at.invalid);
    if (cudaMemcpy(&invalid, at.invalid, sizeof invalid, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    if (invalid)
        return SB_INVALID;

    if (at.counters) {
        count<<<grid(all.count * all.tiles, 1), THREADS>>>(all, last, at.counters);
        places<<<grid(all.count * SYMBOLS, 1), THREADS>>>(all, at.counters, at.totals);
    }
    map<<<grid(all.count * all.tiles, 1), THREADS>>>(all, last, at.counters, at.totals, at.w.step);
    walk<<<grid(at.list[0].hashed + all.count, THREADS), THREADS>>>(all, primary, at.numbers, at.list[0], at.w);
    for (unsigned i = 1; i < at.lists; i++)
        shorten<<<grid(at.list[i].hashed + all.count, THREADS), THREADS>>>(all, primary, at.numbers, at.list[i - 1],
                                                                           at.list[i]);
    chase<<<grid(all.count, THREADS), THREADS>>>(all, at.list[at.lists - 1], at.cycle);
    for (unsigned i = at.lists - 1; i > 0; i--)
        extend<<<grid(at.list[i].hashed + all.count, THREADS), THREADS>>>(all, at.list[i - 1], at.list[i]);
    emit<<<grid(at.list[0].hashed + all.count, THREADS), THREADS>>>(all, primary, at.numbers, at.list[0], at.w, text);
    repeat<<<grid(all.n, THREADS), THREADS>>>(all, at.cycle, text);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_bwt_inverse_list_ranking[] = {
    {"bwt.inverse", "list_ranking", "many walkers at once, their stretches put in order by list ranking", refuses,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
