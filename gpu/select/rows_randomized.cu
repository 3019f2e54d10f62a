// SPDX-License-Identifier: BSD-2-Clause
//
// select.rows/randomized: for each row, random keys give a bound that a few more than k keys most likely reach; the keys
// that do are collected, and one block sorts them. Keys are pairs (topk_pairs.cuh).
//
//     tiny rows    a warp sorts a row of at most 256 keys
//     short rows   a block for each row, in one launch: it sorts 510 random pairs, collects those of the row above the bound in
//                  shared memory, and sorts them; or it sorts the row, if that has at most 512 keys or 4 k
//     long rows    three launches: a block for each row sorts 2046 random pairs and chooses the bound; all blocks collect, each
//                  a part of a row, in a buffer of the row; and a block for each row takes the k largest of these as if they were
//                  the row
//
// The answer is right for every sample, since pairs are counted. A bound above which there are fewer than k pairs moves down by
// twice the share of the sample above it; one above which there are more than fit is followed by the middle of the pairs that
// the k-th may still be. These become fewer with each try, and a bound equal to the k-th pair counts k pairs, which fit. The block
// of a long row whose buffer has not got k pairs, or too many, does this on the row itself.
// Shared memory: 36 KiB. Cost: one read of the keys, the sort of a sample for each row, and one of 256, 512, ... or 4096 pairs.
// Workspace: for each long row 128 KiB, less than it has itself. Measured: docs/MEASUREMENTS.md.
// Source: the sample of L. Monroe, J. Wendelberger and S. Michalak, "Randomized selection on the GPU" (2011), with one pivot.
#include "topk_pairs.cuh"
#include <samebits/prim/sort.cuh>
#include <samebits/prim/workspace.cuh>

enum {
    FEW_SPLITTERS_EACH = 2, // pairs of a thread in the sample of a short row
    SPLITTERS_EACH = 8,     // of a long one
    TAKE_EACH = 16,
    TAKEN = THREADS * TAKE_EACH,
    TINY_EACH = 8,
    TINY_ROW = sb::WARP_LANES * TINY_EACH,
    LONG_ROW = 1 << 15,  // keys from which a row is long. A block reads so many in about the time of two more launches
    COLLECTED = 1 << 14, // pairs in the buffer of a long row: twice the 6,000 or 7,000 of k = 2048 of 2^20
    PART_TILES = 64,     // of a long row that a block reads: 128 KiB
    WHOLE_ROW = 512,     // a sample has as many
    WHOLE_TIMES =
        4 // a bound leaves about a quarter more than k pairs, so fewer would not be much less to sort; not tuned
};

// That a bound has k pairs above it. A long row that misses costs a read by one block, of a time of 40 good rows.
static const float PROBABILITY = 0.99f, LONG_PROBABILITY = 0.999f;

namespace
{

struct shared_memory {
    union {
        collected<pair_t> held;
        pair_t pair[TAKEN]; // what has been collected, and where it is sorted
    };
    pair_t splitter[THREADS * FEW_SPLITTERS_EACH];
    pair_t bound, low, high; // the smallest and the largest pair that the k-th may still be
    unsigned count;          // of pairs not below the bound
    unsigned first;          // the splitter that is the bound
    bool bisects;            // the bound is not a splitter any more
};

// The state of a long row, in the workspace.
struct row_state {
    pair_t bound;
    counter_t count;
};

// What every kernel gets.
struct selection {
    const uint32_t *keys;
    uint64_t rows, columns;
    unsigned k;
    unsigned first; // the splitter that is the first bound
    unsigned whole; // a short row of no more keys is sorted as it is
    sb::key_order order;
    uint32_t *key, *index;
    row_state *state;
    pair_t *buffer;

    __device__ narrow_keys row(uint64_t number) const
    {
        return narrow_keys(keys + number * columns, columns, sb::key_map<uint32_t>(order));
    }
};

// Where a block searches: a row, or pairs of it. All threads call `collect`; all lanes of a warp call `act`(pair, chosen), which
// gets pairs, of which some are not below the bound, and a bit for each that is not.
struct whole_row {
    narrow_keys keys;

