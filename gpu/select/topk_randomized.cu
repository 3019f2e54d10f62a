// SPDX-License-Identifier: BSD-2-Clause
//
// select.topk/randomized: random keys give a bound that a few more than k keys most likely reach; one pass over all keys
// finds them, and the search goes on in these until one block can sort them.
//
// A key and its index make a pair of 64 bits (topk_pairs.cuh), and no two pairs are equal.
//
//     splitters  2046 random pairs, sorted, behind the smallest one
//     bound      the lower end of the window that holds the k-th pair with probability 0.99 (samebits/prim/select.cuh)
//     collect    every warp collects the pairs that are not below the bound in shared memory, and writes them when it has
//                many; what does not fit the buffer is counted
//     decide     the last block to finish: if fewer than k pairs were counted, the bound was too high; if more than the
//                buffer holds, too low. Otherwise the search goes on in the buffer
//     take       once at most 4096 pairs are left one block sorts them, and writes the first k
//
// The answer is right for every sample, since pairs are counted. A bound that was too high moves down by twice the share of the
// splitters above it; one that was too low, or that nothing is below, is followed by the middle of the pairs that the k-th
// may still be. These become fewer with each pass, and a bound equal to the k-th pair counts k pairs, which fit. The last
// block decides, so nothing goes through the host, which starts two passes more than are needed if no bound is wrong; those
// not needed return at once, and one block does what is missing.
// Shared memory: 32 KiB, for collected pairs or for exchange.
// Cost: one read of all keys, and of a few in 2047 of them as pairs, and so on; a sort of 1024 or 4096 pairs by one block.
// Workspace: 9/64 of a pair for each key. Measured: docs/MEASUREMENTS.md.
// Source: the sample of L. Monroe, J. Wendelberger and S. Michalak, "Randomized selection on the GPU" (2011), with one pivot.
#include "topk_pairs.cuh"
#include <samebits/prim/sort.cuh>
#include <samebits/prim/workspace.cuh>

enum {
    SORT_EACH = 8, // pairs of a thread when a block sorts splitters
    SPLITTERS = THREADS * SORT_EACH,
    RANDOM_KEYS = SPLITTERS - 2,
    FEW_EACH = 4, // and when it sorts few or many that are left
    TAKE_EACH = 16,
    TAKEN = THREADS * TAKE_EACH,
    MAX_K = 1024 // of TAKEN pairs, so that a bound with enough of them above it is found among few splitters; not tuned
};

// That the window holds the k-th pair; not tuned.
static const float PROBABILITY = 0.99f;

namespace
{

// The state of the search, in the workspace.
struct search {
    uint64_t n;        // pairs still in question
    unsigned source;   // where they are: 0 the input, 1 and 2 the buffers
    unsigned round;    // of sampling
    unsigned finished; // the result is written
    unsigned first;    // the splitter that is the bound
    unsigned bisects;  // the bound is not a splitter any more
    unsigned blocks;   // that have finished
    pair_t bound;
    pair_t low, high; // the smallest and the largest pair that the k-th may still be
    counter_t count;  // of pairs not below the bound
    pair_t splitter[SPLITTERS];
};

struct shared_memory {
    union {
        collected<pair_t> held;
        pair_t exchange[TAKEN];
    };
    bool last, next_round;
};

// What every kernel gets.
struct selection {
    const uint32_t *keys;
    uint64_t n, k, seed;
    sb::key_order order;
    search *state;
    pair_t *buffer[2];
    uint64_t capacity[2];
    uint32_t *key, *index;

    __device__ narrow_keys input() const
    {
        return narrow_keys(keys, n, sb::key_map<uint32_t>(order));
    }

    __device__ key_array<pair_t> pairs() const
    {
        return key_array<pair_t>(state->source == 1 ? buffer[0] : buffer[1], state->n,
                                 sb::key_map<pair_t>(sb::UNSIGNED_ORDER));
    }

    // The buffer that the pass fills.
    __device__ unsigned target() const
    {
        return state->source == 1;
    }

    __device__ pair_t pair_at(uint64_t i) const
    {
        if (state->source != 0)
            return (state->source == 1 ? buffer[0] : buffer[1])[i];
        return pair_of(sb::to_ordered(keys[i], order), i);
    }
};

} // namespace

// ---- the start of a round: one block ----

