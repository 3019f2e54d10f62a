// SPDX-License-Identifier: BSD-2-Clause
//
// top_k, bottom_k: the k largest or smallest keys and the values that go with them, sorted, the largest or the smallest first.
// Equal keys are in the order of their indices, and of those equal to the k-th the first ones are taken. Floats are in the order of
// IEEE 754's totalOrder.
//
// Keys become words that ascend in the order of the result. Digits of 11 bits, the most significant first, are counted among the
// words that begin with the digits found so far, until the k-th word is known. One compaction takes the words below it, another
// as many of those equal to it as are still wanted, and a stable radix sort puts them in order.
// Source: selection by radix; T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for graphics
// processing units" (2012).
// Cost: keys are read 5 times if they have 4 bytes, 8 times if they have 8; a sort of k pairs. gpu/select has faster ones, which do
// not take any type.
#ifndef SAMEBITS_PATTERN_TOP_K_CUH
#define SAMEBITS_PATTERN_TOP_K_CUH

#include <samebits/pattern/histogram.cuh>
#include <samebits/pattern/radix_sort.cuh>
#include <samebits/pattern/transform_compact.cuh>

namespace sb
{

enum : unsigned {
    TOP_DIGIT_BITS = 11, // three passes for 32 bits, and 4 counters for each digit in shared memory
    TOP_DIGITS = 1 << TOP_DIGIT_BITS,
    TOP_THREADS = TOP_DIGITS / 2
};

// The upper digits of the k-th word, and how many of the words that begin with them are wanted.
template <typename Word> struct top_state {
    Word kth;
    uint64_t wanted;
};

template <typename Word, typename Keys> struct top_digit {
    Keys keys;
    sort_order order;
    unsigned shift, bits;
    bool first;

    __device__ __forceinline__ unsigned operator()(uint64_t i, const top_state<Word> *state) const
    {
        const Word word = to_sorted(bits_of_key<Word>(keys[i]), order);

        if (!first && (word ^ state->kth) >> (shift + bits) != 0)
            return NO_BIN;
        return (unsigned)(word >> shift) & ((1u << bits) - 1);
    }
};

// By the threads of one block: the digit in which the wanted-th word is. k: at first; 0 later.
template <typename Word> struct choose_top_digit {
    unsigned shift;
    uint64_t k;

    __device__ void operator()(unsigned thread, uint64_t, const unsigned long long *counts,
                               top_state<Word> *state) const
    {
        __shared__ unsigned long long sums[TOP_THREADS / WARP_LANES];
        const Word so_far = k != 0 ? 0 : state->kth;
        const uint64_t wanted = k != 0 ? k : state->wanted;
        const unsigned long long lower = counts[2 * thread], upper = counts[2 * thread + 1];
        // its barrier: all threads have read the state
        unsigned long long before = block_exclusive_sum(lower + upper, sums);

        for (unsigned i = 0; i < 2; i++) {
            const unsigned long long here = i == 0 ? lower : upper;

            if (before < wanted && wanted <= before + here) {
                state->kth = so_far | (Word)((Word)(2 * thread + i) << shift);
                state->wanted = wanted - before;
            }
            before += here;
        }
    }
};

template <typename Word> struct before_kth {
    sort_order order;
    bool equal;

    template <typename Item>
    __device__ __forceinline__ bool operator()(const Item &item, uint64_t, const top_state<Word> *state) const
    {
        const Word word = to_sorted(bits_of_key<Word>(item.first), order);

        return equal ? word == state->kth : word < state->kth;
    }
};

// An array of k elements of which the last ones are written, as many as are wanted.
template <typename Word, typename Output> struct wanted_output {
    Output to;
    uint64_t k;
    const top_state<Word> *state;
};

template <typename Word, typename Output> struct output_type<wanted_output<Word, Output>> : output_type<Output> {
};

template <typename Word, typename Output, typename T>
__device__ __forceinline__ void write_element(const wanted_output<Word, Output> &to, uint64_t at, T value)
{
    if (at < to.state->wanted)
        write_element(to.to, to.k - to.state->wanted + at, value);
}

template <typename Key, typename Value> struct top_scratch {
    top_state<typename key_type<Key>::word> *state;
    unsigned long long *counts;
    uint64_t *number;
    Key *keys;
    uint32_t *index;
    void *part; // of a compaction, and then of the sort
    uint64_t bytes;
};

template <typename Key, typename Value> top_scratch<Key, Value> lay_out_top(uint64_t count, uint64_t k, void *memory)
{
    top_scratch<Key, Value> s;
    workspace space(memory);
    const uint64_t compaction = compact_bytes<both<Key, uint32_t>>(count), sort = radix_sort_bytes<Key, Value>(k);

    s.state = space.take<top_state<typename key_type<Key>::word>>(1);
    s.counts = space.take<unsigned long long>(TOP_DIGITS);
    s.number = space.take<uint64_t>(1);
    s.keys = space.take<Key>(k, 16);
    s.index = space.take<uint32_t>(k, 16);
    s.part = space.take<char>(compaction > sort ? compaction : sort, 16);
    s.bytes = space.bytes();
    return s;
}

// Bytes of scratch memory that top_k and bottom_k need for k of `count` keys.
template <typename Key, typename Value = no_values> uint64_t top_k_bytes(uint64_t count, uint64_t k)
{
    return lay_out_top<Key, Value>(count, k < count ? k : count, nullptr).bytes;
}

template <typename Key, typename Values, typename Value>
cudaError_t top_k_by(const Key *keys, Values values, uint64_t count, uint64_t k, bool largest, Key *kept,
                     Value *kept_values, const context &on)
{
    typedef typename key_type<Key>::word word;
    constexpr unsigned BITS = 8 * sizeof(word);
    const sort_order order(key_type<Key>::order, largest);
    const auto indexed = zip(keys, counting((uint32_t)0));

    if (count > UINT32_MAX)
        return cudaErrorInvalidValue;
    k = k < count ? k : count;
    if (k == 0)
        return cudaSuccess;
    scratch space(on, top_k_bytes<Key, Value>(count, k));
    if (space.error() != cudaSuccess)
        return space.error();
    const auto s = lay_out_top<Key, Value>(count, k, space.memory());
    const context in_part(on.stream, given_memory(s.part));
    const top_state<word> *const state = s.state;
    const auto to = zip(s.keys, s.index);
    cudaError_t error = cudaSuccess;

    for (unsigned above = BITS; above != 0 && error == cudaSuccess;) {
        const unsigned bits = above < TOP_DIGIT_BITS ? above : (unsigned)TOP_DIGIT_BITS, shift = above - bits;
        const bool first = above == BITS;

        error = histogram(top_digit<word, const Key *>{keys, order, shift, bits, first}, count, s.counts, TOP_DIGITS,
                          on, state);
        if (error == cudaSuccess)
            error = cta_launch<TOP_THREADS>(choose_top_digit<word>{shift, first ? k : 0}, 1, on,
                                            (const unsigned long long *)s.counts, s.state);
        above = shift;
    }
    if (error == cudaSuccess)
        error = compact(indexed, count, before_kth<word>{order, false}, to, s.number, in_part, state);
    if (error == cudaSuccess)
        error = compact(indexed, count, before_kth<word>{order, true},
                        wanted_output<word, std::remove_const_t<decltype(to)>>{to, k, state}, s.number, in_part, state);
    if (error != cudaSuccess)
        return error;
    if constexpr (std::is_same<Value, no_values>::value)
        return radix_sort_by((const Key *)s.keys, no_values(), k, largest, kept, kept_values, in_part);
    else
        return radix_sort_by((const Key *)s.keys, permuted(values, (const uint32_t *)s.index), k, largest, kept,
                             kept_values, in_part);
}

// `kept` becomes the k largest keys, or all if there are fewer, and kept_values the values that go with them. They are no other
// arrays of the call. Key: an integer of 8 to 64 bits, float or double. At most 2^32 - 1 keys: else cudaErrorInvalidValue. With
// counting((uint32_t)0) for `values` these are indices.
template <typename Key, typename Values, typename Value>
cudaError_t top_k(const Key *keys, Values values, uint64_t count, uint64_t k, Key *kept, Value *kept_values,
                  const context &on)
{
    return top_k_by(keys, values, count, k, true, kept, kept_values, on);
}

// Keys alone.
template <typename Key> cudaError_t top_k(const Key *keys, uint64_t count, uint64_t k, Key *kept, const context &on)
{
    return top_k(keys, no_values(), count, k, kept, (no_values *)nullptr, on);
}

// The same of the smallest keys.
template <typename Key, typename Values, typename Value>
cudaError_t bottom_k(const Key *keys, Values values, uint64_t count, uint64_t k, Key *kept, Value *kept_values,
                     const context &on)
{
    return top_k_by(keys, values, count, k, false, kept, kept_values, on);
}

template <typename Key> cudaError_t bottom_k(const Key *keys, uint64_t count, uint64_t k, Key *kept, const context &on)
{
    return bottom_k(keys, no_values(), count, k, kept, (no_values *)nullptr, on);
}

} // namespace sb

#endif
