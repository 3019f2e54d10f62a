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
// first barrier. When few keys begin with the digits found, blocks list them, and the last one to do so finds the other digits alone.
// Source: selection by radix; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for
// graphics processing units" (2012).
// Shared memory: 8 KiB. Cost: one read of the keys that registers hold (2^21 of 4 bytes on 128 multiprocessors), and one for each
// digit of the others; at most 4 barriers of the grid for 4-byte keys, 7 for 8-byte keys, and 2 if few keys have the first
// digit. Refuses 2^32 keys, since counts have 32
// bits. Workspace: 8 KiB for each digit, and a list of 2048
// keys.
// Measured: docs/MEASUREMENTS.md.
#include "kth.cuh"
#include <samebits/prim/workspace.cuh>
#include <cooperative_groups.h>

enum {
    ALL_THREADS = 1024, // one block on a multiprocessor: as few as possible add counts to those of the grid
    ALL_WARPS = ALL_THREADS / sb::WARP_LANES,
    DIGIT_BITS = 11, // three digits for 32 bits; of 16 bits there would be two, and 32 times as many counts to add
    DIGITS = 1 << DIGIT_BITS,
    DIGITS_EACH = DIGITS / ALL_THREADS,
    LISTED =
        2048 // keys that one block finishes, at most: 16 KiB of 8-byte keys; 2^20 uniform keys leave 512. Not tuned
};

namespace
{

template <typename Word> struct digits_of {
    static constexpr unsigned PASSES = (8 * sizeof(Word) + DIGIT_BITS - 1) / DIGIT_BITS;
};

// The next digit, how many keys with larger ones there are among those that begin as the key does, and how many with this one.
struct digit_found {
    unsigned digit, larger, equal;
};

// In the workspace; all cleared before the first barrier.
template <typename Word> struct grid_counts {
    unsigned of_digit[digits_of<Word>::PASSES][DIGITS];
    unsigned listed, blocks; // keys in the list, and blocks that have listed theirs
};

template <typename Word> struct resident_workspace {
    grid_counts<Word> counts;
    Word list[LISTED];
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
            found = {first - i, larger, mine[i]};
        larger += mine[i];
    }
    __syncthreads(); // the digit is found
    return found;
}

// The bits of a key that are known, and those that the next digit has.
template <typename Word> struct known_bits {
    Word result, known;
    unsigned shift, mask, k;

    __device__ __forceinline__ void next()
    {
        const unsigned behind = shift;

        shift = behind < DIGIT_BITS ? 0 : behind - DIGIT_BITS;
        mask = sb::low_bits(behind - shift);
    }
    __device__ __forceinline__ unsigned digit(Word word) const
    {
        return (unsigned)(word >> shift) & mask;
    }
    __device__ __forceinline__ void take(const digit_found &found)
    {
        k -= found.larger;
        result |= (Word)found.digit << shift;
        known |= (Word)mask << shift;
    }
};

static __device__ __forceinline__ void clear(unsigned (&counted)[DIGITS])
{
    for (unsigned i = threadIdx.x; i < DIGITS; i += ALL_THREADS)
        counted[i] = 0;
    __syncthreads(); // all counts of the block are 0
}

// The digits that are left, of the listed keys alone. All threads of one block call.
template <typename Word>
static __device__ Word finish(const volatile Word *list, unsigned listed, known_bits<Word> bits,
                              unsigned (&counted)[DIGITS], unsigned (&sums)[ALL_WARPS], digit_found &found)
{
    Word word[LISTED / ALL_THREADS];

#pragma unroll
    for (unsigned i = 0; i < LISTED / ALL_THREADS; i++)
        if (i * ALL_THREADS + threadIdx.x < listed)
            word[i] = list[i * ALL_THREADS + threadIdx.x];
    while (bits.shift != 0) {
        bits.next();
        clear(counted);
#pragma unroll
        for (unsigned i = 0; i < LISTED / ALL_THREADS; i++)
            if (i * ALL_THREADS + threadIdx.x < listed && (word[i] & bits.known) == bits.result)
                atomicAdd(&counted[bits.digit(word[i])], 1u);
        __syncthreads(); // the counts are complete
        bits.take(find_digit(counted, bits.k, sums, found));
        __syncthreads(); // all have taken the digit, and the counts are free
    }
    return bits.result;
}

