// SPDX-License-Identifier: BSD-2-Clause
//
// radix_sort: numbers in ascending order, with or without values. Stable. Floats are in the order of IEEE 754's totalOrder.
//
// Keys become unsigned words of the same order (prim/keys.cuh). 8 bits in each pass, least significant digit first:
//
//   histograms    one kernel counts the digits of all passes, since they do not depend on the order
//   a pass        a block draws a tile. Each warp takes adjacent keys and ranks them, 32 at a time (prim/radix.cuh). Then
//                 thread d publishes how many keys of the tile have digit d, and looks back for how many keys of earlier
//                 tiles have it (prim/lookback.cuh). Keys, then values, are staged in shared memory in the order of their
//                 digits, so that adjacent threads write adjacent keys
//
// Why it is right: a pass is stable, so after the last one keys that are equal are in their first order. Tiles are drawn
// from a counter, so a tile waits only for tiles whose blocks run or have ended.
// Source: A. Adinets and D. Merrill, "Onesweep" (2022).
// Cost: keys are read once to count; a pass reads and writes keys and values once. 4 passes for 32 bits, 8 for 64. Scratch
// memory for a copy of keys and values and, for each pass and tile, 256 words of 4 bytes (8 from 2^30 keys on).
#ifndef SAMEBITS_PATTERN_RADIX_SORT_CUH
#define SAMEBITS_PATTERN_RADIX_SORT_CUH

#include <samebits/pattern/merge.cuh>
#include <samebits/prim/keys.cuh>
#include <samebits/prim/lookback.cuh>
#include <samebits/prim/radix.cuh>

namespace sb
{

enum : unsigned {
    SORT_DIGIT_BITS = 8,
    SORT_DIGITS = 1 << SORT_DIGIT_BITS,
    RADIX_RESIDENT = 3 // blocks on a multiprocessor at once: it leaves 56 registers for each thread
};

// 18 KiB of 4-byte keys a tile: a digit has about 18 of them, which adjacent threads write. With more, registers spill at
// RADIX_RESIDENT blocks. Not tuned.
template <unsigned BYTES> struct radix_tune : tune<384, BYTES <= 4 ? 12 : 7> {
};

// A count of keys in a word for look-back, with two bits of status.
template <typename Word> struct digit_count {
    typedef Word word;
    typedef Word value;
    static constexpr Word PREFIX = (Word)2 << (8 * sizeof(Word) - 2), AGGREGATE = (Word)1 << (8 * sizeof(Word) - 2);

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
        return AGGREGATE | count;
    }
    static __device__ __forceinline__ word of_prefix(value count)
    {
        return PREFIX | count;
    }
    static __device__ __forceinline__ bool is_prefix(word state)
    {
        return (state & PREFIX) != 0;
    }
    static __device__ __forceinline__ value value_of(word state)
    {
        return state & (AGGREGATE - 1);
    }
};

// Keys that a block counts: an addition to device memory for each digit of each pass and 32 KiB of keys. Not tuned.
template <typename Word> __host__ __device__ constexpr unsigned counted_keys()
{
    return 32768 / sizeof(Word);
}

template <typename Word>
__global__ void __launch_bounds__(SORT_DIGITS)
    count_digits_kernel(const Word *keys, uint64_t n, key_order order, unsigned long long *histograms)
{
    __shared__ unsigned digits[sizeof(Word)][SORT_DIGITS];
    const uint64_t first = (uint64_t)blockIdx.x * counted_keys<Word>();
    const uint64_t end = n - first < counted_keys<Word>() ? n : first + counted_keys<Word>();

#pragma unroll
    for (unsigned pass = 0; pass < sizeof(Word); pass++)
        digits[pass][threadIdx.x] = 0;
    __syncthreads(); // all counts are 0 before any is raised
#pragma unroll 4
    for (uint64_t i = first + threadIdx.x; i < end; i += SORT_DIGITS) {
        const Word key = to_ordered(keys[i], order);

#pragma unroll
        for (unsigned pass = 0; pass < sizeof(Word); pass++)
            atomicAdd(&digits[pass][digit_of<SORT_DIGIT_BITS>(key, pass * SORT_DIGIT_BITS)], 1u);
    }
    __syncthreads(); // the counts are complete
#pragma unroll
    for (unsigned pass = 0; pass < sizeof(Word); pass++)
        if (digits[pass][threadIdx.x] != 0)
            atomicAdd(&histograms[pass * SORT_DIGITS + threadIdx.x], (unsigned long long)digits[pass][threadIdx.x]);
}

