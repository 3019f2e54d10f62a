// SPDX-License-Identifier: BSD-2-Clause
//
// Finds the k-th largest key by narrowing the range of words that it may be: the selections by digits and by linear
// buckets share this.
//
// A range of words is cut into 2048 buckets of a power of two words. A pass counts the keys of each bucket; the last
// block to finish goes down from the highest bucket until the counts reach k, and that bucket is the next range. When
// buckets have one word each, that word is the key. With the range of all words the buckets of the passes are digits of
// 11 bits, the most significant first. A pass also copies the keys of its range, if they are few enough for the
// workspace and at most half of those read; the next passes read the copies. Nothing depends on the content but how
// many keys are read: equal keys, NaNs and zeros are words like others.
// Shared memory: 40 KiB, for the counts of a block and for keys that warps have collected.
#ifndef GPU_SELECT_NARROW_CUH
#define GPU_SELECT_NARROW_CUH

#include "kth.cuh"

enum {
    BUCKET_BITS = 11, // three digits for 32 bits; the counters of 12 would leave no space for what warps collect
    BUCKETS = 1 << BUCKET_BITS,
    BUCKETS_EACH = BUCKETS / THREADS
};

namespace
{

// The state of the search, in the workspace.
template <typename Word> struct range_search {
    uint64_t n, k;     // keys to read, and which of those in the range is asked for
    unsigned source;   // where they are: 0 the input, 1 and 2 the buffers
    unsigned finished; // the key is known: it is `low`, and the k-th of the keys that are equal to it
    Word low, high;    // the range
    unsigned shift;    // the bucket of a word is (word - low) >> shift
    unsigned copy;     // the pass copies the keys in the range
    unsigned blocks;   // that have finished
    unsigned long long copied;
    unsigned long long count[BUCKETS];
};

template <typename Word> struct range_memory {
    collected<Word> held;
    unsigned count[BUCKETS];
    unsigned long long sums[WARPS];
    bool last;
};

// What every kernel gets.
template <typename Word> struct range_selection : kth_search<Word, range_search<Word>> {
    uint64_t capacity[2]; // of the buffers, in words
};

} // namespace

// Cuts the range into buckets. One thread calls.
template <typename Word> static __device__ void set_range(range_search<Word> *state, Word low, Word high)
{
    state->low = low;
    state->high = high;
    state->shift = 0;
    while ((high - low) >> state->shift >= BUCKETS)
        state->shift++;
}

// One block. The range begins as all words.
template <typename Word>
static __global__ void __launch_bounds__(THREADS, RESIDENT) start_ranges(range_selection<Word> s)
{
    for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS)
        s.state->count[i] = 0;
    if (threadIdx.x != 0)
        return;
    s.state->n = s.n;
    s.state->k = s.k;
    s.state->source = s.state->finished = s.state->copy = s.state->blocks = 0;
    s.state->copied = 0;
    set_range(s.state, (Word)0, (Word) ~(Word)0);
}

// Makes the bucket that holds the key the next range. The last block calls, with counts that all blocks have added to.
template <typename Word>
static __device__ void choose_bucket(const range_selection<Word> &s, unsigned long long (&sums)[WARPS])
{
    range_search<Word> *state = s.state;
    const unsigned first = BUCKETS - 1 - threadIdx.x * BUCKETS_EACH; // thread 0 has the highest ones
    unsigned long long count[BUCKETS_EACH], sum = 0;

#pragma unroll
    for (unsigned i = 0; i < BUCKETS_EACH; i++) {
        count[i] = state->count[first - i];
        state->count[first - i] = 0;
        sum += count[i];
    }
    const uint64_t k = state->k;
    unsigned long long larger = sb::block_exclusive_sum(sum, sums); // its barrier: all have read k

    if (k <= larger || k > larger + sum)
        return;
#pragma unroll
    for (unsigned i = 0; i < BUCKETS_EACH; i++) {
        if (k > larger && k <= larger + count[i]) { // this thread alone, and this bucket
            const Word bucket = first - i, rest = ((Word)1 << state->shift) - 1;
            const Word low = state->low + (bucket << state->shift);
            const unsigned target = s.target();

            if (state->copy != 0) {
                state->source = 1 + target;
                state->n = state->copied;
            }
            state->k = k - larger;
            if (state->shift == 0) {
                state->finished = 1;
                if (s.key != nullptr)
                    *s.key = sb::from_ordered(low, s.order);
            }
            state->copy = count[i] <= s.capacity[s.target()] && count[i] <= state->n / 2;
            state->copied = 0;
            state->blocks = 0;
            set_range(state, low, state->high - low < rest ? state->high : (Word)(low + rest));
        }
        larger += count[i];
    }
}