    __device__ uint64_t count() const
    {
        return keys.n;
    }
    __device__ pair_t operator[](uint64_t i) const
    {
        return pair_of(keys[i], i);
    }
    template <typename Act> __device__ __forceinline__ void collect(pair_t bound, const Act &act) const
    {
        for_pairs(keys, bound, sb::warp_index(), WARPS, act);
    }
};

struct some_pairs {
    const pair_t *pairs;
    unsigned n;

    __device__ uint64_t count() const
    {
        return n;
    }
    __device__ pair_t operator[](uint64_t i) const
    {
        return pairs[i];
    }
    template <typename Act> __device__ __forceinline__ void collect(pair_t bound, const Act &act) const
    {
        for (unsigned first = sb::warp_index() * sb::WARP_LANES; first < n; first += THREADS) {
            const unsigned i = first + sb::lane_index();
            const pair_t pair[1] = {i < n ? pairs[i] : 0};

            const unsigned chosen = i < n && pair[0] >= bound;

            if (__any_sync(sb::FULL_MASK, chosen != 0))
                act(pair, chosen);
        }
    }
};

} // namespace

// The number of the splitter above which most likely are k of n pairs, of so many splitters, the ends included.
static __host__ __device__ unsigned choose_splitter(unsigned splitters, uint64_t n, unsigned k, float probability)
{
    return sb::choose_window(splitters - 2, (double)sb::rank_from_below(n, k) + 0.5, (double)k - 0.5, probability)
        .first;
}

// Random pairs, sorted, behind the smallest one and before the largest. A barrier must precede, and `exchange` is free behind
// the next one.
template <unsigned EACH, typename Source>
static __device__ __forceinline__ void sample(const Source &source, pair_t (&mine)[EACH],
                                              pair_t (&exchange)[THREADS * EACH])
{
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = threadIdx.x * EACH + i;

        mine[i] = at == 0                    ? 0
                  : at == THREADS * EACH - 1 ? ~(pair_t)0
                                             : source[sb::sample_index(0, 0, at, source.count())];
    }
    sb::block_sort<THREADS>(mine, exchange);
}

// Writes a pair of a row's result, if it is one: there are as many larger ones as `from_top`.
static __device__ __forceinline__ void put(const selection &s, uint64_t row, unsigned from_top, pair_t pair)
{
    if (from_top < s.k) {
        s.key[row * s.k + from_top] = sb::from_ordered((uint32_t)(pair >> 32), s.order);
        s.index[row * s.k + from_top] = ~(uint32_t)pair;
    }
}

// Sorts the first `count` pairs in shared memory, at most EACH for each thread, and writes the k largest. A barrier must precede.
// The sort exchanges there, too: a thread has read the words that it writes.
template <unsigned EACH>
static __device__ void take(const selection &s, uint64_t row, unsigned count, shared_memory &shared)
{
    if constexpr (EACH > 1) {
        if (count <= THREADS * EACH / 2) { // the same for all threads
            take<EACH / 2>(s, row, count, shared);
            return;
        }
    }
    pair_t mine[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = i * THREADS + threadIdx.x;

        mine[i] = at < count ? shared.pair[at] : 0; // below all pairs, since there is no index 2^32 - 1
    }
    sb::block_sort<THREADS>(mine, *(pair_t(*)[THREADS * EACH]) shared.pair);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        put(s, row, THREADS * EACH - 1 - (threadIdx.x * EACH + i), mine[i]);
}

// Moves a bound that has not enough pairs above it, or too many. One thread calls.
static __device__ void move_bound(const selection &s, shared_memory &shared)
{
    const pair_t bound = shared.bound;

    if (shared.count < s.k) {
        const unsigned above = THREADS * FEW_SPLITTERS_EACH - shared.first;

        shared.high = bound - 1 < shared.high ? bound - 1 : shared.high;
        shared.first = shared.first > 2 * above ? shared.first - 2 * above : 0;
    } else {
        shared.low = bound > shared.low ? bound : shared.low;
        shared.bisects = true;
    }
    if (shared.bisects || shared.first == 0)
        shared.bound = shared.high - (shared.high - shared.low) / 2; // above `low`, unless it is the only one
    else
        shared.bound = shared.splitter[shared.first];
    shared.count = 0;
}

