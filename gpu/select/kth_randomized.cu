// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/randomized: random keys say between which two pivots the k-th largest key most likely is; one pass over all
// keys finds out, and keeps the few keys between the pivots, in which the search goes on.
//
// A round:
//     splitters    2046 random keys, sorted between the smallest and the largest word
//     pivots       the ends of the window that holds the key with probability 0.90 (samebits/prim/select.cuh)
//     count        every thread counts the keys above the upper pivot and those equal to either, in registers
//     partition    keys strictly inside are collected by each warp in shared memory, and written when it has many
//     decide       the last block to finish adds up: the key is a pivot, or inside, or above, or below the window
//     shift        above or below: the window moves by its width, and the pass is repeated. If that fails as well, or
//                  if there are more keys inside than the workspace holds, the pivots become the ends of the middle
//                  half of all words that are still possible, whatever the splitters say
//     take         once at most 2048 keys are left they are sorted, and the answer is taken
//
// The answer is right for every sample, since keys are counted: the sample only says where to look. Keys equal to a
// pivot are counted apart, so that equal keys, however many, end the search instead of filling the window. It ends on
// every input: each pass that does not go inside takes away words that are still possible, and at least half of them
// if the pivots came from bisection. The last block does what needs one block, so nothing goes through the host. The
// host starts as many passes as are needed if no window is shifted; those not needed return at once, and one block
// does what is missing.
// Shared memory: 32 KiB for the keys that warps have collected; one block sorts there afterwards.
// Cost: one read of all keys, and then of at most about 1 in 28, and so on: a sample of S keys leaves a share of
// 3.3 sqrt(p (1 - p) / S) of the keys inside, where p = k / n: 0.036 for the median. Workspace: n / 7 keys.
// Expected shifts by theory: at most 0.1 a round, since the window holds the key with probability 0.90 or more. Of 1000
// seeds, the first window missed the key in 89 for k = n / 2 of 2^20 keys, in 114 for k = n / 100 and in none for k = 1
// and k = n (measured on the host, as tests/prim/select.cu does); so a search has about 0.1 shifts a round, and a shift
// costs one more read of the keys of its round. The variant randomized_99 asks for the probability 0.99: of the same
// seeds 10 missed for k = n / 2, 13 for k = n / 100 and none for the others, by windows of 117 and 23 buckets instead
// of 75 and 15. So a search without a shift takes longer, but the slowest of twelve distributions less.
// Measured: docs/MEASUREMENTS.md.
// Source: L. Monroe, J. Wendelberger and S. Michalak, "Randomized selection on the GPU" (2011). There, counts of
// threads are scanned so that each knows where to write; here a warp reserves what it has collected by an atomic.
#include "kth.cuh"
#include <samebits/prim/sort.cuh>
#include <samebits/prim/workspace.cuh>

enum {
    SORT_EACH = 8,                   // words of a thread when a block sorts
    SPLITTERS = THREADS * SORT_EACH, // both ends included: one block sorts them. Four times as many would halve the
                                     // share that stays inside, and take the block four times as long
    RANDOM_KEYS = SPLITTERS - 2
};

// That the window holds the key, of the two variants. Less means fewer keys inside, and more passes that are repeated.
static const float PROBABILITY = 0.90f, PROBABILITY_99 = 0.99f;

namespace
{

// The state of the search, in the workspace.
template <typename Word> struct search {
    uint64_t n, k;     // of the keys still in question
    unsigned source;   // where they are: 0 the input, 1 and 2 the buffers
    unsigned round;    // of sampling
    unsigned misses;   // passes of this round that did not find the key inside
    unsigned finished; // the key is written
    sb::window window;
    Word upper, lower; // the pivots
    Word high, low;    // the largest and smallest words that the key may still be

    // Counts of the pass, added to by all its blocks.
    unsigned long long greater, equal_upper, equal_lower, inside;
    unsigned blocks; // that have finished
    Word splitter[SPLITTERS];
};

template <typename Word> struct shared_memory {
    union {
        collected<Word> inside;
        Word exchange[SPLITTERS];
    };
    unsigned long long sums[3][WARPS];
    bool last, next_round;
};

// What every kernel gets.
template <typename Word> struct selection : kth_search<Word, search<Word>> {
    uint64_t seed;
    float probability;
    uint64_t capacity[2]; // of the buffers, in words
};

} // namespace

// ---- the start of a round: one block ----

template <typename Word> static __device__ void clear_counts(search<Word> *state)
{
    state->greater = state->equal_upper = state->equal_lower = state->inside = 0;
    state->blocks = 0;
}

template <typename Word> static __device__ void set_pivots(search<Word> *state)
{
    state->lower = state->splitter[state->window.first];
    state->upper = state->splitter[state->window.last + 1];
}

