// SPDX-License-Identifier: BSD-2-Clause
//
// Stable radix sort of pairs (key, value) of 32 bits each, 8 bits a pass, the lowest first; a pass reads and writes the
// pairs once.
//
// histograms: the digits of all passes are counted before the first (they do not depend on the order), in shared
// memory by atomics.
// scatter: a block of 256 threads draws a tile of 4096 pairs from a counter, so that all earlier tiles are done or
// running and may be waited for. Each warp takes 512 consecutive keys, 32 at a time in order: lanes with equal digits
// find each other, number themselves by lane, and the first of them takes places from the warp's counters. Then a
// thread looks after a digit: it tells the later tiles how many the tile has, and looks back through the earlier ones
// until one knows how many all before it have. A tile's state for a digit is one word: 0, nothing yet; 1 + the count
// of the tile; or STATE_ALL + the count of all tiles up to it. So a word that is seen is all there is to know, and no
// fence is needed. The pairs go through shared memory in the order of the digits: neighbours in the output are
// written by neighbouring threads.
// Shared memory: 42 KiB. Cost: 16 bytes moved a pair and pass (12 where the value is the index or the keys are not
// asked for), and 4 a sort to count.
#ifndef GPU_BWT_RADIX_CUH
#define GPU_BWT_RADIX_CUH

#include <stdint.h>

enum {
    RADIX_BITS = 8,
    RADIX_DIGITS = 1 << RADIX_BITS,
    RADIX_PASSES = 32 / RADIX_BITS,
    RADIX_LANES = 32,
    RADIX_THREADS = 256,
    RADIX_WARPS = RADIX_THREADS / RADIX_LANES,
    RADIX_BLOCKS = 4, // of a multiprocessor at once: 64 registers a thread
    RADIX_EACH = 16,  // pairs of a thread
    RADIX_TILE = RADIX_THREADS * RADIX_EACH,
    RADIX_COUNTED = 4 * RADIX_TILE // keys of a block of `histograms`
};

static const uint32_t RADIX_STATE_ALL = RADIX_TILE + 2; // more than 1 + a tile
static const uint64_t RADIX_MOST = 0xffffc000u; // pairs: their number, a tile and RADIX_STATE_ALL fit in 32 bits

static_assert(RADIX_THREADS == RADIX_DIGITS, "each digit has its thread");

namespace
{

// In device memory: the digits of each pass; of a pass, the ticket, then a word for each digit of each tile.
struct radix_room {
    uint32_t *histograms, *state;
    uint64_t state_words;
};

// The pairs go to and fro; key[0] and value[0] hold them first.
struct radix_pairs {
    uint32_t *key[2], *value[2];
};

} // namespace

static __host__ __device__ __forceinline__ uint64_t radix_tiles(uint64_t n)
{
    return n / RADIX_TILE + (n % RADIX_TILE != 0);
}

static uint64_t radix_state_words(uint64_t n)
{
    return 1 + radix_tiles(n) * RADIX_DIGITS;
}

// For sorts of up to n pairs; the room begins at `words`, aligned as words are.
static uint64_t radix_room_words(uint64_t n)
{
    return RADIX_PASSES * RADIX_DIGITS + radix_state_words(n);
}

static radix_room radix_room_at(uint32_t *words, uint64_t n)
{
    return {words, words + RADIX_PASSES * RADIX_DIGITS, radix_state_words(n)};
}

// How many passes sort keys up to `largest`.
static unsigned radix_passes(uint32_t largest)
{
    unsigned passes = 0;

    for (; largest != 0; largest >>= RADIX_BITS)
        passes++;
    return passes;
}

static __device__ __forceinline__ unsigned radix_digit(uint32_t key, unsigned pass)
{
    return key >> pass * RADIX_BITS & (RADIX_DIGITS - 1);
}

// Which lanes of the warp have the caller's digit. All call.
static __device__ __forceinline__ unsigned radix_equal(unsigned digit)
{
    return __match_any_sync(0xffffffffu, digit);
}

