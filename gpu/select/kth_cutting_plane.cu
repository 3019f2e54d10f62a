// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/cutting_plane: the k-th largest key minimises a convex function, and Kelley's cutting planes close in on it.
//
// With a = k - 1/2 and b = n - k + 1/2, the function f(t) = a sum (t - x) over keys x < t + b sum (x - t) over keys
// x > t falls up to the k-th largest key and rises after it. On a bracket [l, h] that has m keys, with the sum s of
// their x - l, the slopes of f at l and h differ by (a + b) m, and the two tangents there meet at l + s / m: the next
// point to try is the mean of the keys in the bracket. A pass counts the keys on both sides of the point, and finds of
// each side the sum and the key next to the point.
// Made exact: counts decide on which side the key is, so sums only propose a point. The new end of the bracket is a
// key, the one next to the point, never the point itself; so each pass takes at least one key away, and the answer is a
// key. Every third point halves the bracket, whatever the mean says, so there are at most three passes for each bit of
// a word. Points are words of the same order as the keys (samebits/prim/keys.cuh), where NaNs and infinities are
// numbers like others; of 8-byte keys the sums have the upper 32 bits of their distance from l.
// Source: G. Beliakov, "Parallel calculation of the median and order statistics on GPUs with application to robust
// regression" (2011); J. Kelley, "The cutting-plane method for solving convex programs" (1960).
// Cost: a read of all keys in each pass: about log2(n) passes for random keys, as the mean halves them.
// Measured: docs/MEASUREMENTS.md.
#include "kth.cuh"

enum {
    MORE_PASSES = 8 // than the logarithm of n, which the host starts; one block does what is missing. Not tuned
};

namespace
{

// What a pass finds on one side of the point.
template <typename Word> struct side {
    unsigned long long count, sum; // of the distances from `low`, in units of 2^shift
    Word next;                     // the key next to the point
};

// The state of the search, in the workspace.
template <typename Word> struct bracket {
    Word low, high, point; // the bracket, and the point to try in it
    unsigned shift;
    uint64_t above; // keys above the bracket
    unsigned pass, finished, blocks;
    unsigned long long equal; // to the point
    side<Word> upper, lower;
};

// What a thread finds.
template <typename Word> struct found {
    unsigned upper, lower, equal;
    unsigned long long upper_sum, lower_sum;
    Word upper_next, lower_next;
};

template <typename Word> struct shared_memory {
    unsigned long long sums[5][WARPS];
    Word next[2][WARPS];
    bool last;
};

template <typename Word> struct selection {
    const Word *keys;
    uint64_t n, k;
    sb::key_order order;
    bracket<Word> *state;
    Word *key;
};

} // namespace

// Chooses the point of the next pass: the mean of the keys in the bracket, given as the number of these keys and the sum
// of their distances from `base`, or the middle. One thread calls.
template <typename Word>
static __device__ void choose_point(bracket<Word> *state, Word base, unsigned long long count, unsigned long long sum)
{
    const Word middle = state->low + (state->high - state->low) / 2;
    const Word mean = base + ((Word)(sum / count) << state->shift);

    state->point = state->pass % 3 == 2 ? middle : mean < state->low || mean > state->high ? middle : mean;
    state->shift = 0;
    while ((uint64_t)(state->high - state->low) >> state->shift > 0xffffffffu)
        state->shift++;
    state->upper = {0, 0, ~(Word)0};
    state->lower = {0, 0, 0};
    state->equal = 0;
    state->blocks = 0;
}

template <typename Word> static __global__ void start_search(selection<Word> s)
{
    s.state->low = 0;
    s.state->high = ~(Word)0;
    s.state->above = 0;
    s.state->finished = 0;
    s.state->shift = 0;
    s.state->pass = 2; // the first point is the middle
    choose_point(s.state, (Word)0, 1, 0);
}

// The keys next to the point become the ends of the bracket. One thread calls, when all have added what they found.
template <typename Word> static __device__ void end_pass(const selection<Word> &s)
{
    bracket<Word> *state = s.state;
    const side<Word> upper = state->upper, lower = state->lower;
    const Word base = state->low;
    const uint64_t larger = state->above + upper.count;

    if (s.k > larger && s.k <= larger + state->equal) {
        *s.key = sb::from_ordered(state->point, s.order);
        state->finished = 1;
        return;
    }
    state->pass++;
    if (s.k <= larger) {
        state->low = upper.next;
        choose_point(state, base, upper.count, upper.sum);
    } else {
        state->above = larger + state->equal;
        state->high = lower.next;
        choose_point(state, base, lower.count, lower.sum);
    }
}