// Sorts random keys, and chooses the window; or, where one block can sort all keys that are left, takes the answer. A
// barrier must precede, and another one follow.
template <typename Word> static __device__ void start_round(const selection<Word> &s, shared_memory<Word> &shared)
{
    search<Word> *state = s.state;
    const key_array<Word> from = s.source();
    const bool all = from.n <= SPLITTERS;
    const unsigned first = threadIdx.x * SORT_EACH;
    Word mine[SORT_EACH];

#pragma unroll
    for (unsigned i = 0; i < SORT_EACH; i++) {
        unsigned at = first + i;

        if (all)
            mine[i] = at < from.n ? from[at] : ~(Word)0; // behind all keys, or equal to them
        else if (at == 0 || at == SPLITTERS - 1)
            mine[i] = at == 0 ? 0 : ~(Word)0;
        else
            mine[i] = from[sb::sample_index(s.seed, state->round, at, from.n)];
    }
    if (!all && threadIdx.x == 0) { // while the keys are on their way
        state->window = sb::choose_window(RANDOM_KEYS, (double)sb::rank_from_below(from.n, state->k) + 0.5,
                                          (double)state->k - 0.5, s.probability);
        state->misses = 0;
        clear_counts(state);
    }
    sb::block_sort<THREADS>(mine, shared.exchange);
#pragma unroll
    for (unsigned i = 0; i < SORT_EACH; i++) {
        if (!all)
            state->splitter[first + i] = mine[i];
        else if (first + i == sb::rank_from_below(from.n, state->k))
            s.finish(mine[i]);
    }
    __syncthreads(); // the splitters and the window are in global memory
    if (!all && threadIdx.x == 0)
        set_pivots(state);
}

template <typename Word> static __global__ void __launch_bounds__(THREADS, RESIDENT) start_search(selection<Word> s)
{
    __shared__ shared_memory<Word> shared;

    if (threadIdx.x == 0) {
        s.state->n = s.n;
        s.state->k = s.k;
        s.state->source = s.state->round = s.state->finished = 0;
        s.state->low = 0;
        s.state->high = ~(Word)0;
    }
    __syncthreads(); // the state is there
    start_round(s, shared);
}

// ---- a pass: all blocks ----

namespace
{

// What a thread has seen in a pass.
template <typename Word> struct counter {
    static constexpr unsigned EACH = key_array<Word>::EACH;

    const Word upper, lower;
    unsigned greater, equal_upper, equal_lower;

    __device__ explicit counter(const search<Word> *state)
        : upper(state->upper), lower(state->lower), greater(0), equal_upper(0), equal_lower(0)
    {
    }

    // Counts words of which `missing` are no keys but copies of `lower`. Returns a bit for each that is strictly
    // between the pivots.
    __device__ __forceinline__ unsigned take(const Word (&word)[EACH], unsigned missing)
    {
        unsigned inside = 0;

#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            greater += word[i] > upper;
            equal_upper += word[i] == upper;
            equal_lower += word[i] == lower;
            inside |= (unsigned)(word[i] > lower && word[i] < upper) << i;
        }
        equal_lower -= missing;
        equal_upper -= upper == lower ? missing : 0;
        return inside;
    }
};

} // namespace

// The part of a pass that one of `blocks` blocks does.
template <typename Word>
static __device__ void count_and_partition(const selection<Word> &s, shared_memory<Word> &shared, unsigned blocks)
{
    typedef key_array<Word> array;
    search<Word> *state = s.state;
    const array from = s.source();
    const uint64_t tiles = from.tiles(), capacity = s.capacity[s.target()];
    Word *to = s.buffer[s.target()];
    collector<Word> inside(shared.inside);
    counter<Word> seen(state);

    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)blocks * WARPS) {
        Word word[array::EACH];
        const unsigned present = from.load(tile, seen.lower, word);

        inside.append(word, seen.take(word, array::EACH - (unsigned)__popc(present)));
        inside.make_space(&state->inside, to, capacity);
    }
    add_to(&state->greater, seen.greater, shared.sums[0]);
    add_to(&state->equal_upper, seen.equal_upper, shared.sums[1]);
    add_to(&state->equal_lower, seen.equal_lower, shared.sums[2]);
    inside.end(&state->inside, to, capacity);
}

// ---- the end of a pass: one block, when all have done their part ----

// The words that the key may still be are those from `low` to `high`. Chooses the pivots when the key is not inside
// the window, or has too many keys about it.
template <typename Word> static __device__ void move_window(search<Word> *state, int side)
{
    if (++state->misses == 1 && side != 0) {
        state->window = sb::shift_window(state->window, side, RANDOM_KEYS);
        set_pivots(state);
        return;
    }
    const Word quarter = (state->high - state->low) / 4;

    state->lower = state->low + quarter;
    state->upper = state->high - quarter;
}