// Sorts what is left, at most EACH for each thread, and writes the result.
template <unsigned EACH> static __device__ void take(const selection &s, shared_memory &shared)
{
    const unsigned first = threadIdx.x * EACH;
    pair_t mine[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        mine[i] =
            first + i < s.state->n ? s.pair_at(first + i) : 0; // below all pairs, since there is no index 2^32 - 1
    sb::block_sort<THREADS>(mine, *(pair_t(*)[THREADS * EACH]) shared.exchange);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned from_top = THREADS * EACH - 1 - (first + i);

        if (from_top < s.k) {
            s.key[from_top] = sb::from_ordered((uint32_t)(mine[i] >> 32), s.order);
            s.index[from_top] = ~(uint32_t)mine[i];
        }
    }
    if (threadIdx.x == 0)
        s.state->finished = 1;
}

// A barrier must precede, and another one follow.
static __device__ void start_round(const selection &s, shared_memory &shared)
{
    search *state = s.state;
    const uint64_t n = state->n;

    if (n <= TAKEN) {
        if (n <= THREADS * FEW_EACH)
            take<FEW_EACH>(s, shared);
        else
            take<TAKE_EACH>(s, shared);
        return;
    }
    const unsigned first = threadIdx.x * SORT_EACH;
    pair_t mine[SORT_EACH];

#pragma unroll
    for (unsigned i = 0; i < SORT_EACH; i++) {
        const unsigned at = first + i;

        mine[i] = at == 0               ? 0
                  : at == SPLITTERS - 1 ? ~(pair_t)0
                                        : s.pair_at(sb::sample_index(s.seed, state->round, at, n));
    }
    if (threadIdx.x == 0) { // while the keys are on their way
        state->first =
            sb::choose_window(RANDOM_KEYS, (double)sb::rank_from_below(n, s.k) + 0.5, (double)s.k - 0.5, PROBABILITY)
                .first;
        state->bisects = 0;
        state->count = 0;
        state->blocks = 0;
    }
    sb::block_sort<THREADS>(mine, *(pair_t(*)[SPLITTERS])shared.exchange);
#pragma unroll
    for (unsigned i = 0; i < SORT_EACH; i++)
        state->splitter[first + i] = mine[i];
    __syncthreads(); // the splitters are in global memory
    if (threadIdx.x == 0)
        state->bound = state->splitter[state->first];
}

static __global__ void __launch_bounds__(THREADS, RESIDENT) start_search(selection s)
{
    __shared__ shared_memory shared;

    if (threadIdx.x == 0) {
        s.state->n = s.n;
        s.state->source = s.state->round = s.state->finished = 0;
        s.state->low = 0;
        s.state->high = ~(pair_t)0;
    }
    __syncthreads(); // the state is there
    start_round(s, shared);
}

// ---- a pass: all blocks ----

static __device__ void collect_pairs(const selection &s, shared_memory &shared, unsigned blocks)
{
    typedef key_array<pair_t> array;
    search *state = s.state;
    const array from = s.pairs();
    const unsigned target = s.target();
    const uint64_t tiles = from.tiles(), capacity = target == 0 ? s.capacity[0] : s.capacity[1];
    const pair_t bound = state->bound;
    pair_t *to = target == 0 ? s.buffer[0] : s.buffer[1];
    collector<pair_t> held(shared.held);

    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)blocks * WARPS) {
        pair_t pair[array::EACH];
        const unsigned present = from.load(tile, 0, pair);
        unsigned chosen = 0;

#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            chosen |= (unsigned)(pair[i] >= bound) << i;
        if (__any_sync(sb::FULL_MASK, (chosen & present) != 0)) {
            held.append(pair, chosen & present);
            held.make_space(&state->count, to, capacity);
        }
    }
    held.end(&state->count, to, capacity);
}

// ---- the end of a pass: one thread, when all blocks have done their part ----

// Is there another round to start?
static __device__ bool end_pass(const selection &s)
{
    search *state = s.state;
    const unsigned target = s.target();
    const uint64_t count = state->count, capacity = target == 0 ? s.capacity[0] : s.capacity[1];

    state->count = 0;
    state->blocks = 0;
    if (count < s.k) {
        const unsigned above = SPLITTERS - state->first;

        state->high = state->bound - 1 < state->high ? state->bound - 1 : state->high;
        state->first = state->first > 2 * above ? state->first - 2 * above : 0;
    } else {
        state->low = state->bound > state->low ? state->bound : state->low;
        if (count <= capacity) {
            state->n = count;
            state->source = 1 + target;
            state->round++;
            return true;
        }
        state->bisects = 1;
    }
    if (state->bisects != 0 || state->first == 0)
        state->bound = state->high - (state->high - state->low) / 2; // above `low`, unless it is the only one
    else
        state->bound = state->splitter[state->first];
    return false;
}