template <typename Word>
static __device__ __forceinline__ void look_at(Word word, Word low, Word high, Word point, unsigned shift,
                                               found<Word> &mine)
{
    if (word < low || word > high)
        return;
    const Word distance = (Word)(word - low) >> shift;

    if (word > point) {
        mine.upper++;
        mine.upper_sum += distance;
        mine.upper_next = word < mine.upper_next ? word : mine.upper_next;
    } else if (word < point) {
        mine.lower++;
        mine.lower_sum += distance;
        mine.lower_next = word > mine.lower_next ? word : mine.lower_next;
    } else {
        mine.equal++;
    }
}

template <typename Word> static __device__ void pass(const selection<Word> &s, shared_memory<Word> &shared)
{
    typedef key_array<Word> array;
    bracket<Word> *state = s.state;
    const array from(s.keys, s.n, sb::key_map<Word>(s.order));
    const uint64_t tiles = from.tiles();
    const Word low = state->low, high = state->high, point = state->point;
    const unsigned shift = state->shift;
    found<Word> mine = {0, 0, 0, 0, 0, (Word) ~(Word)0, 0};

    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)gridDim.x * WARPS) {
        Word word[array::EACH];
        const unsigned present = from.load(tile, 0, word);

#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            if (present >> i & 1)
                look_at(word[i], low, high, point, shift, mine);
    }
    add_to(&state->upper.count, mine.upper, shared.sums[0]);
    add_to(&state->lower.count, mine.lower, shared.sums[1]);
    add_to(&state->equal, mine.equal, shared.sums[2]);
    const unsigned long long upper_sum = sb::block_reduce(mine.upper_sum, sb::add(), shared.sums[3]);
    const unsigned long long lower_sum = sb::block_reduce(mine.lower_sum, sb::add(), shared.sums[4]);
    const Word upper_next = sb::block_reduce(mine.upper_next, sb::minimum(), shared.next[0]);
    const Word lower_next = sb::block_reduce(mine.lower_next, sb::maximum(), shared.next[1]);

    if (threadIdx.x == 0) {
        atomicAdd(&state->upper.sum, upper_sum);
        atomicAdd(&state->lower.sum, lower_sum);
        atomic_min(&state->upper.next, upper_next);
        atomic_max(&state->lower.next, lower_next);
    }
    if (is_last_block(&state->blocks, shared.last) && threadIdx.x == 0)
        end_pass(s);
    __syncthreads(); // the state is there, and shared memory can be used again
}

template <typename Word> static __global__ void __launch_bounds__(THREADS, RESIDENT) run_pass(selection<Word> s)
{
    __shared__ shared_memory<Word> shared;

    if (s.state->finished == 0)
        pass(s, shared);
}

// One block.
template <typename Word> static __global__ void __launch_bounds__(THREADS, RESIDENT) finish_search(selection<Word> s)
{
    __shared__ shared_memory<Word> shared;

    while (s.state->finished == 0)
        pass(s, shared);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return sizeof(bracket<uint64_t>);
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, uint64_t, sb::key_order order, void *key,
                               void *workspace)
{
    const selection<Word> s = {(const Word *)keys.data, keys.length, k, order, (bracket<Word> *)workspace, (Word *)key};
    const unsigned blocks = grid_for(key_array<Word>(s.keys, s.n, sb::key_map<Word>(order)).tiles());

    start_search<Word><<<1, 1>>>(s);
    if (blocks > 1) {
        unsigned passes = MORE_PASSES;

        for (uint64_t left = keys.length; left > 1; left /= 2) // the mean of random keys halves them
            passes++;
        for (unsigned i = 0; i < passes; i++)
            run_pass<Word><<<blocks, THREADS>>>(s);
    }
    finish_search<Word><<<1, THREADS>>>(s);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_select_kth_cutting_plane[] = {
    {"select.kth", "cutting_plane",
     "the minimum of a convex function, by tangents; each point is the mean of a bracket", refuses_kth, workspace_bytes,
     launch_kth<launch_select<uint32_t>, launch_select<uint64_t>>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
