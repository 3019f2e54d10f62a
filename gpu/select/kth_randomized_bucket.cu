// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/randomized_bucket: counts the keys between sorted random keys, keeps those of the bucket that holds the k-th
// largest one, and goes on with them in the same way.
//
// A round:
//     sample    one block sorts random keys: the splitters of the buckets (sample_buckets.cuh)
//     count     every key finds its bucket by a binary search in shared memory. The last block to finish goes down from
//               the highest bucket until the counts reach k. If that bucket has keys equal to a splitter, the splitter
//               is the answer
//     collect   copies the keys of the bucket, which are those between two splitters. The last block to finish begins the
//               next round, or, if it can sort all keys that are left, takes the answer
//
// The sample decides how many keys are copied, never what the answer is. A bucket that is copied has none of the keys
// that were drawn, so each round has fewer keys than the one before. The last block decides, so nothing goes through the
// host, which starts as many rounds as are needed if buckets are 16 times as large as they should be; those not needed
// return at once, and one block does what is missing.
// Shared memory: 24 to 41 KiB, for splitters and counts or for collected keys.
// Cost: two reads of all keys, the first with a binary search in shared memory for each key, and of about 1 / 2047 of
// them (1 / 1023 for 8-byte keys), and so on. Workspace: two words for each key, in case a bucket has most of the keys.
// Measured: docs/MEASUREMENTS.md.
// Source: randomized bucket select; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms
// for graphics processing units" (2012).
#include "kth.cuh"
#include "sample_buckets.cuh"

namespace
{

// The state of the search, in the workspace.
template <typename Word> struct bucket_search {
    uint64_t n, k;     // keys to read, and which of them is asked for
    unsigned source;   // where they are: 0 the input, 1 and 2 the buffers
    unsigned round;    // of sampling
    unsigned finished; // the key is written
    unsigned blocks;   // that have finished
    unsigned bucket;   // that is copied
    unsigned long long copied;
    Word splitter[splitting<Word>::SPLITTERS];
    unsigned long long count[splitting<Word>::BUCKETS];
};

// What every kernel gets; the buffers have n words each.
template <typename Word> struct selection : kth_search<Word, bucket_search<Word>> {
    uint64_t seed;
};

template <typename Word> struct count_memory {
    Word splitter[splitting<Word>::SPLITTERS];
    unsigned count[splitting<Word>::BUCKETS];
    unsigned long long sums[WARPS];
    bool last;
};

template <typename Word> struct copy_memory {
    union {
        collected<Word> held;
        Word exchange[splitting<Word>::SPLITTERS];
    };
    bool last;
};

} // namespace

// Draws splitters; or, where one block can sort all keys that are left, takes the answer. One block; a barrier must precede.
template <typename Word>
static __device__ void start_round(const selection<Word> &s, Word (&exchange)[splitting<Word>::SPLITTERS])
{
    typedef splitting<Word> sizes;
    bucket_search<Word> *state = s.state;
    const key_array<Word> from = s.source();
    const unsigned first = threadIdx.x * sizes::SORT_EACH;
    Word mine[sizes::SORT_EACH];

    if (from.n <= sizes::SPLITTERS) {
#pragma unroll
        for (unsigned i = 0; i < sizes::SORT_EACH; i++)
            mine[i] = first + i < from.n ? from[first + i] : ~(Word)0; // behind all keys, or equal to them
        sb::block_sort<THREADS>(mine, exchange);
#pragma unroll
        for (unsigned i = 0; i < sizes::SORT_EACH; i++)
            if (first + i == sb::rank_from_below(from.n, state->k))
                s.finish(mine[i]);
    } else {
        for (unsigned i = threadIdx.x; i < sizes::BUCKETS; i += THREADS)
            state->count[i] = 0;
        draw_splitters(from, s.seed, state->round, mine, exchange);
#pragma unroll
        for (unsigned i = 0; i < sizes::SORT_EACH; i++)
            state->splitter[first + i] = mine[i];
    }
    __syncthreads(); // all of it is in global memory
}

template <typename Word> static __global__ void __launch_bounds__(THREADS, RESIDENT) start_search(selection<Word> s)
{
    __shared__ Word exchange[splitting<Word>::SPLITTERS];

    if (threadIdx.x == 0) {
        s.state->n = s.n;
        s.state->k = s.k;
        s.state->copied = 0;
        s.state->source = s.state->round = s.state->finished = s.state->blocks = 0;
    }
    __syncthreads(); // the state is there
    start_round(s, exchange);
}

