// SPDX-License-Identifier: BSD-2-Clause
//
// select.multi/randomized_bucket: one histogram answers all ranks at once: it says in which bucket between sorted random
// keys each rank is, and the keys of these buckets alone are sorted.
//
//     sample    one block sorts random keys: the splitters of the buckets (sample_buckets.cuh)
//     count     every key finds its bucket by a binary search in shared memory. The last block to finish adds up the
//               counts from the highest bucket, and finds the bucket of each rank. In a bucket of keys equal to a
//               splitter, that is the answer
//     collect   copies the keys of the other buckets that hold a rank
//     sort      sorts the copies (sort.cuh). The sorted copies are the keys of these buckets, one bucket after the other,
//               so each rank less the keys of buckets that are not copied is a position
//
// The sample decides how many keys are copied, never what the answer is. Few keys, or more copies than the workspace
// holds, and all keys are sorted instead. Ranks that ask for equal keys share a bucket, so many ranks cost little more
// than their distinct buckets. Ranks are in device memory, and a wrong one makes the case invalid, which the host
// returns: so it must read that, and in the same 16 bytes it reads how many keys there are to sort.
// Shared memory: 24 to 41 KiB, for splitters and counts or for splitters and collected keys.
// Cost: two reads of all keys, each with a binary search in shared memory for each key, and a sort of about m / 2047 of
// the keys (m / 1023 for 8-byte keys), but never of more than all. Workspace: 5 words and a quarter for each key.
// Source: bucket selection by sampled splitters; T. Ribizel and H. Anzt, "Parallel selection on GPUs" (2020).
#include "sample_buckets.cuh"
#include "sort.cuh"

enum {
    SORTED_AT_ONCE = 4096, // that many keys are sorted as they are; not tuned
    NOT_COPIED = 0         // the place of a rank whose key is known already
};

namespace
{

// What the host reads.
struct bucket_answer {
    uint64_t copies; // keys to copy
    uint64_t wrong;  // ranks that are not in 1..n
};

template <typename Word> struct bucket_state {
    bucket_answer answer;
    unsigned blocks;
    unsigned long long copied;
    Word splitter[splitting<Word>::SPLITTERS];
    unsigned long long count[splitting<Word>::BUCKETS];
    uint64_t larger[splitting<Word>::BUCKETS];        // keys in higher buckets
    uint64_t larger_copies[splitting<Word>::BUCKETS]; // those of them that are copied
    unsigned copy[splitting<Word>::BUCKETS];          // is this bucket copied?
};

template <typename Word> struct bucket_arrays {
    bucket_state<Word> *state;
    uint64_t *place; // of each rank: which of the copies it is, from the largest, or NOT_COPIED
    Word *copies;
    uint64_t capacity;
    sort_space sort;
};

// What every kernel gets.
template <typename Word> struct bucket_selection {
    const Word *keys;
    uint64_t n;
    const uint64_t *k;
    uint64_t m, seed;
    sb::key_order order;
    bucket_arrays<Word> a;
    Word *key;

    __device__ key_array<Word> source() const
    {
        return key_array<Word>(keys, n, sb::key_map<Word>(order));
    }
};

} // namespace

// One block.
template <typename Word>
static __global__ void __launch_bounds__(THREADS, RESIDENT) sample_splitters(bucket_selection<Word> s)
{
    typedef splitting<Word> sizes;
    __shared__ Word exchange[sizes::SPLITTERS];
    bucket_state<Word> *state = s.a.state;
    Word mine[sizes::SORT_EACH];

    if (threadIdx.x == 0) {
        state->answer = {0, 0};
        state->blocks = 0;
        state->copied = 0;
    }
    for (unsigned i = threadIdx.x; i < sizes::BUCKETS; i += THREADS) {
        state->count[i] = 0;
        state->copy[i] = 0;
    }
    draw_splitters(s.source(), s.seed, 0, mine, exchange);
#pragma unroll
    for (unsigned i = 0; i < sizes::SORT_EACH; i++)
        state->splitter[threadIdx.x * sizes::SORT_EACH + i] = mine[i];
}

// Replaces each of `count` numbers by the sum of those behind it, and returns the sum of all. One block; two barriers.
template <unsigned COUNT>
static __device__ uint64_t sum_from_the_end(uint64_t (&numbers)[COUNT], unsigned long long (&sums)[WARPS])
{
    const unsigned EACH = COUNT / THREADS, last = COUNT - 1 - threadIdx.x * EACH;
    unsigned long long mine = 0, all;

    for (unsigned i = 0; i < EACH; i++)
        mine += numbers[last - i];
    unsigned long long behind = sb::block_exclusive_sum(mine, sums, &all);

    for (unsigned i = 0; i < EACH; i++) {
        uint64_t number = numbers[last - i];

        numbers[last - i] = behind;
        behind += number;
    }
    __syncthreads(); // the sums are in global memory, and `sums` has been read
    return all;
}