static __device__ void pass(const selection &s, shared_memory &shared)
{
    search *state = s.state;
    const bool raw = state->source == 0;
    const uint64_t needed = sb::divide_up(raw ? s.input().tiles() : s.pairs().tiles(), WARPS);
    const unsigned blocks = needed < gridDim.x ? (unsigned)needed : gridDim.x;

    if (blockIdx.x < blocks && raw)
        collect_keys(s.input(), state->bound, (uint64_t)blockIdx.x * WARPS + sb::warp_index(), (uint64_t)blocks * WARPS,
                     shared.held, &state->count, s.buffer[0], s.capacity[0]);
    else if (blockIdx.x < blocks)
        collect_pairs(s, shared, blocks);
    if (!is_last_block(&state->blocks, shared.last))
        return;
    if (threadIdx.x == 0)
        shared.next_round = end_pass(s);
    __syncthreads(); // the state is there
    if (shared.next_round)
        start_round(s, shared);
    __syncthreads(); // the bound, or that the search is finished, is there; shared memory can be used again
}

static __global__ void __launch_bounds__(THREADS, RESIDENT) run_pass(selection s)
{
    __shared__ shared_memory shared;

    if (s.state->finished == 0)
        pass(s, shared);
}

// One block.
static __global__ void __launch_bounds__(THREADS, RESIDENT) finish_search(selection s)
{
    __shared__ shared_memory shared;

    while (s.state->finished == 0)
        pass(s, shared);
}

// ---- the host ----

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    key_kind kind;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind) || kind.wide)
        return "a key of 8 bytes and its index are more than 64 bits";
    if (parameters[SB_SELECT_K] > MAX_K && parameters[SB_SELECT_K] <= inputs[SB_SELECT_KEYS].length)
        return "more than one block sorts";
    return inputs[SB_SELECT_KEYS].length > MAX_INDEXED ? "more keys than indices" : nullptr;
}

// Sets the pointers, and returns the bytes. Above TAKEN keys, an eighth of them or TAKEN is twice what a bound is expected
// to have above it, and more.
static uint64_t lay_out(selection *s, uint64_t n, void *workspace)
{
    sb::workspace space(workspace);

    s->state = space.take<search>(1);
    s->capacity[0] = n <= TAKEN ? 0 : n / 8 > TAKEN ? n / 8 : (uint64_t)TAKEN;
    s->capacity[1] = n <= TAKEN ? 0 : s->capacity[0] / 8 > TAKEN ? s->capacity[0] / 8 : (uint64_t)TAKEN;
    for (unsigned i = 0; i < 2; i++)
        s->buffer[i] = space.take<pair_t>(s->capacity[i], sb::VECTOR_BYTES);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    selection s = {};

    (void)parameters;
    return lay_out(&s, inputs[SB_SELECT_KEYS].length, nullptr);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];
    const uint64_t n = keys.length, k = parameters[SB_SELECT_K];
    key_kind kind;

    if (k == 0 || k > n || !kind_of(parameters[SB_SELECT_TYPE], &kind))
        return SB_INVALID;
    selection s = {(const uint32_t *)keys.data,
                   n,
                   k,
                   0,
                   kind.order,
                   nullptr,
                   {},
                   {},
                   (uint32_t *)outputs[SB_SELECT_KEY].data,
                   (uint32_t *)outputs[SB_SELECT_INDEX].data};
    const unsigned blocks = grid_for(narrow_keys(s.keys, n, sb::key_map<uint32_t>(kind.order)).tiles());

    lay_out(&s, n, workspace);
    start_search<<<1, THREADS>>>(s);
    if (n > TAKEN) {
        run_pass<<<blocks, THREADS>>>(s);
        run_pass<<<blocks, THREADS>>>(s);
        finish_search<<<1, THREADS>>>(s);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {THREADS * FEW_EACH, TAKEN, 0};

extern "C" const sb_variant sb_gpu_select_topk_randomized[] = {
    {"select.topk", "randomized", "pairs of key and index above a bound from a random sample; one block sorts the last",
     refuses, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
