// SPDX-License-Identifier: BSD-2-Clause
//
// Stable radix sort of pairs (key, value) of 32 bits each, 8 bits in each pass, least significant digit first; a pass
// reads and writes the pairs once. The ranks of a tile come from prim/radix.cuh, the counts of earlier tiles from
// prim/lookback.cuh.
//
//   radix_histograms  counts the digits of all passes before the first one, since they do not depend on the order: by
//                     atomics in shared memory, then one global atomic for each digit of a block
//   radix_scatter     one pass. A block of 256 threads draws a tile of 4096 pairs. Each warp counts the digits of 512
//                     consecutive keys, and thread d publishes how many keys of the tile have digit d, so that later
//                     tiles need not wait until these are ranked. Each warp ranks its keys, 32 at a time, thread d
//                     looks back for how many keys of earlier tiles have its digit, and the pairs are staged in shared
//                     memory in the order of their digits, so that adjacent threads write adjacent pairs
//
// Why it is right: a pass is stable (prim/radix.cuh), so after the last pass pairs with equal keys are in their first
// order. Tiles are drawn from a counter, so a tile waits only for tiles whose blocks run or have ended. Shared memory:
// 42 KiB. Cost: 16 bytes moved for each pair and pass (12 where the value is the index or the keys are not asked for),
// and 4 bytes for each pair and sort to count. Source: one sweep over the data in each pass by decoupled look-back: A.
// Adinets and D. Merrill, "Onesweep" (2022).
#ifndef SAMEBITS_PRIM_RADIX_PAIRS_CUH
#define SAMEBITS_PRIM_RADIX_PAIRS_CUH

#include <samebits/prim/block.cuh>
#include <samebits/prim/lookback.cuh>
#include <samebits/prim/radix.cuh>

namespace sb
{

enum : unsigned {
    RADIX_BITS = 8, // of a digit: a thread for each of 256 digits, and four passes for 32 bits
    RADIX_DIGITS = 1 << RADIX_BITS,
    RADIX_PASSES = 32 / RADIX_BITS,
    RADIX_THREADS = RADIX_DIGITS,
    RADIX_WARPS = RADIX_THREADS / WARP_LANES,
    RADIX_BLOCKS = 4, // on a multiprocessor at once: each thread has 64 registers, and 4 * 42 KiB of shared memory fit
    RADIX_ITEMS = 16, // pairs for each thread: a staged tile of 32 KiB; with more, fewer blocks fit a multiprocessor
    RADIX_TILE = RADIX_THREADS * RADIX_ITEMS,
    COUNTS_AHEAD = 4,  // tiles whose counts a thread reads at once
    RADIX_AT_ONCE = 8, // keys of a thread of radix_histograms in flight at once
    // Keys that a block of radix_histograms counts: a global atomic for 64 keys, or for 8 where there would be too few
    // blocks for the device. Not tuned.
    RADIX_COUNTED = 4 * RADIX_TILE,
    RADIX_COUNTED_OF_FEW = RADIX_AT_ONCE * RADIX_THREADS,
    RADIX_FEW = 1 << 22
};

// Pairs: their number, a tile and the status of a state fit in 32 bits.
static const uint64_t RADIX_MAX_PAIRS = 0xffffc000u;

// In device memory: the histogram of each pass; for a pass, the ticket, then a state for each digit of each tile.
struct radix_workspace {
    uint32_t *histograms, *state;
    uint64_t state_words;
};

// Passes move the pairs from key[0] and value[0] to key[1] and value[1], and back.
struct radix_pairs {
    uint32_t *key[2], *value[2];
};

// A state for look-back: 0; 1 + the count of the tile; or MIN_PREFIX + the count of all tiles up to it.
struct radix_count {
    typedef uint32_t word;
    typedef uint32_t value;
    static constexpr uint32_t MIN_PREFIX = RADIX_TILE + 2; // above 1 + the count of any tile