// A pass.
template <typename Word>
static __global__ void __launch_bounds__(THREADS, RESIDENT) narrow_range(range_selection<Word> s)
{
    typedef key_array<Word> array;
    __shared__ range_memory<Word> shared;
    range_search<Word> *state = s.state;

    if (state->finished != 0)
        return;
    const array from = s.source();
    const Word low = state->low, span = state->high - low;
    const unsigned shift = state->shift;
    const bool copy = state->copy != 0;
    Word *to = s.buffer[s.target()];
    const uint64_t tiles = from.tiles(), capacity = s.capacity[s.target()];
    collector<Word> held(shared.held);

    for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS)
        shared.count[i] = 0;
    __syncthreads(); // all counters are 0
    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)gridDim.x * WARPS) {
        Word word[array::EACH];
        unsigned inside = from.load(tile, 0, word);

#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++) {
            if ((Word)(word[i] - low) > span)
                inside &= ~(1u << i);
            if (inside >> i & 1)
                atomicAdd(&shared.count[(Word)(word[i] - low) >> shift], 1u);
        }
        if (copy) {
            held.append(word, inside);
            held.make_space(&state->copied, to, capacity);
        }
    }
    if (copy)
        held.end(&state->copied, to, capacity);
    __syncthreads(); // every warp has counted
    for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS)
        if (shared.count[i] != 0)
            atomicAdd(&state->count[i], (unsigned long long)shared.count[i]);
    if (is_last_block(&state->blocks, shared.last))
        choose_bucket(s, shared.sums);
}

namespace
{

template <typename Word> struct range_arrays {
    range_search<Word> *state;
    Word *buffer[2];
    uint64_t capacity[2];
};

} // namespace

// Sets the pointers, and returns the bytes. Uniform floats between 0 and 1 have an eighth of their keys in a bucket of
// the first pass; a quarter is twice that.
template <typename Word> static uint64_t lay_out_ranges(range_arrays<Word> *a, uint64_t n, void *workspace)
{
    sb::workspace space(workspace);

    a->state = space.take<range_search<Word>>(1);
    a->capacity[0] = n / 4;
    a->capacity[1] = n / 16;
    for (unsigned i = 0; i < 2; i++)
        a->buffer[i] = space.take<Word>(a->capacity[i], sb::VECTOR_BYTES);
    return space.bytes();
}

template <typename Word>
static range_selection<Word> select_in(const range_arrays<Word> &a, const sb_array &keys, uint64_t k,
                                       sb::key_order order, void *key)
{
    range_selection<Word> s = {};

    s.keys = (const Word *)keys.data;
    s.n = keys.length;
    s.k = k;
    s.order = order;
    s.state = a.state;
    s.key = (Word *)key;
    for (unsigned i = 0; i < 2; i++) {
        s.buffer[i] = a.buffer[i];
        s.capacity[i] = a.capacity[i];
    }
    return s;
}

// Starts the passes, after `start_ranges`. There are as many as digits in a word.
template <typename Word> static void narrow(const range_selection<Word> &s)
{
    const unsigned blocks = grid_for(key_array<Word>(s.keys, s.n, sb::key_map<Word>(s.order)).tiles());

    for (unsigned bits = 0; bits < 8 * sizeof(Word); bits += BUCKET_BITS)
        narrow_range<Word><<<blocks, THREADS>>>(s);
}

#endif
