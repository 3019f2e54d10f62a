// SPDX-License-Identifier: BSD-2-Clause
//
// radix_sort, radix_sort_descending: numbers in ascending or descending order, with or without values. Stable. Floats are in
// the order of IEEE 754's totalOrder, or its reverse.
//
// Keys become unsigned words of the same order (prim/keys.cuh), complemented where it is descending. 8 bits in each pass, least significant digit first:
//
//   histograms    one kernel counts the digits of all passes, since they do not depend on the order
//   a pass        a block draws a tile. Each warp takes adjacent keys and counts their digits. Then thread d publishes how
//                 many keys of the tile have digit d; the keys are ranked, 32 at a time (prim/radix.cuh), and staged in
//                 shared memory in the order of their digits; thread d looks back for how many keys of earlier tiles have
//                 its digit (prim/lookback.cuh); and adjacent threads write adjacent keys, then values
//
// Counts are known before ranks are, so that tiles wait for the counts of others while they rank, not one after another.
//
// Why it is right: a pass is stable, so after the last one keys that are equal are in their first order. Tiles are drawn
// from a counter, so a tile waits only for tiles whose blocks run or have ended. Tile 0 adds where each digit begins to its
// counts, and so every prefix has it.
// Source: A. Adinets and D. Merrill, "Onesweep" (2022).
// Measured: docs/MEASUREMENTS.md.
// Cost: keys are read once to count; a pass reads and writes keys and values once. A pass for each byte of a key. Scratch
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
    RADIX_RESIDENT = 4, // blocks on a multiprocessor at once: it leaves 64 registers for each thread
    RADIX_AHEAD = 4,    // tiles whose counts a thread reads at once. On an H200 1 costs 8% more time, 8 as much.
    COUNT_THREADS = 1024,
    COUNTED_KEYS = 16 * COUNT_THREADS // by a block at a time: 16 loads of a thread are in flight at once
};

// 24 KiB of keys a tile: a digit has about 24 of them, which adjacent threads write. On an H200 384 threads with 12 to 32 keys
// of 4 bytes, and 512 with 16 or 21, took 0 to 19% more time. Not tuned for other lengths.
template <unsigned BYTES> struct radix_tune : tune<256, BYTES <= 4 ? 24 : BYTES <= 8 ? 12 : 96 / BYTES> {
};

// Counters for each digit, of different lanes, so that they do not wait for one another: 128 KiB. On an H200 32 take 0.6 of
// the time of 8.
template <typename Word> __host__ __device__ constexpr unsigned count_parts()
{
    return sizeof(Word) <= 4 ? 32 : 16;
}

// Bytes of shared memory for them.
template <typename Word> __host__ __device__ constexpr unsigned count_bytes()
{
    return sizeof(Word) * SORT_DIGITS * count_parts<Word>() * sizeof(unsigned);
}

// For keys with values.
template <typename Word, typename Value>
using radix_tuned = radix_tune<(sizeof(Value) > sizeof(Word) ? sizeof(Value) : sizeof(Word))>;

// An order of keys, or its reverse: then all bits of their words are flipped.
struct sort_order {
    key_order keys;
    uint64_t flip;

    __host__ __device__ constexpr sort_order(key_order keys, bool descending = false)
        : keys(keys), flip(descending ? ~(uint64_t)0 : 0)
    {
    }
};

// The word of a key, and its bits again. Words ascend in the order of the sort. Equal keys are equal words, so a sort is stable
// in both directions.
template <typename Word> __device__ __forceinline__ Word to_sorted(Word bits, sort_order order)
{
    return (Word)(to_ordered(bits, order.keys) ^ (Word)order.flip);
}

template <typename Word> __device__ __forceinline__ Word from_sorted(Word word, sort_order order)
{
    return from_ordered((Word)(word ^ (Word)order.flip), order.keys);
}

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