// Finds the bucket of the key. The last block calls, with counts that all blocks have added to; one barrier.
template <typename Word>
static __device__ void choose_bucket(const selection<Word> &s, unsigned long long (&sums)[WARPS])
{
    const unsigned EACH = splitting<Word>::BUCKETS / THREADS;
    bucket_search<Word> *state = s.state;
    const unsigned first = splitting<Word>::BUCKETS - 1 - threadIdx.x * EACH; // thread 0 has the highest ones
    const uint64_t k = state->k;
    unsigned long long sum = 0;

    for (unsigned i = 0; i < EACH; i++)
        sum += state->count[first - i];
    unsigned long long larger = sb::block_exclusive_sum(sum, sums); // its barrier: all have read k

    for (unsigned i = 0; i < EACH; i++) {
        const unsigned bucket = first - i;

        if (k > larger && k <= larger + state->count[bucket]) { // this thread alone, and this bucket
            if (bucket % 2 == 0)
                s.finish(state->splitter[bucket / 2]);
            state->bucket = bucket;
            state->k = k - larger;
            state->blocks = 0;
        }
        larger += state->count[bucket];
    }
}

template <typename Word> static __device__ void count(const selection<Word> &s, count_memory<Word> &shared)
{
    count_in_buckets(s.source(), s.state->splitter, shared.splitter, shared.count, s.state->count);
    if (is_last_block(&s.state->blocks, shared.last))
        choose_bucket(s, shared.sums);
    __syncthreads(); // the state is there, and shared memory can be used again
}

template <typename Word> static __device__ void copy(const selection<Word> &s, copy_memory<Word> &shared)
{
    typedef key_array<Word> array;
    bucket_search<Word> *state = s.state;
    const array from = s.source();
    const uint64_t tiles = from.tiles();
    const Word low = state->splitter[state->bucket / 2], high = state->splitter[state->bucket / 2 + 1];
    Word *to = s.buffer[s.target()];
    collector<Word> held(shared.held);

    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)gridDim.x * WARPS) {
        Word word[array::EACH];
        unsigned chosen = 0;

        from.load(tile, low, word); // what is no key is not above `low`
#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            chosen |= (unsigned)(word[i] > low && word[i] < high) << i;
        held.append(word, chosen);
        held.make_space(&state->copied, to, s.n);
    }
    held.end(&state->copied, to, s.n);
    if (!is_last_block(&state->blocks, shared.last))
        return;
    if (threadIdx.x == 0) {
        state->source = 1 + s.target();
        state->n = state->copied;
        state->copied = 0;
        state->blocks = 0;
        state->round++;
    }
    __syncthreads(); // the state is there, and shared memory can be used again
    start_round(s, shared.exchange);
}

template <typename Word> static __global__ void __launch_bounds__(THREADS, RESIDENT) run_count(selection<Word> s)
{
    __shared__ count_memory<Word> shared;

    if (s.state->finished == 0)
        count(s, shared);
}

template <typename Word> static __global__ void __launch_bounds__(THREADS, RESIDENT) run_copy(selection<Word> s)
{
    __shared__ copy_memory<Word> shared;

    if (s.state->finished == 0)
        copy(s, shared);
}

// One block.
template <typename Word> static __global__ void __launch_bounds__(THREADS, RESIDENT) finish_search(selection<Word> s)
{
    __shared__ union {
        count_memory<Word> count;
        copy_memory<Word> copy;
    } shared;

    while (s.state->finished == 0) {
        count(s, shared.count);
        if (s.state->finished == 0)
            copy(s, shared.copy);
    }
}

// Sets the pointers, and returns the bytes.
template <typename Word> static uint64_t lay_out(selection<Word> *s, uint64_t n, void *workspace)
{
    sb::workspace space(workspace);

    s->state = space.take<bucket_search<Word>>(1);
    for (unsigned i = 0; i < 2; i++)
        s->buffer[i] = space.take<Word>(n <= splitting<Word>::SPLITTERS ? 0 : n, sb::VECTOR_BYTES);
    return space.bytes();
}

template <typename Word> static uint64_t bytes(uint64_t n)
{
    selection<Word> s;

    return lay_out(&s, n, nullptr);
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, uint64_t seed, sb::key_order order, void *key,
                               void *workspace)
{
    enum { SHRINKS = splitting<Word>::SPLITTERS / 16 };
    selection<Word> s = {{(const Word *)keys.data, keys.length, k, order, nullptr, {}, (Word *)key}, seed};
    const unsigned blocks = grid_for(key_array<Word>(s.keys, s.n, sb::key_map<Word>(order)).tiles());

    lay_out(&s, keys.length, workspace);
    start_search<Word><<<1, THREADS>>>(s);
    if (s.n > splitting<Word>::SPLITTERS) {
        for (uint64_t left = s.n; left > splitting<Word>::SPLITTERS; left /= SHRINKS) {
            run_count<Word><<<blocks, THREADS>>>(s);
            run_copy<Word><<<blocks, THREADS>>>(s);
        }
        finish_search<Word><<<1, THREADS>>>(s);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {splitting<uint64_t>::SPLITTERS, splitting<uint32_t>::SPLITTERS, 0};

extern "C" const sb_variant sb_gpu_select_kth_randomized_bucket[] = {
    {"select.kth", "randomized_bucket", "buckets between sorted random keys, again inside the k-th key's bucket",
     refuses_kth, kth_workspace<bytes<uint32_t>, bytes<uint64_t>>,
     launch_kth<launch_select<uint32_t>, launch_select<uint64_t>>, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