// Collects the pairs that are not below a bound that at least k reach and at most TAKEN, and returns how many they are. All threads call; ends with a barrier.
template <typename Source>
static __device__ unsigned collect(const selection &s, const Source &source, unsigned first, shared_memory &shared)
{
    pair_t mine[FEW_SPLITTERS_EACH];

    sample(source, mine, *(pair_t(*)[THREADS * FEW_SPLITTERS_EACH]) shared.pair);
#pragma unroll
    for (unsigned i = 0; i < FEW_SPLITTERS_EACH; i++)
        shared.splitter[threadIdx.x * FEW_SPLITTERS_EACH + i] = mine[i];
    __syncthreads(); // the splitters are there
    if (threadIdx.x == 0) {
        shared.low = 0;
        shared.high = ~(pair_t)0;
        shared.first = first;
        shared.bisects = false;
        shared.bound = shared.splitter[first];
        shared.count = 0;
    }
    for (;;) {
        __syncthreads(); // the bound is there
        source.collect(shared.bound, [&](const auto &pair, unsigned chosen) {
            const unsigned mine = (unsigned)__popc(chosen), end = sb::warp_inclusive_scan(mine, sb::add());
            unsigned to = 0;

            if (sb::lane_index() == sb::WARP_LANES - 1)
                to = atomicAdd(&shared.count, end);
            to = sb::shuffle(to, sb::WARP_LANES - 1) + end - mine;
#pragma unroll
            for (unsigned i = 0; i < sizeof pair / sizeof *pair; i++)
                if (chosen >> i & 1) {
                    if (to < TAKEN)
                        shared.pair[to] = pair[i];
                    to++;
                }
        });
        __syncthreads(); // all pairs are counted
        const unsigned count = shared.count;

        if (count >= s.k && count <= TAKEN)
            return count;
        __syncthreads(); // all have read the count
        if (threadIdx.x == 0)
            move_bound(s, shared);
    }
}

// Writes the k largest pairs of the source, of which all are sorted if they are no more than `whole`. All threads call.
template <typename Source>
static __device__ void search(const selection &s, uint64_t row, const Source &source, unsigned first, unsigned whole,
                              shared_memory &shared)
{
    unsigned count = (unsigned)source.count(); // at most MAX_INDEXED

    if (count <= whole) {
        for (unsigned i = threadIdx.x; i < count; i += THREADS)
            shared.pair[i] = source[i];
        __syncthreads(); // all pairs are there
    } else {
        count = collect(s, source, first, shared);
    }
    take<TAKE_EACH>(s, row, count, shared);
}

// A warp for each tiny row, of at most EACH keys for each lane.
template <unsigned EACH> static __global__ void __launch_bounds__(THREADS) sort_rows(selection s)
{
    const uint64_t row = blockIdx.x * (uint64_t)WARPS + sb::warp_index();
    pair_t mine[EACH];

    if (row >= s.rows)
        return;
    const whole_row keys = {s.row(row)};

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = i * sb::WARP_LANES + sb::lane_index();

        mine[i] = at < s.columns ? keys[at] : 0; // below all pairs
    }
    sb::warp_sort(mine);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        put(s, row, sb::WARP_LANES * EACH - 1 - (sb::lane_index() * EACH + i), mine[i]);
}

// A block for each short row.
static __global__ void __launch_bounds__(THREADS, RESIDENT) search_rows(selection s)
{
    __shared__ shared_memory shared;

    search(s, blockIdx.x, whole_row{s.row(blockIdx.x)}, s.first, s.whole, shared);
}

// ---- long rows ----

// A block for each row.
static __global__ void __launch_bounds__(THREADS, RESIDENT) start_rows(selection s)
{
    __shared__ pair_t exchange[THREADS * SPLITTERS_EACH];
    pair_t mine[SPLITTERS_EACH];

    sample(whole_row{s.row(blockIdx.x)}, mine, exchange);
#pragma unroll
    for (unsigned i = 0; i < SPLITTERS_EACH; i++)
        if (threadIdx.x * SPLITTERS_EACH + i == s.first)
            s.state[blockIdx.x] = {mine[i], 0};
}

// As many blocks for each row as it has parts.
static __global__ void __launch_bounds__(THREADS, RESIDENT) collect_rows(selection s, unsigned parts)
{
    __shared__ collected<pair_t> held;
    const unsigned row = blockIdx.x / parts, part = blockIdx.x % parts;
    row_state *state = &s.state[row];

    collect_keys(s.row(row), state->bound, part * WARPS + sb::warp_index(), (uint64_t)parts * WARPS, held,
                 &state->count, s.buffer + (uint64_t)row * COLLECTED, COLLECTED);
}