// Finds the bucket of each rank. The last block calls, with counts that all blocks have added to.
template <typename Word>
static __device__ void find_ranks(const bucket_selection<Word> &s, unsigned long long (&sums)[WARPS])
{
    const unsigned BUCKETS = splitting<Word>::BUCKETS;
    bucket_state<Word> *state = s.a.state;

    for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS)
        state->larger[i] = state->count[i];
    __syncthreads(); // the counts are copied
    sum_from_the_end(state->larger, sums);
    for (uint64_t i = threadIdx.x; i < s.m; i += THREADS) {
        const uint64_t k = s.k[i];
        unsigned at = 0;

        s.a.place[i] = NOT_COPIED;
        if (k == 0 || k > s.n) {
            atomicAdd((unsigned long long *)&state->answer.wrong, 1ull);
            continue;
        }
        for (unsigned step = BUCKETS / 2; step > 0; step /= 2) // the first bucket with fewer than k keys behind it
            at += state->larger[at + step - 1] >= k ? step : 0;
        if (at % 2 == 0)
            s.key[i] = sb::from_ordered(state->splitter[at / 2], s.order);
        else
            atomicExch(&state->copy[at], 1u);
        s.a.place[i] = at % 2 == 0 ? (uint64_t)NOT_COPIED : 1 + at;
    }
    __syncthreads(); // it is known which buckets are copied
    for (unsigned i = threadIdx.x; i < BUCKETS; i += THREADS)
        state->larger_copies[i] = state->copy[i] != 0 ? state->count[i] : 0;
    __syncthreads(); // the counts are copied
    const uint64_t copies = sum_from_the_end(state->larger_copies, sums);

    if (threadIdx.x == 0)
        state->answer.copies = copies;
    for (uint64_t i = threadIdx.x; i < s.m; i += THREADS)
        if (s.a.place[i] != NOT_COPIED) {
            const uint64_t at = s.a.place[i] - 1;

            s.a.place[i] = s.k[i] - state->larger[at] + state->larger_copies[at];
        }
}

template <typename Word>
static __global__ void __launch_bounds__(THREADS, RESIDENT) count_buckets(bucket_selection<Word> s)
{
    typedef splitting<Word> sizes;
    __shared__ Word splitter[sizes::SPLITTERS];
    __shared__ unsigned counts[sizes::BUCKETS];
    __shared__ unsigned long long sums[WARPS];
    __shared__ bool last;
    bucket_state<Word> *state = s.a.state;

    count_in_buckets(s.source(), state->splitter, splitter, counts, state->count);
    if (is_last_block(&state->blocks, last))
        find_ranks(s, sums);
}

template <typename Word>
static __global__ void __launch_bounds__(THREADS, RESIDENT) copy_buckets(bucket_selection<Word> s)
{
    typedef key_array<Word> array;
    typedef splitting<Word> sizes;
    __shared__ Word splitter[sizes::SPLITTERS];
    __shared__ uint8_t copy[sizes::BUCKETS];
    __shared__ collected<Word> shared;
    const array from = s.source();
    const uint64_t tiles = from.tiles();
    collector<Word> held(shared);

    for (unsigned i = threadIdx.x; i < sizes::SPLITTERS; i += THREADS)
        splitter[i] = s.a.state->splitter[i];
    for (unsigned i = threadIdx.x; i < sizes::BUCKETS; i += THREADS)
        copy[i] = s.a.state->copy[i] != 0;
    __syncthreads(); // splitters and choices are there
    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)gridDim.x * WARPS) {
        Word word[array::EACH];
        unsigned chosen = from.load(tile, 0, word);

#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            chosen &= ~((unsigned)(copy[find_bucket(splitter, word[i])] == 0) << i);
        held.append(word, chosen);
        held.make_space(&s.a.state->copied, s.a.copies, s.a.capacity);
    }
    held.end(&s.a.state->copied, s.a.copies, s.a.capacity);
}

// Without buckets each rank is its own place.
template <typename Word> static __global__ void __launch_bounds__(THREADS) place_all(bucket_selection<Word> s)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < s.m; i += gridDim.x * (uint64_t)THREADS) {
        const bool right = s.k[i] != 0 && s.k[i] <= s.n;

        s.a.place[i] = right ? s.k[i] : (uint64_t)NOT_COPIED;
        if (!right)
            atomicAdd((unsigned long long *)&s.a.state->answer.wrong, 1ull);
    }
}

