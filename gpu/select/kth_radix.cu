// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/radix: finds the k-th largest key digit by digit, 8 bits each, the most significant first.
//
// Keys are compared as unsigned words of the same order (samebits/prim/keys.cuh). A pass counts, among the keys that
// begin with the digits found so far, how many have each next digit; one block then goes down from the largest digit
// until the counts reach k, which gives the next digit. After the last digit the word found is the key. Nothing depends
// on the content: equal keys, NaNs and zeros are words like others.
// Source: selection by radix; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for
// graphics processing units" (2012).
// Shared memory: 256 counters for each warp, 8 KiB for each block, so that warps with equal digits do not wait for each
// other.
// Cost: all keys are read once for each digit: 4 times for 4-byte keys, 8 times for 8-byte keys; 2 KiB of workspace.
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/block.cuh>
#include <samebits/prim/keys.cuh>
#include <samebits/prim/radix.cuh>

enum {
    THREADS = 256, // also the number of digits: one for each thread
    WARPS = THREADS / sb::WARP_LANES,
    DIGIT_BITS = 8,
    EACH = 8, // keys a thread loads at once; not tuned
    TILE = THREADS * EACH
};

static const unsigned MAX_BLOCKS = 2048;            // several times as many as a large card runs at once; not tuned
static const uint64_t MAX_KEYS = (uint64_t)1 << 40; // a block counts at most about MAX_KEYS / MAX_BLOCKS in 32 bits

namespace
{

struct search {
    uint64_t found;  // the digits found so far, at their positions in the word
    uint64_t larger; // how many keys are larger than all keys that begin with them
    unsigned long long count[THREADS];
};

} // namespace

template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    count_digits(const Word *keys, uint64_t n, sb::key_order order, unsigned shift, search *search)
{
    __shared__ unsigned count[WARPS][THREADS];
    const Word found = (Word)search->found >> shift >> DIGIT_BITS; // in two steps: together they may be the width

    for (unsigned i = 0; i < WARPS; i++)
        count[i][threadIdx.x] = 0;
    __syncthreads(); // all counters are 0
    for (uint64_t first = blockIdx.x * (uint64_t)TILE; first < n; first += gridDim.x * (uint64_t)TILE) {
        Word word[EACH];

        sb::load_striped<THREADS>(keys, n, first, sb::from_ordered((Word)0, order), word); // no k-th key is after all
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            word[i] = sb::to_ordered(word[i], order);
            if (word[i] >> shift >> DIGIT_BITS == found)
                atomicAdd(&count[sb::warp_index()][sb::digit_of<DIGIT_BITS>(word[i], shift)], 1u);
        }
    }
    __syncthreads(); // every warp has counted
    unsigned sum = sb::count_digit(count, threadIdx.x);
    if (sum != 0)
        atomicAdd(&search->count[threadIdx.x], (unsigned long long)sum);
}

// One block. Finds the next digit and clears the counts for the one after.
template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    choose_digit(uint64_t k, sb::key_order order, unsigned shift, search *search, Word *key)
{
    __shared__ unsigned long long count[THREADS];

    count[threadIdx.x] = search->count[threadIdx.x];
    search->count[threadIdx.x] = 0;
    __syncthreads(); // all threads have written their counts
    if (threadIdx.x != 0)
        return;
    uint64_t larger = search->larger;
    unsigned digit = THREADS - 1;

    for (; digit > 0 && larger + count[digit] < k; digit--)
        larger += count[digit];
    search->larger = larger;
    search->found |= (uint64_t)digit << shift;
    if (shift == 0)
        *key = sb::from_ordered((Word)search->found, order);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length > MAX_KEYS ? "more keys than the counters hold" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return sizeof(search);
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, sb::key_order order, void *key, void *workspace)
{
    search *state = (search *)workspace;
    uint64_t n = keys.length, tiles = sb::divide_up(n, TILE);
    unsigned blocks = tiles < MAX_BLOCKS ? (unsigned)tiles : MAX_BLOCKS;

    if (cudaMemsetAsync(state, 0, sizeof *state, 0) != cudaSuccess)
        return SB_FAILED;
    for (unsigned shift = 8 * sizeof(Word); shift > 0;) {
        shift -= DIGIT_BITS;
        count_digits<Word><<<blocks, THREADS>>>((const Word *)keys.data, n, order, shift, state);
        choose_digit<Word><<<1, THREADS>>>(k, order, shift, state, (Word *)key);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];
    uint64_t k = parameters[SB_SELECT_K];
    void *key = outputs[SB_SELECT_KEY].data;

    if (k == 0 || k > keys.length)
        return SB_INVALID;
    switch (parameters[SB_SELECT_TYPE]) {
    case SB_U32:
        return launch_select<uint32_t>(keys, k, sb::UNSIGNED_ORDER, key, workspace);
    case SB_I32:
        return launch_select<uint32_t>(keys, k, sb::SIGNED_ORDER, key, workspace);
    case SB_F32:
        return launch_select<uint32_t>(keys, k, sb::FLOAT_ORDER, key, workspace);
    case SB_U64:
        return launch_select<uint64_t>(keys, k, sb::UNSIGNED_ORDER, key, workspace);
    case SB_F64:
        return launch_select<uint64_t>(keys, k, sb::FLOAT_ORDER, key, workspace);
    }
    return SB_INVALID;
}

extern "C" const sb_variant sb_gpu_select_kth_radix[] = {
    {"select.kth", "radix", "8-bit digits from the most significant, found by histograms", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
