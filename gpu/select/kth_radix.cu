// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/radix: the key's digits are found one after the other, 8 bits each, the most significant first.
//
// Keys are compared as unsigned words whose order is theirs: signed integers with the sign flipped, floats with all
// bits flipped when negative and the sign flipped when not (totalOrder). A pass counts, among the keys that begin with
// the digits found so far, how many have each next digit; one block then goes down from the largest digit until the
// counts reach k, which is the next digit. After the last digit the word found is the key. Nothing depends on the
// content: equal keys, NaNs and zeros are words like others.
// Shared memory: 256 counters a warp, 8 KiB a block, so that warps with equal digits do not wait for each other.
// Cost: all keys are read once a digit: 4 times for 4-byte keys, 8 for 8-byte keys; 2 KiB of workspace.
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    LANES = 32,
    THREADS = 256, // also the number of digits: one a thread
    WARPS = THREADS / LANES,
    DIGIT_BITS = 8,
    EACH = 8, // keys a thread has in flight
    TILE = THREADS * EACH
};

static const unsigned MAX_BLOCKS = 2048;            // a large card's worth, several times over
static const uint64_t MAX_KEYS = (uint64_t)1 << 40; // a block counts at most about MAX_KEYS / MAX_BLOCKS in 32 bits

namespace
{

enum order { UNSIGNED, SIGNED, FLOATING };

struct search {
    uint64_t found;  // the digits found so far, in place
    uint64_t larger; // how many keys are larger than all keys that begin with them
    unsigned long long count[THREADS];
};

} // namespace

template <typename Word> static __device__ Word ordered(Word bits, order order)
{
    const Word sign = (Word)1 << (8 * sizeof(Word) - 1);

    if (order == UNSIGNED)
        return bits;
    return order == FLOATING && (bits & sign) != 0 ? ~bits : bits ^ sign;
}

template <typename Word> static __device__ Word original(Word word, order order)
{
    const Word sign = (Word)1 << (8 * sizeof(Word) - 1);

    if (order == UNSIGNED)
        return word;
    return order == FLOATING && (word & sign) == 0 ? ~word : word ^ sign;
}

template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    count_digits(const Word *keys, uint64_t n, order order, unsigned shift, search *search)
{
    __shared__ unsigned count[WARPS][THREADS];
    const Word found = (Word)search->found >> shift >> DIGIT_BITS; // in two steps: together they may be the width
    unsigned warp = threadIdx.x / LANES;

    for (unsigned i = 0; i < WARPS; i++)
        count[i][threadIdx.x] = 0;
    __syncthreads(); // all counters are 0
    for (uint64_t first = blockIdx.x * (uint64_t)TILE; first < n; first += gridDim.x * (uint64_t)TILE) {
        Word word[EACH];

#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            uint64_t at = first + i * THREADS + threadIdx.x;

            word[i] = at < n ? ordered(keys[at], order) : 0; // behind all keys, where no k looks
        }
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            if (word[i] >> shift >> DIGIT_BITS == found)
                atomicAdd(&count[warp][(word[i] >> shift) % THREADS], 1u);
    }
    __syncthreads(); // every warp has counted
    unsigned sum = 0;
    for (unsigned i = 0; i < WARPS; i++)
        sum += count[i][threadIdx.x];
    if (sum != 0)
        atomicAdd(&search->count[threadIdx.x], (unsigned long long)sum);
}

// One block. Finds the next digit and clears the counts for the one after.
template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    choose_digit(uint64_t k, order order, unsigned shift, search *search, Word *key)
{
    __shared__ unsigned long long count[THREADS];

    count[threadIdx.x] = search->count[threadIdx.x];
    search->count[threadIdx.x] = 0;
    __syncthreads(); // all counts are there
    if (threadIdx.x != 0)
        return;
    uint64_t larger = search->larger;
    unsigned digit = THREADS - 1;

    for (; digit > 0 && larger + count[digit] < k; digit--)
        larger += count[digit];
    search->larger = larger;
    search->found |= (uint64_t)digit << shift;
    if (shift == 0)
        *key = original((Word)search->found, order);
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
static sb_status launch_select(const sb_array &keys, uint64_t k, order order, void *key, void *workspace)
{
    search *state = (search *)workspace;
    uint64_t n = keys.length, tiles = n / TILE + (n % TILE != 0);
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
        return launch_select<uint32_t>(keys, k, UNSIGNED, key, workspace);
    case SB_I32:
        return launch_select<uint32_t>(keys, k, SIGNED, key, workspace);
    case SB_F32:
        return launch_select<uint32_t>(keys, k, FLOATING, key, workspace);
    case SB_U64:
        return launch_select<uint64_t>(keys, k, UNSIGNED, key, workspace);
    case SB_F64:
        return launch_select<uint64_t>(keys, k, FLOATING, key, workspace);
    }
    return SB_INVALID;
}

extern "C" const sb_variant sb_gpu_select_kth_radix[] = {
    {"select.kth", "radix", "8-bit digits from the most significant, found by histograms", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
