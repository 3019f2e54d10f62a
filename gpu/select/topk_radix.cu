// SPDX-License-Identifier: BSD-2-Clause
//
// select.topk/radix: finds the k-th largest key, takes the keys above it and as many equal ones as there is space for,
// and sorts what it has taken.
//
//     1. narrow   the passes of select.kth/radix (narrow.cuh) find the k-th key, and how many keys equal to it belong
//                 to the k largest: those with the lowest indices
//     2. take     one pass by decoupled look-back (samebits/prim/lookback.cuh): each tile counts its keys above and its
//                 keys equal, finds the counts of all tiles before it, and writes what is taken in the order of indices.
//                 Two counts of 31 bits fit the state of a tile, so a launch takes less than 2^31 keys, and the next
//                 one goes on from its counts
//     3. sort     a stable sort by descending keys (sort.cuh): equal keys stay in the order of indices
//
// Every key above the k-th is taken, wherever it stands, so the result is not that of one bucket.
// Shared memory: 40 KiB in step 1, a few counters in step 2.
// Cost: all keys are read 3 times for 4-byte keys, 3 to 7 times for 8-byte keys; 8 or 16 passes of a sort over k pairs.
// Workspace for 5/16 of the keys and 5 words for each key that is taken. Measured: docs/MEASUREMENTS.md.
// Source: for step 1 as select.kth/radix.
#include "narrow.cuh"
#include "sort.cuh"
#include <samebits/prim/lookback.cuh>

enum {
    TAKE_EACH = 16, // keys of a thread in step 2; not tuned
    TAKE_TILE = THREADS * TAKE_EACH,
    COUNT_BITS = 31
};

// Keys of a launch: two counts of them and a status fill a state.
static const uint64_t MAX_TAKEN_FROM = ((uint64_t)1 << COUNT_BITS) - TAKE_TILE;
static const uint64_t MAX_INDEXED = 0xffffffffu; // so that the number of keys fits the 32 bits of an index, too

namespace
{

// How many keys are above the k-th in the upper bits, and how many are equal to it in the lower ones.
struct taken_count {
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
        return sb::AGGREGATE_STATUS | count;
    }
    static __device__ __forceinline__ word of_prefix(value count)
    {
        return sb::PREFIX_STATUS | count;
    }
    static __device__ __forceinline__ bool is_prefix(word state)
    {
        return (state & sb::PREFIX_STATUS) != 0;
    }
    static __device__ __forceinline__ value value_of(word state)
    {
        return state & sb::STATUS_VALUE;
    }
    static __device__ __forceinline__ value reduce(value count)
    {
        return sb::warp_reduce(count, sb::add());
    }
};

// What a launch of step 2 leaves to the next one.
struct taken_before {
    uint64_t greater, equal;
};

template <typename Word> struct topk_arrays {
    range_arrays<Word> ranges;
    uint64_t *states;     // of the tiles of a launch
    unsigned *drawn;      // and their ticket
    taken_before *before; // for each launch, and one for what is behind the last
    Word *taken;
    uint32_t *taken_from;
    sort_space sort;
};

} // namespace

// Step 2, for the keys from `start` on, up to `end`. A warp's part of the tile is rows of 32 keys, so that order is that
// of rows and then of lanes.
template <typename Word>
static __global__ void __launch_bounds__(THREADS) take_largest(range_selection<Word> s, uint64_t start, uint64_t end,
                                                               topk_arrays<Word> a, taken_before *before_launch)
{
    __shared__ uint64_t warp_counts[WARPS], before_tile;
    __shared__ unsigned drawn;
    const sb::key_map<Word> map(s.order);
    const Word kth = s.state->low;
    const uint64_t equal_taken = s.state->k;
    const unsigned tile = sb::draw_tile(a.drawn, drawn);
    const uint64_t first =
        start + (uint64_t)tile * TAKE_TILE + sb::warp_index() * (TAKE_EACH * sb::WARP_LANES) + sb::lane_index();
    unsigned greater[TAKE_EACH], equal[TAKE_EACH]; // a bit for each lane of a row
    Word word[TAKE_EACH];
    uint64_t count = 0;

#pragma unroll
    for (unsigned i = 0; i < TAKE_EACH; i++) {
        const uint64_t at = first + i * sb::WARP_LANES;

        word[i] = at < end ? map(s.keys[at]) : 0;
        greater[i] = __ballot_sync(sb::FULL_MASK, at < end && word[i] > kth);
        equal[i] = __ballot_sync(sb::FULL_MASK, at < end && word[i] == kth);
        count += (uint64_t)__popc(greater[i]) << COUNT_BITS | (uint64_t)__popc(equal[i]);
    }
    if (sb::lane_index() == 0)
        warp_counts[sb::warp_index()] = count;
    __syncthreads(); // all warps have counted
    uint64_t before = 0, all = 0;

    for (unsigned w = 0; w < WARPS; w++) {
        before += w < sb::warp_index() ? warp_counts[w] : 0;
        all += warp_counts[w];
    }
    if (sb::warp_index() == 0) {
        uint64_t prefix = sb::find_prefix<taken_count>(a.states, tile, all, 0);

        if (sb::lane_index() == 0)
            before_tile = prefix;
    }
    __syncthreads(); // the counts of the tiles before are known
    before += before_tile;
    const uint64_t COUNT_MASK = ((uint64_t)1 << COUNT_BITS) - 1;
    uint64_t greater_before = before_launch->greater + (before >> COUNT_BITS);
    uint64_t equal_before = before_launch->equal + (before & COUNT_MASK);

    if (tile == gridDim.x - 1 && threadIdx.x == 0) { // what it finds before it and has itself is all of the launch
        before_launch[1].greater = greater_before + (all >> COUNT_BITS);
        before_launch[1].equal = equal_before + (all & COUNT_MASK);
    }

#pragma unroll
    for (unsigned i = 0; i < TAKE_EACH; i++) {
        const unsigned lane = 1u << sb::lane_index();
        const uint64_t equal_here = equal_before + sb::count_below(equal[i]);

        if ((greater[i] & lane) != 0 || ((equal[i] & lane) != 0 && equal_here < equal_taken)) {
            const uint64_t to =
                greater_before + sb::count_below(greater[i]) + (equal_here < equal_taken ? equal_here : equal_taken);

            a.taken[to] = word[i];
            a.taken_from[to] = (uint32_t)(first + i * sb::WARP_LANES);
        }
        greater_before += (unsigned)__popc(greater[i]);
        equal_before += (unsigned)__popc(equal[i]);
    }
}