// How many of the warp's items before this one have its digit: those that `met`, the warp's counters, have seen, and
// those on lower lanes; they are counted as seen. All lanes call; a __syncwarp must stand before `met` is used again.
static __device__ __forceinline__ uint32_t radix_number(unsigned digit, uint32_t met[RADIX_DIGITS])
{
    unsigned lane = threadIdx.x % RADIX_LANES;
    unsigned equal = radix_equal(digit);
    int first = __ffs((int)equal) - 1;
    uint32_t before = 0;

    if ((int)lane == first) {
        before = met[digit];
        met[digit] = before + (unsigned)__popc(equal);
    }
    return __shfl_sync(0xffffffffu, before, first) + (unsigned)__popc(equal & ((1u << lane) - 1));
}

// The sum of the values of the threads before this one. `sums` may be used again after the caller's next barrier.
static __device__ __forceinline__ uint32_t radix_sum_before(uint32_t value, uint32_t sums[RADIX_WARPS])
{
    unsigned lane = threadIdx.x % RADIX_LANES, warp = threadIdx.x / RADIX_LANES;
    uint32_t sum = value, before = 0;

    for (unsigned distance = 1; distance < RADIX_LANES; distance *= 2) {
        uint32_t other = __shfl_up_sync(0xffffffffu, sum, distance);

        if (lane >= distance)
            sum += other;
    }
    if (lane == RADIX_LANES - 1)
        sums[warp] = sum;
    __syncthreads(); // every warp's sum is there
    for (unsigned w = 0; w < warp; w++)
        before += sums[w];
    return before + sum - value;
}

static __global__ void __launch_bounds__(RADIX_THREADS)
    radix_histograms(const uint32_t *key, uint32_t n, unsigned passes, uint32_t *histograms)
{
    __shared__ uint32_t digits[RADIX_PASSES][RADIX_DIGITS];
    uint64_t first = blockIdx.x * (uint64_t)RADIX_COUNTED;
    uint64_t end = first + RADIX_COUNTED < n ? first + RADIX_COUNTED : n;

    for (unsigned pass = 0; pass < passes; pass++)
        digits[pass][threadIdx.x] = 0;
    __syncthreads(); // all are 0 before any is raised
    for (uint64_t i = first + threadIdx.x; i < end; i += RADIX_THREADS) {
        uint32_t mine = key[i];

        for (unsigned pass = 0; pass < passes; pass++)
            atomicAdd(&digits[pass][radix_digit(mine, pass)], 1u);
    }
    __syncthreads(); // the counts are complete
    for (unsigned pass = 0; pass < passes; pass++)
        if (digits[pass][threadIdx.x] != 0)
            atomicAdd(&histograms[pass * RADIX_DIGITS + threadIdx.x], digits[pass][threadIdx.x]);
}

// How many of the thread's digit stand in all tiles before this one, which has `count`.
static __device__ __forceinline__ uint32_t radix_look_back(uint32_t *state, uint32_t tile, uint32_t count)
{
    volatile uint32_t *mine = &state[tile * (uint64_t)RADIX_DIGITS + threadIdx.x];
    volatile uint32_t *other = mine;
    uint32_t before = 0;

    if (tile > 0) {
        *mine = 1 + count;
        uint32_t seen;
        do {
            other -= RADIX_DIGITS;
            do
                seen = *other;
            while (seen == 0);
            before += seen - (seen < RADIX_STATE_ALL ? 1 : RADIX_STATE_ALL);
        } while (seen < RADIX_STATE_ALL);
    }
    *mine = RADIX_STATE_ALL + before + count;
    return before;
}