// One pass, by the digit from bit `shift` on. `first_pass`: keys are not yet ordered words; `last_pass`: they become what
// they were. `states`: the ticket, and behind it a word for each digit of each tile.
template <typename Tune, typename State, typename Word, typename Values, typename Value>
__global__ void __launch_bounds__(Tune::THREADS, RADIX_RESIDENT)
    radix_pass_kernel(const Word *keys, Values values, uint64_t n, unsigned shift, key_order order, bool first_pass,
                      bool last_pass, const unsigned long long *histogram, State *states, Word *sorted,
                      Value *sorted_values)
{
    static_assert(Tune::THREADS >= SORT_DIGITS, "a thread for each digit");
    __shared__ unsigned counters[Tune::WARPS][SORT_DIGITS];
    __shared__ State offset[SORT_DIGITS]; // of a digit: from the index in the tile to the index in the result
    __shared__ Word staged[Tune::SIZE];
    __shared__ uint64_t histogram_sums[Tune::WARPS];
    __shared__ unsigned count_sums[Tune::WARPS];
    __shared__ unsigned drawn;
    const unsigned warp = warp_index(), digit = threadIdx.x;
    Word held[Tune::EACH];
    unsigned index[Tune::EACH];

    for (unsigned i = threadIdx.x; i < Tune::WARPS * SORT_DIGITS; i += Tune::THREADS)
        counters[i / SORT_DIGITS][i % SORT_DIGITS] = 0;
    const unsigned tile = draw_tile((unsigned *)states, drawn); // after its barrier all counters are 0
    const uint64_t first = (uint64_t)tile * Tune::SIZE;
    const unsigned have = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;
    const unsigned mine = warp * Tune::EACH * WARP_LANES + lane_index();

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const unsigned at = mine + i * WARP_LANES;

        held[i] = ~(Word)0; // those past the end come last in the last tile: nothing is behind them
        if (at < have)
            held[i] = first_pass ? to_ordered(keys[first + at], order) : keys[first + at];
    }
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        index[i] = rank_digit(digit_of<SORT_DIGIT_BITS>(held[i], shift), counters[warp]);
        __syncwarp(); // the counters are up to date for the next 32 keys
    }
    const uint64_t start =
        block_exclusive_sum(digit < SORT_DIGITS ? (uint64_t)histogram[digit] : 0, histogram_sums); // all have counted
    const unsigned count = digit < SORT_DIGITS ? count_digit(counters, digit) : 0;
    const unsigned in_tile = block_exclusive_sum(count, count_sums);

    if (digit < SORT_DIGITS) {
        start_digit(counters, digit, in_tile);
        offset[digit] =
            (State)start - in_tile +
            find_prefix_of_column<digit_count<State>>(states + SORT_DIGITS + digit, SORT_DIGITS, tile, (State)count);
    }
    __syncthreads(); // the offsets of every digit are known
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        index[i] += counters[warp][digit_of<SORT_DIGIT_BITS>(held[i], shift)];
        staged[index[i]] = held[i];
    }
    __syncthreads(); // the tile is in order
    State to[Tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const unsigned from = i * Tune::THREADS + threadIdx.x;

        if (from < have) {
            const Word key = staged[from];

            to[i] = offset[digit_of<SORT_DIGIT_BITS>(key, shift)] + from;
            sorted[to[i]] = last_pass ? from_ordered(key, order) : key;
        }
    }
    if constexpr (!std::is_same<Value, no_values>::value) {
        Value *staged_values = (Value *)staged;

        static_assert(sizeof(Value) <= sizeof(Word) && alignof(Value) <= alignof(Word),
                      "values take the place of keys");
        __syncthreads(); // the keys have left
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (mine + i * WARP_LANES < have)
                staged_values[index[i]] = values[first + mine + i * WARP_LANES];
        __syncthreads(); // the values are in order
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            const unsigned from = i * Tune::THREADS + threadIdx.x;

            if (from < have)
                sorted_values[to[i]] = staged_values[from];
        }
    }
}

template <typename Word, typename Value> struct radix_scratch {
    unsigned long long *histograms;
    void *states;
    Word *keys;
    Value *values;
    uint64_t pass_bytes, cleared, bytes; // `cleared` from the histograms on
};