// A block for each row.
static __global__ void __launch_bounds__(THREADS, RESIDENT) finish_rows(selection s)
{
    __shared__ shared_memory shared;
    const uint64_t row = blockIdx.x, n = s.state[row].count;
    const bool missed = n < s.k || n > COLLECTED;

    if (threadIdx.x == 0)
        shared.first = missed || n > TAKEN
                           ? choose_splitter(THREADS * FEW_SPLITTERS_EACH, missed ? s.columns : n, s.k, PROBABILITY)
                           : 0;
    __syncthreads(); // the splitter is chosen
    const unsigned first = shared.first;

    if (missed)
        search(s, row, whole_row{s.row(row)}, first, TAKEN, shared);
    else
        search(s, row, some_pairs{s.buffer + row * COLLECTED, (unsigned)n}, first, TAKEN, shared);
}

// ---- the host ----

static unsigned parts_of(uint64_t columns)
{
    return (unsigned)sb::divide_up(narrow_keys(nullptr, columns, sb::key_map<uint32_t>(sb::UNSIGNED_ORDER)).tiles(),
                                   PART_TILES);
}

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    const uint64_t rows = parameters[SB_ROWS_ROWS], columns = parameters[SB_ROWS_COLUMNS];

    if (columns > MAX_INDEXED)
        return "more keys in a row than indices";
    return rows * (columns < LONG_ROW ? 1 : parts_of(columns)) > 0x7fffffff ? "more blocks than a grid has" : nullptr;
}

static uint64_t lay_out(selection *s, uint64_t rows, uint64_t columns, void *workspace)
{
    sb::workspace space(workspace);

    if (columns < LONG_ROW)
        return 0;
    s->state = space.take<row_state>(rows);
    s->buffer = space.take<pair_t>(rows * COLLECTED);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *)
{
    selection s = {};

    return lay_out(&s, parameters[SB_ROWS_ROWS], parameters[SB_ROWS_COLUMNS], nullptr);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint64_t rows = parameters[SB_ROWS_ROWS], columns = parameters[SB_ROWS_COLUMNS], k = parameters[SB_ROWS_K];
    const bool is_long = columns >= LONG_ROW;
    selection s = {};
    key_kind kind;

    if (k > columns || columns > MAX_INDEXED || !kind_of(parameters[SB_ROWS_TYPE], &kind))
        return SB_INVALID;
    if (rows == 0)
        return SB_OK;
    lay_out(&s, rows, columns, workspace);
    s.keys = (const uint32_t *)inputs[SB_SELECT_KEYS].data;
    s.rows = rows;
    s.columns = columns;
    s.k = (unsigned)k;
    s.order = kind.order;
    s.key = (uint32_t *)outputs[SB_SELECT_KEY].data;
    s.index = (uint32_t *)outputs[SB_SELECT_INDEX].data;
    s.first = choose_splitter(THREADS * (is_long ? SPLITTERS_EACH : FEW_SPLITTERS_EACH), columns, s.k,
                              is_long ? LONG_PROBABILITY : PROBABILITY);
    s.whole = sb::minimum()((unsigned)TAKEN, sb::maximum()((unsigned)WHOLE_ROW, WHOLE_TIMES * s.k));
    if (is_long) {
        const unsigned parts = parts_of(columns);

        start_rows<<<(unsigned)rows, THREADS>>>(s);
        collect_rows<<<(unsigned)rows * parts, THREADS>>>(s, parts);
        finish_rows<<<(unsigned)rows, THREADS>>>(s);
    } else if (columns <= TINY_ROW) {
        const unsigned blocks = (unsigned)sb::divide_up(rows, WARPS);

        if (columns <= TINY_ROW / 4)
            sort_rows<TINY_EACH / 4><<<blocks, THREADS>>>(s);
        else
            sort_rows<TINY_EACH><<<blocks, THREADS>>>(s);
    } else {
        search_rows<<<(unsigned)rows, THREADS>>>(s);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {TINY_ROW / 4, TINY_ROW, TAKEN, LONG_ROW, 0};

extern "C" const sb_variant sb_gpu_select_rows_randomized[] = {
    {"select.rows", "randomized",
     "pairs of key and index above a bound from a random sample of the row; a block sorts them", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
