// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/resident: finds the k-th largest key digit by digit, as select.kth/radix does, in one launch: a key stays in a
// register until the k-th is known, and is read once, as long as the registers of the blocks that run at once hold all keys.
//
// All blocks run at once (a cooperative launch). A warp has a tile of 2 KiB in registers; where there are more tiles than warps,
// it reads the others again for each digit. For each digit of 11 bits, the most significant first, a block counts in shared
// memory how many of its keys that begin with the digits found have each next digit, and adds its counts to those of the grid.
// Behind a barrier of the grid every block goes down from the largest digit until the counts reach k: all find the same
// digit, so nobody has to tell the others. Each digit has counts of its own, so that they are cleared once, before the
// first barrier.
// Source: selection by radix; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for
// graphics processing units" (2012).
// Shared memory: 8 KiB. Cost: one read of the keys that registers hold (2^21 of 4 bytes on 128 multiprocessors), and one for each
// digit of the others; 4 barriers of the grid for 4-byte keys, 7 for 8-byte keys. Refuses 2^32 keys, since counts have 32
// bits. Workspace: 8 KiB for each digit.
// Measured: docs/MEASUREMENTS.md.
#include "kth.cuh"
#include <samebits/prim/workspace.cuh>
#include <cooperative_groups.h>

enum {
    ALL_THREADS = 1024, // one block on a multiprocessor: as few as possible add counts to those of the grid
    ALL_WARPS = ALL_THREADS / sb::WARP_LANES,
    DIGIT_BITS = 11, // three digits for 32 bits; of 16 bits there would be two, and 32 times as many counts to add
    DIGITS = 1 << DIGIT_BITS,
    DIGITS_EACH = DIGITS / ALL_THREADS
};

namespace
{

template <typename Word> struct digits_of {
    static constexpr unsigned PASSES = (8 * sizeof(Word) + DIGIT_BITS - 1) / DIGIT_BITS;
};

// The next digit, and how many keys with larger ones there are among those that begin as the key does.
struct digit_found {
    unsigned digit, larger;
};

} // namespace

// Which digit the k-th largest of the counted keys has. All threads of the block call; two barriers, between uses of `sums`
// and before the result is read.
static __device__ digit_found find_digit(const unsigned *count, unsigned k, unsigned (&sums)[ALL_WARPS],
                                         digit_found &found)
{
    const unsigned first = DIGITS - 1 - threadIdx.x * DIGITS_EACH; // thread 0 has the largest ones
    unsigned mine[DIGITS_EACH], sum = 0;

#pragma unroll
    for (unsigned i = 0; i < DIGITS_EACH; i++) {
        mine[i] = count[first - i];
        sum += mine[i];
    }
    unsigned larger = sb::block_exclusive_sum(sum, sums);

#pragma unroll
    for (unsigned i = 0; i < DIGITS_EACH; i++) {
        if (k > larger && k - larger <= mine[i]) // of one digit alone
            found = {first - i, larger};
        larger += mine[i];
    }
    __syncthreads(); // the digit is found
    return found;
}

template <typename Word>
static __global__ void __launch_bounds__(ALL_THREADS, 1)
    select_resident(const Word *keys, uint64_t n, unsigned k, sb::key_order order, unsigned *count, Word *key)
{
    typedef key_array<Word> array;
    __shared__ unsigned counted[DIGITS], sums[ALL_WARPS];
    __shared__ digit_found found;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const array from(keys, n, sb::key_map<Word>(order));
    const uint64_t tile = sb::warp_index() * (uint64_t)gridDim.x + blockIdx.x; // the first tiles: one for each block
    const uint64_t tiles = from.tiles(), step = gridDim.x * (uint64_t)ALL_WARPS;
    Word word[array::EACH], result = 0, known = 0; // the bits of the result that are known
    unsigned inside = tile < tiles ? from.load(tile, 0, word) : 0, shift = 8 * sizeof(Word);

    for (unsigned i = blockIdx.x * ALL_THREADS + threadIdx.x; i < digits_of<Word>::PASSES * DIGITS;
         i += gridDim.x * ALL_THREADS)
        count[i] = 0;
    for (unsigned pass = 0; pass < digits_of<Word>::PASSES; pass++, count += DIGITS) {
        const unsigned behind = shift;

        shift = behind < DIGIT_BITS ? 0 : behind - DIGIT_BITS;
        const unsigned mask = sb::low_bits(behind - shift);

        for (unsigned i = threadIdx.x; i < DIGITS; i += ALL_THREADS)
            counted[i] = 0;
        __syncthreads(); // all counts of the block are 0
#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            if (inside >> i & 1)
                atomicAdd(&counted[(unsigned)(word[i] >> shift) & mask], 1u);
        for (uint64_t other = tile + step; other < tiles; other += step) {
            Word read[array::EACH];
            const unsigned present = from.load(other, 0, read);

#pragma unroll
            for (unsigned i = 0; i < array::EACH; i++)
                if (present >> i & 1 && (read[i] & known) == result)
                    atomicAdd(&counted[(unsigned)(read[i] >> shift) & mask], 1u);
        }
        if (pass == 0)
            grid.sync(); // all counts of the grid are 0, and those of the block complete
        else
            __syncthreads(); // the counts of the block are complete
        for (unsigned i = threadIdx.x; i < DIGITS; i += ALL_THREADS)
            if (counted[i] != 0)
                atomicAdd(&count[i], counted[i]);
        grid.sync(); // the counts of the grid are complete
        const digit_found next = find_digit(count, k, sums, found);

        k -= next.larger;
        result |= (Word)next.digit << shift;
        known |= (Word)mask << shift;
#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            if (((unsigned)(word[i] >> shift) & mask) != next.digit)
                inside &= ~(1u << i);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *key = sb::from_ordered(result, order);
}

template <typename Word> static uint64_t bytes(uint64_t)
{
    return digits_of<Word>::PASSES * DIGITS * sizeof(unsigned);
}

// Blocks that run at once: one on each multiprocessor.
static unsigned multiprocessors(void)
{
    int device = 0, processors = 1;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        processors = 1;
    return (unsigned)processors;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length > 0xffffffffu ? "more keys than 32 bits count" : nullptr;
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, uint64_t, sb::key_order order, void *key,
                               void *workspace)
{
    const Word *from = (const Word *)keys.data;
    uint64_t n = keys.length, tiles = key_array<Word>(from, n, sb::key_map<Word>(order)).tiles();
    unsigned rank = (unsigned)k, *count = (unsigned *)workspace;
    void *arguments[] = {&from, &n, &rank, &order, &count, &key};
    const unsigned blocks = tiles < multiprocessors() ? (unsigned)tiles : multiprocessors();

    return cudaLaunchCooperativeKernel((const void *)select_resident<Word>, dim3(blocks), dim3(ALL_THREADS), arguments,
                                       0, 0) == cudaSuccess
               ? SB_OK
               : SB_FAILED;
}

static const uint64_t sizes[] = {key_array<uint64_t>::TILE, key_array<uint32_t>::TILE,
                                 2 * ALL_WARPS *(uint64_t)key_array<uint32_t>::TILE, // of two multiprocessors
                                 0};

extern "C" const sb_variant sb_gpu_select_kth_resident[] = {
    {"select.kth", "resident", "11-bit digits, in one launch: keys stay in registers", refuses,
     kth_workspace<bytes<uint32_t>, bytes<uint64_t>>, launch_kth<launch_select<uint32_t>, launch_select<uint64_t>>,
     sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