// Writes the result in the order of the sort.
template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    write_largest(const Word *taken, const uint32_t *taken_from, const uint32_t *sorted, uint64_t k,
                  sb::key_order order, Word *key, uint32_t *index)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < k; i += gridDim.x * (uint64_t)THREADS) {
        key[i] = sb::from_ordered(taken[sorted[i]], order);
        index[i] = taken_from[sorted[i]];
    }
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_SELECT_KEYS].length, k = parameters[SB_SELECT_K];

    if (n > MAX_INDEXED)
        return "more keys than indices";
    return (k < n ? k : n) > sb::RADIX_MAX_PAIRS ? "more keys to sort than the sort takes" : nullptr;
}

template <typename Word> static uint64_t lay_out(topk_arrays<Word> *a, uint64_t n, uint64_t k, void *workspace)
{
    const uint64_t ranges = sb::round_up(lay_out_ranges(&a->ranges, n, workspace), sb::VECTOR_BYTES);
    sb::workspace space(workspace == nullptr ? nullptr : (char *)workspace + ranges);

    k = k < n ? k : n;
    a->states = space.take<uint64_t>(sb::divide_up(n < MAX_TAKEN_FROM ? n : MAX_TAKEN_FROM, TAKE_TILE));
    a->drawn = space.take<unsigned>(1);
    a->before = space.take<taken_before>(sb::divide_up(n, MAX_TAKEN_FROM) + 1);
    a->taken = space.take<Word>(k, sizeof(Word));
    a->taken_from = space.take<uint32_t>(k);
    take_sort_space(&a->sort, k, &space);
    return ranges + space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    key_kind kind;
    topk_arrays<uint32_t> narrow;
    topk_arrays<uint64_t> wide;
    uint64_t n = inputs[SB_SELECT_KEYS].length, k = parameters[SB_SELECT_K];

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return 0;
    return kind.wide ? lay_out(&wide, n, k, nullptr) : lay_out(&narrow, n, k, nullptr);
}

template <typename Word>
static sb_status launch_topk(const sb_array &keys, uint64_t k, sb::key_order order, sb_array *outputs, void *workspace)
{
    const uint32_t *sorted;
    unsigned launches = 0;
    topk_arrays<Word> a = {};

    lay_out(&a, keys.length, k, workspace);
    const range_selection<Word> s = select_in(a.ranges, keys, k, order, nullptr);

    start_ranges<Word><<<1, THREADS>>>(s);
    narrow(s);
    for (uint64_t start = 0, end; start < keys.length; start = end) {
        taken_before *before = a.before + launches;
        char *cleared_to = launches == 0 ? (char *)(before + 1) : (char *)(a.drawn + 1);

        end = keys.length - start < MAX_TAKEN_FROM ? keys.length : start + MAX_TAKEN_FROM;
        if (cudaMemsetAsync(a.states, 0, cleared_to - (char *)a.states, 0) != cudaSuccess)
            return SB_FAILED;
        take_largest<<<(unsigned)sb::divide_up(end - start, TAKE_TILE), THREADS>>>(s, start, end, a, before);
        launches++;
    }
    if (!sort_keys(a.taken, k, sb::UNSIGNED_ORDER, true, a.sort, &sorted))
        return SB_FAILED;
    write_largest<<<grid_for(sb::divide_up(k, sb::WARP_LANES)), THREADS>>>(a.taken, a.taken_from, sorted, k, order,
                                                                           (Word *)outputs[SB_SELECT_KEY].data,
                                                                           (uint32_t *)outputs[SB_SELECT_INDEX].data);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];
    uint64_t k = parameters[SB_SELECT_K];
    key_kind kind;

    if (k == 0 || k > keys.length || !kind_of(parameters[SB_SELECT_TYPE], &kind))
        return SB_INVALID;
    return kind.wide ? launch_topk<uint64_t>(keys, k, kind.order, outputs, workspace)
                     : launch_topk<uint32_t>(keys, k, kind.order, outputs, workspace);
}

static const uint64_t sizes[] = {TAKE_TILE, 0};

extern "C" const sb_variant sb_gpu_select_topk_radix[] = {
    {"select.topk", "radix", "finds the k-th key by digits, takes what is above it, sorts that", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