// Adds up the digits of keys from FIRST on, of keys `begin` .. end - 1 of which the block takes a stretch each `step` keys.
// `counters`: of digit d of pass p, count_parts words from (p * SORT_DIGITS + d) * count_parts on; a thread uses part `part`.
template <typename Word, unsigned FIRST = 0, typename Keys>
__device__ __forceinline__ void count_stretches(const Keys &keys, uint64_t begin, uint64_t end, uint64_t step,
                                                sort_order order, unsigned *counters)
{
    constexpr unsigned PARTS = count_parts<Word>(), AT_ONCE = COUNTED_KEYS / COUNT_THREADS;
    const unsigned part = threadIdx.x % PARTS;
    const auto take = [&](Word key) {
        key = to_sorted(key, order);
#pragma unroll
        for (unsigned pass = 0; pass < sizeof(Word) - FIRST; pass++) {
            const unsigned digit = digit_of<SORT_DIGIT_BITS>(key, (FIRST + pass) * SORT_DIGIT_BITS);

            atomicAdd(&counters[(pass * SORT_DIGITS + digit) * PARTS + part], 1u);
        }
    };

    for (uint64_t first = begin; first < end; first += step) {
        if (end - first >= COUNTED_KEYS) {
            Word key[AT_ONCE];

#pragma unroll
            for (unsigned i = 0; i < AT_ONCE; i++)
                key[i] = bits_of_key<Word>(keys[first + i * COUNT_THREADS + threadIdx.x]);
#pragma unroll
            for (unsigned i = 0; i < AT_ONCE; i++)
                take(key[i]);
        } else {
            const uint64_t stretch = first + COUNTED_KEYS < end ? first + COUNTED_KEYS : end;

            for (uint64_t at = first + threadIdx.x; at < stretch; at += COUNT_THREADS)
                take(bits_of_key<Word>(keys[at]));
        }
    }
}

// Adds the counters of PASSES passes to the histograms, and leaves 0 in them. A barrier must precede.
template <typename Word, unsigned PASSES>
__device__ __forceinline__ void add_counters(unsigned *counters, unsigned long long *histograms)
{
    constexpr unsigned PARTS = count_parts<Word>();

    for (unsigned i = threadIdx.x; i < PASSES * SORT_DIGITS; i += COUNT_THREADS) {
        unsigned long long sum = 0;

        for (unsigned j = 0; j < PARTS; j++) { // threads begin at different parts, in different banks
            sum += counters[i * PARTS + (i + j) % PARTS];
            counters[i * PARTS + (i + j) % PARTS] = 0;
        }
        if (sum != 0)
            atomicAdd(&histograms[i], sum);
    }
}

// Blocks take stretches of keys a grid apart; a block counts less than 2^32 of them.
template <typename Word>
__global__ void __launch_bounds__(COUNT_THREADS)
    count_digits_kernel(const Word *keys, uint64_t n, sort_order order, unsigned long long *histograms)
{
    extern __shared__ unsigned digit_counters[];

    for (unsigned i = threadIdx.x; i < count_bytes<Word>() / sizeof *digit_counters; i += COUNT_THREADS)
        digit_counters[i] = 0;
    __syncthreads(); // all counts are 0 before any is raised
    count_stretches<Word>(keys, (uint64_t)blockIdx.x * COUNTED_KEYS, n, (uint64_t)gridDim.x * COUNTED_KEYS, order,
                          digit_counters);
    __syncthreads(); // the counts are complete
    add_counters<Word, sizeof(Word)>(digit_counters, histograms);
}

// In shared memory.
template <typename Tune, typename State, typename Word, typename Value> struct radix_pass_storage {
    static constexpr bool PAIRS = !std::is_same<Value, no_values>::value;
    static constexpr unsigned STAGED = PAIRS && sizeof(Value) > sizeof(Word) ? sizeof(Value) : sizeof(Word);
    unsigned counters[Tune::WARPS][SORT_DIGITS], equal[Tune::WARPS][SORT_DIGITS];
    State offset[SORT_DIGITS]; // of a digit: from the index in the tile to the index in the result
    __align__(16) unsigned char staged[Tune::SIZE * STAGED];
    State histogram_sums[Tune::WARPS];
    unsigned count_sums[Tune::WARPS];
    unsigned drawn;

    // draw_tile, whose barrier also makes the counters 0.
    __device__ __forceinline__ unsigned draw(unsigned *ticket)
    {
        for (unsigned i = lane_index(); i < SORT_DIGITS; i += WARP_LANES)
            counters[warp_index()][i] = equal[warp_index()][i] = 0;
        return draw_tile(ticket, drawn);
    }
};

// A digit in a pass. `first_pass`: keys are not yet ordered words; `last_pass`: they become what they were.
struct radix_pass {
    unsigned shift;
    sort_order order;
    bool first_pass, last_pass;
};