// Writes the keys of all ranks that have a place among the `count` sorted ones.
template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    take_places(bucket_selection<Word> s, const Word *from, sb::key_map<Word> map, const uint32_t *sorted,
                uint64_t count)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < s.m; i += gridDim.x * (uint64_t)THREADS)
        if (s.a.place[i] != NOT_COPIED)
            s.key[i] = sb::from_ordered(map(from[sorted[count - s.a.place[i]]]), s.order);
}

// Sets the pointers, and returns the bytes.
template <typename Word>
static uint64_t lay_out_buckets(bucket_arrays<Word> *a, uint64_t n, uint64_t m, void *workspace)
{
    sb::workspace space(workspace);

    a->state = space.take<bucket_state<Word>>(1);
    a->place = space.take<uint64_t>(m);
    a->capacity = n <= SORTED_AT_ONCE ? 0 : n / 4;
    a->copies = space.take<Word>(a->capacity);
    take_sort_space(&a->sort, n, &space);
    return space.bytes();
}

// Selects, when the ranks are in device memory. SB_INVALID: one of them is not in 1..n.
template <typename Word> static sb_status select_ranks(const bucket_selection<Word> &s)
{
    const unsigned blocks = grid_for(key_array<Word>(s.keys, s.n, sb::key_map<Word>(s.order)).tiles());
    const unsigned rank_blocks = grid_for(sb::divide_up(s.m, sb::WARP_LANES));
    bucket_answer answer = {0, 0};
    const uint32_t *sorted;

    if (s.n > SORTED_AT_ONCE) {
        sample_splitters<Word><<<1, THREADS>>>(s);
        count_buckets<Word><<<blocks, THREADS>>>(s);
        if (cudaMemcpy(&answer, &s.a.state->answer, sizeof answer, cudaMemcpyDeviceToHost) != cudaSuccess)
            return SB_FAILED;
        if (answer.wrong != 0)
            return SB_INVALID;
        if (answer.copies == 0)
            return SB_OK;
        if (answer.copies <= s.a.capacity) {
            copy_buckets<Word><<<blocks, THREADS>>>(s);
            if (!sort_keys(s.a.copies, answer.copies, sb::UNSIGNED_ORDER, false, s.a.sort, &sorted))
                return SB_FAILED;
            take_places<Word>
                <<<rank_blocks, THREADS>>>(s, s.a.copies, sb::key_map<Word>(sb::UNSIGNED_ORDER), sorted, answer.copies);
            return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
        }
    }
    if (cudaMemsetAsync(&s.a.state->answer, 0, sizeof answer, 0) != cudaSuccess)
        return SB_FAILED;
    place_all<Word><<<rank_blocks, THREADS>>>(s);
    if (cudaMemcpy(&answer, &s.a.state->answer, sizeof answer, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    if (answer.wrong != 0)
        return SB_INVALID;
    if (!sort_keys(s.keys, s.n, s.order, false, s.a.sort, &sorted))
        return SB_FAILED;
    take_places<Word><<<rank_blocks, THREADS>>>(s, s.keys, sb::key_map<Word>(s.order), sorted, s.n);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length > sb::RADIX_MAX_PAIRS ? "more keys than the sort takes" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    key_kind kind;
    bucket_arrays<uint32_t> narrow;
    bucket_arrays<uint64_t> wide;
    uint64_t n = inputs[SB_SELECT_KEYS].length, m = inputs[SB_SELECT_MULTI_K].length;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return 0;
    return kind.wide ? lay_out_buckets(&wide, n, m, nullptr) : lay_out_buckets(&narrow, n, m, nullptr);
}

template <typename Word>
static sb_status launch_select(const sb_array *inputs, sb::key_order order, void *key, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS], &k = inputs[SB_SELECT_MULTI_K];
    bucket_selection<Word> s = {
        (const Word *)keys.data, keys.length, (const uint64_t *)k.data, k.length, 0, order, {}, (Word *)key};

    lay_out_buckets(&s.a, keys.length, k.length, workspace);
    return select_ranks(s);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    void *key = outputs[SB_SELECT_KEY].data;
    key_kind kind;

    if (!kind_of(parameters[SB_SELECT_TYPE], &kind))
        return SB_INVALID;
    if (inputs[SB_SELECT_MULTI_K].length == 0)
        return SB_OK;
    if (inputs[SB_SELECT_KEYS].length == 0)
        return SB_INVALID;
    return kind.wide ? launch_select<uint64_t>(inputs, kind.order, key, workspace)
                     : launch_select<uint32_t>(inputs, kind.order, key, workspace);
}

static const uint64_t sizes[] = {SORTED_AT_ONCE, 0};

extern "C" const sb_variant sb_gpu_select_multi_randomized_bucket[] = {
    {"select.multi", "randomized_bucket", "one histogram between sorted random keys; the ranks' buckets are sorted",
     refuses, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