// One thread. Is there another round to start?
template <typename Word> static __device__ bool end_pass(const selection<Word> &s)
{
    search<Word> *state = s.state;
    const Word upper = state->upper, lower = state->lower;
    const sb::window_counts counts = {state->greater, state->equal_upper, state->inside,
                                      upper == lower ? 0 : state->equal_lower};
    const uint64_t k = state->k, from_upper = counts.greater + counts.equal_upper;
    int side = sb::decide(k, counts);

    clear_counts(state);
    if (side == 0 && k <= from_upper) {
        s.finish(upper);
        return false;
    }
    if (side == 0 && k > from_upper + counts.inside) {
        s.finish(lower);
        return false;
    }
    if (side > 0) {
        state->low = upper + 1;
    } else if (side < 0) {
        state->high = lower - 1;
    } else {
        state->low = lower + 1;
        state->high = upper - 1;
    }
    if (side != 0 || counts.inside > s.capacity[s.target()]) {
        move_window(state, side);
        return false;
    }
    state->n = counts.inside;
    state->k = k - from_upper;
    state->source = 1 + s.target();
    state->round++;
    return true;
}

template <typename Word> static __device__ void pass(const selection<Word> &s, shared_memory<Word> &shared)
{
    search<Word> *state = s.state;
    const uint64_t needed = sb::divide_up(s.source().tiles(), WARPS);
    const unsigned blocks = needed < gridDim.x ? (unsigned)needed : gridDim.x;

    if (blockIdx.x < blocks)
        count_and_partition(s, shared, blocks);
    if (!is_last_block(&state->blocks, shared.last))
        return;
    if (threadIdx.x == 0)
        shared.next_round = end_pass(s);
    __syncthreads(); // the state is there
    if (shared.next_round)
        start_round(s, shared);
    __syncthreads(); // the pivots are there, or that the search is finished; shared memory can be used again
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

// ---- the host ----

namespace
{

template <typename Word> struct arrays {
    search<Word> *state;
    Word *buffer[2];
    uint64_t capacity[2];
};

} // namespace

// Sets the pointers, and returns the bytes. A window has at most 0.036 of its sample; twice as much, and more, in an
// eighth of the keys is so rare that a pass may be lost on it.
template <typename Word> static uint64_t lay_out(arrays<Word> *a, uint64_t n, void *workspace)
{
    sb::workspace space(workspace);

    a->state = space.take<search<Word>>(1);
    a->capacity[0] = n <= SPLITTERS ? 0 : n / 8;
    a->capacity[1] = a->capacity[0] / 8;
    for (unsigned i = 0; i < 2; i++)
        a->buffer[i] = space.take<Word>(a->capacity[i], sb::VECTOR_BYTES);
    return space.bytes();
}

template <typename Word> static uint64_t bytes(uint64_t n)
{
    arrays<Word> a;

    return lay_out(&a, n, nullptr);
}

template <typename Word, const float &WANTED>
static sb_status launch_select(const sb_array &keys, uint64_t k, uint64_t seed, sb::key_order order, void *key,
                               void *workspace)
{
    arrays<Word> a = {};

    lay_out(&a, keys.length, workspace);
    const selection<Word> s = {
        {(const Word *)keys.data, keys.length, k, order, a.state, {a.buffer[0], a.buffer[1]}, (Word *)key},
        seed,
        WANTED,
        {a.capacity[0], a.capacity[1]}};
    const unsigned blocks = grid_for(key_array<Word>(s.keys, s.n, sb::key_map<Word>(order)).tiles());

    start_search<Word><<<1, THREADS>>>(s);
    if (s.n > SPLITTERS) {
        for (uint64_t left = s.n; left > SPLITTERS; left /= 20) // a little more than may be inside
            run_pass<Word><<<blocks, THREADS>>>(s);
        finish_search<Word><<<1, THREADS>>>(s);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {SPLITTERS, 0};

extern "C" const sb_variant sb_gpu_select_kth_randomized[] = {
    {"select.kth", "randomized", "two pivots from a sorted random sample; one pass counts and keeps what is between",
     refuses_kth, kth_workspace<bytes<uint32_t>, bytes<uint64_t>>,
     launch_kth<launch_select<uint32_t, PROBABILITY>, launch_select<uint64_t, PROBABILITY>>, sizes},
    {"select.kth", "randomized_99", "the same with wider windows, which miss the key once in a hundred times",
     refuses_kth, kth_workspace<bytes<uint32_t>, bytes<uint64_t>>,
     launch_kth<launch_select<uint32_t, PROBABILITY_99>, launch_select<uint64_t, PROBABILITY_99>>, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