template <typename Word, typename Value> radix_scratch<Word, Value> lay_out_radix(uint64_t count, void *memory)
{
    const uint64_t tiles = divide_up(count, radix_tune<sizeof(Word)>::SIZE), word = count < 1u << 30 ? 4 : 8;
    const bool pairs = !std::is_same<Value, no_values>::value;
    radix_scratch<Word, Value> s;
    workspace space(memory);

    s.pass_bytes = (tiles + 1) * SORT_DIGITS * word;
    s.histograms = space.take<unsigned long long>(sizeof(Word) * SORT_DIGITS);
    s.states = space.take<char>(sizeof(Word) * s.pass_bytes, 16);
    s.cleared = space.bytes();
    s.keys = space.take<Word>(count, 16);
    s.values = pairs ? space.take<Value>(count, 16) : nullptr;
    s.bytes = space.bytes();
    return s;
}

// Bytes of scratch memory that a sort of `count` keys of type Key, with values of type Value, needs.
template <typename Key, typename Value = no_values> uint64_t radix_sort_bytes(uint64_t count)
{
    return lay_out_radix<typename key_type<Key>::word, Value>(count, nullptr).bytes;
}

template <typename State, typename Word, typename Values, typename Value>
cudaError_t radix_passes(const Word *keys, Values values, uint64_t n, key_order order,
                         const radix_scratch<Word, Value> &s, Word *sorted, Value *sorted_values, cudaStream_t stream)
{
    typedef radix_tune<sizeof(Word)> tuned;
    unsigned blocks;
    cudaError_t error = count_blocks<tuned::SIZE>(n, &blocks);

    for (unsigned pass = 0; pass < sizeof(Word) && error == cudaSuccess; pass++) {
        const bool first = pass == 0, to_spare = pass % 2 == 0;
        State *states = (State *)((char *)s.states + pass * s.pass_bytes);
        const unsigned long long *histogram = s.histograms + pass * SORT_DIGITS;
        Word *to = to_spare ? s.keys : sorted;
        Value *values_to = to_spare ? s.values : sorted_values;

        if (first)
            radix_pass_kernel<tuned, State><<<blocks, tuned::THREADS, 0, stream>>>(
                keys, values, n, 0u, order, true, false, histogram, states, to, values_to);
        else
            radix_pass_kernel<tuned, State><<<blocks, tuned::THREADS, 0, stream>>>(
                (const Word *)(to_spare ? sorted : s.keys), (const Value *)(to_spare ? sorted_values : s.values), n,
                pass * SORT_DIGIT_BITS, order, false, pass + 1 == sizeof(Word), histogram, states, to, values_to);
        error = cudaPeekAtLastError();
    }
    return error;
}

// `sorted` becomes the keys in ascending order, and sorted_values the values that go with them; values are no larger than
// keys. The arrays may be the same. Key: an integer of 32 or 64 bits, float or double.
template <typename Key, typename Values, typename Value>
cudaError_t radix_sort(const Key *keys, Values values, uint64_t count, Key *sorted, Value *sorted_values,
                       const context &on)
{
    typedef typename key_type<Key>::word word;
    const key_order order = key_type<Key>::order;
    unsigned blocks;
    cudaError_t error = count_blocks<counted_keys<word>()>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    scratch space(on, radix_sort_bytes<Key, Value>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    const auto s = lay_out_radix<word, Value>(count, space.memory());

    error = cudaMemsetAsync(s.histograms, 0, s.cleared, on.stream);
    if (error != cudaSuccess)
        return error;
    count_digits_kernel<<<blocks, SORT_DIGITS, 0, on.stream>>>((const word *)keys, count, order, s.histograms);
    if (count < 1u << 30)
        return radix_passes<uint32_t>((const word *)keys, values, count, order, s, (word *)sorted, sorted_values,
                                      on.stream);
    return radix_passes<unsigned long long>((const word *)keys, values, count, order, s, (word *)sorted, sorted_values,
                                            on.stream);
}

// Keys alone.
template <typename Key> cudaError_t radix_sort(const Key *keys, uint64_t count, Key *sorted, const context &on)
{
    return radix_sort(keys, no_values(), count, sorted, (no_values *)nullptr, on);
}

} // namespace sb

#endif