    static __device__ __forceinline__ value identity()
    {
        return 0;
    }
    static __device__ __forceinline__ value join(value first, value second)
    {
        return first + second;
    }
    static __device__ __forceinline__ word of_aggregate(value count)
    {
        return 1 + count;
    }
    static __device__ __forceinline__ word of_prefix(value count)
    {
        return MIN_PREFIX + count;
    }
    static __device__ __forceinline__ bool is_prefix(word state)
    {
        return state >= MIN_PREFIX;
    }
    static __device__ __forceinline__ value value_of(word state)
    {
        return state - (state < MIN_PREFIX ? 1 : MIN_PREFIX);
    }
};

static uint64_t radix_state_words(uint64_t n)
{
    return 1 + divide_up(n, RADIX_TILE) * RADIX_DIGITS;
}

// Words of workspace for sorts of up to n pairs.
static uint64_t radix_workspace_words(uint64_t n)
{
    return RADIX_PASSES * RADIX_DIGITS + radix_state_words(n);
}

static radix_workspace radix_workspace_at(uint32_t *words, uint64_t n)
{
    return {words, words + RADIX_PASSES * RADIX_DIGITS, radix_state_words(n)};
}

// How many passes sort keys up to `largest`.
static inline unsigned radix_passes(uint32_t largest)
{
    unsigned passes = 0;

    for (; largest != 0; largest >>= RADIX_BITS)
        passes++;
    return passes;
}

static __device__ __forceinline__ unsigned radix_digit(uint32_t key, unsigned pass)
{
    return digit_of<RADIX_BITS>(key, pass * RADIX_BITS);
}

// A block counts `each` keys, a multiple of the keys that it reads at once.
static __global__ void __launch_bounds__(RADIX_THREADS)
    radix_histograms(const uint32_t *key, uint32_t n, unsigned each, unsigned passes, uint32_t *histograms)
{
    __shared__ uint32_t digits[RADIX_PASSES][RADIX_DIGITS];
    uint64_t first = blockIdx.x * (uint64_t)each + threadIdx.x;
    uint64_t end = (blockIdx.x + (uint64_t)1) * each < n ? (blockIdx.x + (uint64_t)1) * each : n;

    for (unsigned pass = 0; pass < passes; pass++)
        digits[pass][threadIdx.x] = 0;
    __syncthreads(); // all counts are 0 before any is raised
    for (uint64_t at = first; at < end; at += RADIX_AT_ONCE * RADIX_THREADS) {
        uint32_t mine[RADIX_AT_ONCE];

#pragma unroll
        for (unsigned i = 0; i < RADIX_AT_ONCE; i++)
            mine[i] = at + i * RADIX_THREADS < end ? key[at + i * RADIX_THREADS] : 0;
#pragma unroll
        for (unsigned i = 0; i < RADIX_AT_ONCE; i++)
            if (at + i * RADIX_THREADS < end)
                for (unsigned pass = 0; pass < passes; pass++)
                    atomicAdd(&digits[pass][radix_digit(mine[i], pass)], 1u);
    }
    __syncthreads(); // the counts are complete
    for (unsigned pass = 0; pass < passes; pass++)
        if (digits[pass][threadIdx.x] != 0)
            atomicAdd(&histograms[pass * RADIX_DIGITS + threadIdx.x], digits[pass][threadIdx.x]);
}

// One pass. `histogram` is that of this pass's digits. Without `value` the value of a pair is its index; without
// `key_out` only the values are written.
static __global__ void __launch_bounds__(RADIX_THREADS, RADIX_BLOCKS)
    radix_scatter(const uint32_t *key, const uint32_t *value, uint32_t n, unsigned pass, const uint32_t *histogram,
                  uint32_t *state, uint32_t *key_out, uint32_t *value_out)
{
    __shared__ uint32_t counters[RADIX_WARPS][RADIX_DIGITS];
    __shared__ uint32_t offset[RADIX_DIGITS]; // of a digit: from the index in the tile to the index in the output
    __shared__ uint32_t tile_key[RADIX_TILE], tile_value[RADIX_TILE];
    __shared__ uint32_t histogram_sums[RADIX_WARPS], count_sums[RADIX_WARPS];
    __shared__ unsigned drawn;
    unsigned warp = warp_index(), digit = threadIdx.x;
    uint32_t(*lanes)[RADIX_DIGITS] = (uint32_t(*)[RADIX_DIGITS])tile_value; // until the values are staged
    uint32_t held[RADIX_ITEMS], index[RADIX_ITEMS];

    for (unsigned w = 0; w < RADIX_WARPS; w++)
        counters[w][digit] = lanes[w][digit] = 0;
    uint32_t tile = draw_tile(state, drawn); // after its barrier all counters are 0
    uint32_t first = tile * RADIX_TILE;      // below 2^32
    uint32_t have = n - first < RADIX_TILE ? n - first : (uint32_t)RADIX_TILE;
    uint32_t mine = warp * RADIX_ITEMS * WARP_LANES + lane_index();

#pragma unroll
    for (unsigned i = 0; i < RADIX_ITEMS; i++) {
        uint32_t at = mine + i * WARP_LANES;

        held[i] = at < have ? key[first + at] : 0xffffffffu; // those past the end come last in the tile, the last one
    }
#pragma unroll
    for (unsigned i = 0; i < RADIX_ITEMS; i++)
        atomicAdd(&counters[warp][radix_digit(held[i], pass)], 1u);
    uint32_t start = block_exclusive_sum(histogram[digit], histogram_sums); // after its barrier all have counted
    uint32_t count = count_digit(counters, digit);
    uint32_t *column = state + 1 + digit;

    if (tile > 0) // before ranks are known, so that later tiles need not wait for them
        publish_word(column, (uint64_t)tile * RADIX_DIGITS, radix_count::of_aggregate(count));
    uint32_t in_tile = block_exclusive_sum(count, count_sums);

    start_digit(counters, digit, in_tile);
    __syncthreads(); // each warp knows where its first key with each digit goes
#pragma unroll
    for (unsigned i = 0; i < RADIX_ITEMS; i++) {
        index[i] = rank_digit(radix_digit(held[i], pass), counters[warp], lanes[warp]);
        tile_key[index[i]] = held[i];
        __syncwarp(); // the counters are up to date for the next 32 keys
    }
    uint32_t before = look_back_in_column<radix_count, COUNTS_AHEAD>(column, RADIX_DIGITS, tile);

    publish_word(column, (uint64_t)tile * RADIX_DIGITS, radix_count::of_prefix(before + count));
    offset[digit] = start + before - in_tile;
    __syncthreads(); // all keys are staged, and the offsets of every digit are known
#pragma unroll
    for (unsigned i = 0; i < RADIX_ITEMS; i++) {
        uint32_t at = mine + i * WARP_LANES;

        tile_value[index[i]] = at >= have ? 0 : value ? value[first + at] : first + at;
    }
    __syncthreads(); // the tile is in order
    scatter_digits<RADIX_BITS, RADIX_THREADS, RADIX_ITEMS>(tile_key, have, pass * RADIX_BITS, offset,
                                                           [&](uint32_t moved, unsigned from, uint32_t to) {
                                                               if (key_out)
                                                                   key_out[to] = moved;
                                                               value_out[to] = tile_value[from];
                                                           });
}

// Sorts n pairs, 0 < n <= RADIX_MAX_PAIRS, by the lowest `passes` digits of the key. The result is in key[passes % 2]
// and value[passes % 2]; of the keys it is undefined unless `keys_asked`. `by_index`: value[0] is not read, and the
// value of each pair is its index.
static bool radix_sort(const radix_pairs &pairs, uint32_t n, unsigned passes, bool by_index, bool keys_asked,
                       const radix_workspace &space)
{
    uint64_t state_words = radix_state_words(n);
    bool together = passes * state_words <= space.state_words; // the states of all passes are cleared at once
    uint64_t cleared = RADIX_PASSES * RADIX_DIGITS + (together ? passes : 1) * state_words;
    unsigned tiles = (unsigned)divide_up(n, RADIX_TILE);

    if (cudaMemsetAsync(space.histograms, 0, cleared * sizeof(uint32_t), 0) != cudaSuccess)
        return false;
    unsigned counted = n < RADIX_FEW ? RADIX_COUNTED_OF_FEW : RADIX_COUNTED;
    radix_histograms<<<n / counted + 1, RADIX_THREADS>>>(pairs.key[0], n, counted, passes, space.histograms);
    for (unsigned pass = 0; pass < passes; pass++) {
        unsigned from = pass % 2, to = 1 - from;

        if (!together && pass > 0 && cudaMemsetAsync(space.state, 0, state_words * sizeof(uint32_t), 0) != cudaSuccess)
            return false;
        radix_scatter<<<tiles, RADIX_THREADS>>>(
            pairs.key[from], pass == 0 && by_index ? nullptr : pairs.value[from], n, pass,
            space.histograms + pass * RADIX_DIGITS, space.state + (together ? pass * state_words : 0),
            pass + 1 < passes || keys_asked ? pairs.key[to] : nullptr, pairs.value[to]);
    }
    return cudaPeekAtLastError() == cudaSuccess;
}

} // namespace sb

#endif