// `histogram`: of the digits of this pass. No `value`: it is the index. No `key_out`: only the values are asked for.
static __global__ void __launch_bounds__(RADIX_THREADS, RADIX_BLOCKS)
    radix_scatter(const uint32_t *key, const uint32_t *value, uint32_t n, unsigned pass, const uint32_t *histogram,
                  uint32_t *state, uint32_t *key_out, uint32_t *value_out)
{
    __shared__ uint32_t met[RADIX_WARPS][RADIX_DIGITS]; // how many of a digit the warp has; then where its first goes
    __shared__ uint32_t to[RADIX_DIGITS];               // where a digit's first would go if it were the tile's first
    __shared__ uint32_t tile_key[RADIX_TILE], tile_value[RADIX_TILE];
    __shared__ uint32_t sums[RADIX_WARPS], more_sums[RADIX_WARPS], drawn;
    unsigned lane = threadIdx.x % RADIX_LANES, warp = threadIdx.x / RADIX_LANES, digit = threadIdx.x;
    uint32_t held[RADIX_EACH], place[RADIX_EACH];

    if (threadIdx.x == 0)
        drawn = atomicAdd(state, 1u);
    for (unsigned w = 0; w < RADIX_WARPS; w++)
        met[w][digit] = 0;
    __syncthreads();                                  // the tile is drawn, all counters are 0
    uint32_t tile = drawn, first = tile * RADIX_TILE; // below 2^32
    uint32_t have = n - first < RADIX_TILE ? n - first : (uint32_t)RADIX_TILE;
    uint32_t mine = warp * RADIX_EACH * RADIX_LANES + lane;

#pragma unroll
    for (int i = 0; i < RADIX_EACH; i++) {
        uint32_t at = mine + (unsigned)i * RADIX_LANES;

        held[i] = at < have ? key[first + at] : 0xffffffffu; // those past the end come last in the tile, the last one
    }
#pragma unroll
    for (int i = 0; i < RADIX_EACH; i++) {
        place[i] = radix_number(radix_digit(held[i], pass), met[warp]);
        __syncwarp(); // the counters are there for the next 32
    }
    uint32_t start = radix_sum_before(histogram[digit], sums); // of the digit; behind its barrier all have counted
    uint32_t count = 0;
    for (unsigned w = 0; w < RADIX_WARPS; w++)
        count += met[w][digit];
    uint32_t in_tile = radix_sum_before(count, more_sums), next = in_tile;
    for (unsigned w = 0; w < RADIX_WARPS; w++) {
        uint32_t here = met[w][digit];

        met[w][digit] = next;
        next += here;
    }
    to[digit] = start + radix_look_back(state + 1, tile, count) - in_tile;
    __syncthreads(); // every digit's places are there
#pragma unroll
    for (int i = 0; i < RADIX_EACH; i++) {
        uint32_t at = mine + (unsigned)i * RADIX_LANES;

        place[i] += met[warp][radix_digit(held[i], pass)];
        tile_key[place[i]] = held[i];
        tile_value[place[i]] = at >= have ? 0 : value ? value[first + at] : first + at;
    }
    __syncthreads(); // the tile is in order
#pragma unroll
    for (int i = 0; i < RADIX_EACH; i++) {
        uint32_t at = (unsigned)i * RADIX_THREADS + threadIdx.x;

        if (at < have) {
            uint32_t moved = tile_key[at], out = to[radix_digit(moved, pass)] + at;

            if (key_out)
                key_out[out] = moved;
            value_out[out] = tile_value[at];
        }
    }
}

// Sorts n pairs, 0 < n <= RADIX_MOST, by `passes` digits of the key. They end in key[passes % 2] and value[passes % 2],
// but for the keys if they are not `keys_asked`; value[0] is not read if `by_index`: the index stands for it.
static bool radix_sort(const radix_pairs &pairs, uint32_t n, unsigned passes, bool by_index, bool keys_asked,
                       const radix_room &room)
{
    uint64_t state_words = radix_state_words(n);
    bool together = passes * state_words <= room.state_words; // the states of all passes are zeroed at once
    uint64_t zeroed = RADIX_PASSES * RADIX_DIGITS + (together ? passes : 1) * state_words;
    unsigned tiles = (unsigned)radix_tiles(n);

    if (cudaMemsetAsync(room.histograms, 0, zeroed * sizeof(uint32_t), 0) != cudaSuccess)
        return false;
    radix_histograms<<<n / RADIX_COUNTED + 1, RADIX_THREADS>>>(pairs.key[0], n, passes, room.histograms);
    for (unsigned pass = 0; pass < passes; pass++) {
        unsigned from = pass % 2, to = 1 - from;

        if (!together && pass > 0 && cudaMemsetAsync(room.state, 0, state_words * sizeof(uint32_t), 0) != cudaSuccess)
            return false;
        radix_scatter<<<tiles, RADIX_THREADS>>>(
            pairs.key[from], pass == 0 && by_index ? nullptr : pairs.value[from], n, pass,
            room.histograms + pass * RADIX_DIGITS, room.state + (together ? pass * state_words : 0),
            pass + 1 < passes || keys_asked ? pairs.key[to] : nullptr, pairs.value[to]);
    }
    return cudaPeekAtLastError() == cudaSuccess;
}

#endif