template <typename Word>
static __global__ void __launch_bounds__(ALL_THREADS, 1)
    select_resident(const Word *keys, uint64_t n, unsigned k, sb::key_order order, resident_workspace<Word> *space,
                    Word *key)
{
    typedef key_array<Word> array;
    __shared__ unsigned counted[DIGITS], sums[ALL_WARPS], last;
    __shared__ digit_found found;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const array from(keys, n, sb::key_map<Word>(order));
    const uint64_t tile = sb::warp_index() * (uint64_t)gridDim.x + blockIdx.x; // the first tiles: one for each block
    const uint64_t tiles = from.tiles(), step = gridDim.x * (uint64_t)ALL_WARPS;
    known_bits<Word> bits = {0, 0, 8 * sizeof(Word), 0, k};
    Word word[array::EACH];
    unsigned inside = tile < tiles ? from.load(tile, 0, word) : 0;
    // Calls with each of the block's keys that begins with the digits found.
    auto for_keys_inside = [&](auto call) {
#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            if (inside >> i & 1)
                call(word[i]);
        for (uint64_t other = tile + step; other < tiles; other += step) {
            Word read[array::EACH];
            const unsigned present = from.load(other, 0, read);

#pragma unroll
            for (unsigned i = 0; i < array::EACH; i++)
                if (present >> i & 1 && (read[i] & bits.known) == bits.result)
                    call(read[i]);
        }
    };

    for (unsigned i = blockIdx.x * ALL_THREADS + threadIdx.x; i < sizeof space->counts / sizeof(unsigned);
         i += gridDim.x * ALL_THREADS)
        ((unsigned *)&space->counts)[i] = 0;
    for (unsigned pass = 0; pass < digits_of<Word>::PASSES; pass++) {
        unsigned *const count = space->counts.of_digit[pass];

        bits.next();
        clear(counted);
        for_keys_inside([&](Word each) { atomicAdd(&counted[bits.digit(each)], 1u); });
        if (pass == 0)
            grid.sync(); // all counts of the grid are 0, and those of the block complete
        else
            __syncthreads(); // the counts of the block are complete
        for (unsigned i = threadIdx.x; i < DIGITS; i += ALL_THREADS)
            if (counted[i] != 0)
                atomicAdd(&count[i], counted[i]);
        grid.sync(); // the counts of the grid are complete
        const digit_found next = find_digit(count, bits.k, sums, found);

#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            if (bits.digit(word[i]) != next.digit)
                inside &= ~(1u << i);
        bits.take(next);
        if (bits.shift != 0 && next.equal <= LISTED) { // in all blocks
            for_keys_inside([&](Word each) { space->list[atomicAdd(&space->counts.listed, 1u)] = each; });
            __threadfence();
            __syncthreads(); // the block's keys are listed
            if (threadIdx.x == 0)
                last = atomicAdd(&space->counts.blocks, 1u) + 1 == gridDim.x;
            __syncthreads(); // all know whether theirs is the last block
            if (!last)
                return;
            __threadfence();
            bits.result = finish(space->list, next.equal, bits, counted, sums, found);
            if (threadIdx.x == 0)
                *key = sb::from_ordered(bits.result, order);
            return;
        }
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *key = sb::from_ordered(bits.result, order);
}

template <typename Word> static uint64_t bytes(uint64_t)
{
    return sizeof(resident_workspace<Word>);
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
    unsigned rank = (unsigned)k;
    resident_workspace<Word> *space = (resident_workspace<Word> *)workspace;
    void *arguments[] = {&from, &n, &rank, &order, &space, &key};
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