// A tile of `have` keys from `first` on, after storage.draw: tile `tile` of those whose digits `histogram` counts. `states`: a
// word for each digit of each of these tiles.
template <typename Tune, typename State, typename Word, typename Value, typename Keys, typename Values>
__device__ __forceinline__ void
sort_tile_by_digit(const Keys &keys, const Values &values, uint64_t first, unsigned have, unsigned tile,
                   const radix_pass &pass, const unsigned long long *histogram, State *states,
                   radix_pass_storage<Tune, State, Word, Value> &storage, Word *sorted, Value *sorted_values)
{
    static_assert(Tune::THREADS >= SORT_DIGITS, "a thread for each digit");
    typedef digit_count<State> policy;
    constexpr bool PAIRS = !std::is_same<Value, no_values>::value;
    Word *staged = (Word *)storage.staged;
    const unsigned digit = threadIdx.x, shift = pass.shift;
    unsigned(&mine_counted)[SORT_DIGITS] = storage.counters[warp_index()];
    unsigned(&lanes)[SORT_DIGITS] = storage.equal[warp_index()];
    Word held[Tune::EACH];
    unsigned index[PAIRS ? Tune::EACH : 1];
    const unsigned mine = warp_index() * Tune::EACH * WARP_LANES + lane_index();
    State *const column = states + digit;

    if (have == Tune::SIZE) { // without a test for each key, so that all loads are in flight at once
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            held[i] = bits_of_key<Word>(keys[first + mine + i * WARP_LANES]);
    } else {
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            held[i] = mine + i * WARP_LANES < have ? bits_of_key<Word>(keys[first + mine + i * WARP_LANES]) : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        if (pass.first_pass)
            held[i] = to_sorted(held[i], pass.order);
        if (mine + i * WARP_LANES >= have)
            held[i] = ~(Word)0; // those past the end come last in the last tile: nothing is behind them
        atomicAdd(&mine_counted[digit_of<SORT_DIGIT_BITS>(held[i], shift)], 1u);
    }
    __syncthreads(); // every warp has counted
    unsigned count = 0, of_warp[Tune::WARPS];
    State start = 0;

    if (digit < SORT_DIGITS) {
#pragma unroll
        for (unsigned w = 0; w < Tune::WARPS; w++) {
            of_warp[w] = storage.counters[w][digit];
            count += of_warp[w];
        }
        if (tile > 0)
            publish_word(column, (uint64_t)tile * SORT_DIGITS, policy::of_aggregate(count));
    }
    if (tile == 0)
        start = block_exclusive_sum(digit < SORT_DIGITS ? (State)histogram[digit] : (State)0, storage.histogram_sums);
    const unsigned in_tile = block_exclusive_sum(count, storage.count_sums);

    if (digit < SORT_DIGITS) {
        unsigned from = in_tile;

#pragma unroll
        for (unsigned w = 0; w < Tune::WARPS; w++) {
            storage.counters[w][digit] = from;
            from += of_warp[w];
        }
    }
    __syncthreads(); // each warp knows where its first key with each digit goes
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const unsigned to = rank_digit(digit_of<SORT_DIGIT_BITS>(held[i], shift), mine_counted, lanes);

        staged[to] = held[i];
        if (PAIRS)
            index[i] = to;
        __syncwarp(); // the counters are up to date for the next 32 keys
    }
    if (digit < SORT_DIGITS) {
        start += look_back_in_column<policy, RADIX_AHEAD>(column, SORT_DIGITS, tile);
        publish_word(column, (uint64_t)tile * SORT_DIGITS, policy::of_prefix(start + count));
        storage.offset[digit] = start - in_tile;
    }
    __syncthreads(); // the tile is in order, and the offsets of every digit are known
    State to[PAIRS ? Tune::EACH : 1];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const unsigned from = i * Tune::THREADS + threadIdx.x;

        if (from < have) {
            const Word key = staged[from];
            const State at = storage.offset[digit_of<SORT_DIGIT_BITS>(key, shift)] + from;

            sorted[at] = pass.last_pass ? from_sorted(key, pass.order) : key;
            if (PAIRS)
                to[i] = at;
        }
    }
    if constexpr (PAIRS) {
        Value *staged_values = (Value *)storage.staged;

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

// One pass. `states`: the ticket, and behind it a word for each digit of each tile.
template <typename Tune, typename State, typename Word, typename Values, typename Value>
__global__ void __launch_bounds__(Tune::THREADS, RADIX_RESIDENT)
    radix_pass_kernel(const Word *keys, Values values, uint64_t n, radix_pass pass, const unsigned long long *histogram,
                      State *states, Word *sorted, Value *sorted_values)
{
    __shared__ radix_pass_storage<Tune, State, Word, Value> storage;
    const unsigned tile = storage.draw((unsigned *)states);
    const uint64_t first = (uint64_t)tile * Tune::SIZE;
    const unsigned have = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;

    sort_tile_by_digit(keys, values, first, have, tile, pass, histogram, states + SORT_DIGITS, storage, sorted,
                       sorted_values);
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
    const uint64_t tiles = divide_up(count, radix_tuned<Word, Value>::SIZE), word = count < 1u << 30 ? 4 : 8;
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
cudaError_t radix_passes(const Word *keys, Values values, uint64_t n, sort_order order,
                         const radix_scratch<Word, Value> &s, Word *sorted, Value *sorted_values, cudaStream_t stream)
{
    typedef radix_tuned<Word, Value> tuned;
    unsigned blocks;
    cudaError_t error = count_blocks<tuned::SIZE>(n, &blocks);

    for (unsigned pass = 0; pass < sizeof(Word) && error == cudaSuccess; pass++) {
        const bool to_spare = pass % 2 == 0; // an even number of passes ends in `sorted`
        const radix_pass by = {pass * SORT_DIGIT_BITS, order, pass == 0, pass + 1 == sizeof(Word)};
        State *states = (State *)((char *)s.states + pass * s.pass_bytes);
        const unsigned long long *histogram = s.histograms + pass * SORT_DIGITS;
        Word *to = to_spare ? s.keys : sorted;
        Value *values_to = to_spare ? s.values : sorted_values;

        if (by.first_pass)
            radix_pass_kernel<tuned, State>
                <<<blocks, tuned::THREADS, 0, stream>>>(keys, values, n, by, histogram, states, to, values_to);
        else
            radix_pass_kernel<tuned, State><<<blocks, tuned::THREADS, 0, stream>>>(
                (const Word *)(to_spare ? sorted : s.keys), (const Value *)(to_spare ? sorted_values : s.values), n, by,
                histogram, states, to, values_to);
        error = cudaPeekAtLastError();
    }
    if (sizeof(Word) == 1 && error == cudaSuccess)
        error = cudaMemcpyAsync(sorted, s.keys, n, cudaMemcpyDeviceToDevice, stream);
    if constexpr (sizeof(Word) == 1 && !std::is_same<Value, no_values>::value)
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(sorted_values, s.values, n * sizeof(Value), cudaMemcpyDeviceToDevice, stream);
    return error;
}

template <typename Key, typename Values, typename Value>
cudaError_t radix_sort_by(const Key *keys, Values values, uint64_t count, bool descending, Key *sorted,
                          Value *sorted_values, const context &on)
{
    typedef typename key_type<Key>::word word;
    const sort_order order(key_type<Key>::order, descending);
    const uint64_t stretches = divide_up(count, COUNTED_KEYS);
    int device = 0, blocks = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute((const void *)count_digits_kernel<word>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)count_bytes<word>());
    if (error != cudaSuccess || count == 0)
        return error;
    scratch space(on, radix_sort_bytes<Key, Value>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    const auto s = lay_out_radix<word, Value>(count, space.memory());

    error = cudaMemsetAsync(s.histograms, 0, s.cleared, on.stream);
    if (error != cudaSuccess)
        return error;
    if (stretches < (unsigned)blocks)
        blocks = (int)stretches;
    count_digits_kernel<<<(unsigned)blocks, COUNT_THREADS, count_bytes<word>(), on.stream>>>((const word *)keys, count,
                                                                                             order, s.histograms);
    if (count < 1u << 30)
        return radix_passes<uint32_t>((const word *)keys, values, count, order, s, (word *)sorted, sorted_values,
                                      on.stream);
    return radix_passes<unsigned long long>((const word *)keys, values, count, order, s, (word *)sorted, sorted_values,
                                            on.stream);
}

// `sorted` becomes the keys in ascending order, and sorted_values the values that go with them. The arrays may be the same.
// Key: an integer of 8 to 64 bits, float or double.
template <typename Key, typename Values, typename Value>
cudaError_t radix_sort(const Key *keys, Values values, uint64_t count, Key *sorted, Value *sorted_values,
                       const context &on)
{
    return radix_sort_by(keys, values, count, false, sorted, sorted_values, on);
}

// Keys alone.
template <typename Key> cudaError_t radix_sort(const Key *keys, uint64_t count, Key *sorted, const context &on)
{
    return radix_sort(keys, no_values(), count, sorted, (no_values *)nullptr, on);
}

// The same in descending order. Values of equal keys stay in their first order.
template <typename Key, typename Values, typename Value>
cudaError_t radix_sort_descending(const Key *keys, Values values, uint64_t count, Key *sorted, Value *sorted_values,
                                  const context &on)
{
    return radix_sort_by(keys, values, count, true, sorted, sorted_values, on);
}

template <typename Key>
cudaError_t radix_sort_descending(const Key *keys, uint64_t count, Key *sorted, const context &on)
{
    return radix_sort_descending(keys, no_values(), count, sorted, (no_values *)nullptr, on);
}

} // namespace sb

#endif
