// SPDX-License-Identifier: BSD-2-Clause
//
// inner_join: all pairs of equal keys of two sorted sequences, ordered by the index in a, then by that in b.
//
// The keys of b that are equal to a[i] are those between its lower and its upper bound in b (sorted_search.cuh). A scan of
// their numbers makes each i a segment of pairs, and transform_lbs.cuh calls the caller's function for each pair.
// Source: S. Baxter, "Modern GPU" (2013), relational joins.
// Cost: both sequences are read once, and a wait for the number of pairs. Bounds in b, and the numbers of equal keys, are of
// type Index: 16 bytes of scratch memory for each key of a, whose reads and writes are 48 bytes, or 32 with an Index of 32
// bits.
#ifndef SAMEBITS_PATTERN_INNER_JOIN_CUH
#define SAMEBITS_PATTERN_INNER_JOIN_CUH

#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/sorted_search.cuh>
#include <samebits/pattern/transform_lbs.cuh>

namespace sb
{

template <typename Index> struct write_equal_range {
    __device__ __forceinline__ void operator()(uint64_t i, uint64_t lower, uint64_t upper, Index *first,
                                               Index *count) const
    {
        first[i] = (Index)lower;
        count[i] = (Index)(upper - lower);
    }
};

template <typename Write> struct write_pair {
    Write write;

    template <typename... Arguments>
    __device__ __forceinline__ void operator()(uint64_t pair, uint64_t i, uint64_t rank, uint64_t lower,
                                               Arguments... arguments) const
    {
        write(pair, i, lower + rank, arguments...);
    }
};

// Index: an unsigned type in which every place of b is a number; `count` returns cudaErrorInvalidValue if it is too small.
// The first step counts the pairs; the second calls the caller's function for each.
//
//     sb::inner_join<int> join(m, n, context);
//     uint64_t pairs;
//     join.count(a, b, sb::less(), &pairs);     waits
//     ... memory for the pairs ...
//     join.write([=] __device__(uint64_t pair, uint64_t i, uint64_t j) { left[pair] = i, right[pair] = j; });
template <typename Key, typename Index = uint64_t> class inner_join
{
  public:
    // Bytes of scratch memory for sequences of m and n keys. Half of it is there as long as the object is.
    static uint64_t bytes(uint64_t m, uint64_t n)
    {
        const uint64_t search = search_bytes<Key>(m + n), scan = scan_bytes<uint64_t>(m);

        return (m + 1) * sizeof(uint64_t) + round_up((SEPARATE ? 2 : 1) * m * sizeof(Index), 16) +
               round_up(search > scan ? search : scan, 16);
    }

    inner_join(uint64_t m, uint64_t n, const context &where)
        : a_count(m), b_count(n), pairs(0), on(where), space(where, bytes(m, n)), start((uint64_t *)space.memory()),
          total(start + m), lower((Index *)(total + 1)), equal(SEPARATE ? lower + m : (Index *)start),
          rest((char *)lower + round_up((SEPARATE ? 2 : 1) * m * sizeof(Index), 16))
    {
    }

    // *number, on the host, becomes the number of pairs. Both sequences are sorted by `less`. Waits for the stream.
    template <typename A, typename B, typename Less> cudaError_t count(A a, B b, Less less, uint64_t *number)
    {
        const context within(on.stream, given_memory(rest));
        cudaError_t error = space.error();

        pairs = *number = 0;
        if (error == cudaSuccess && b_count > (Index) ~(Index)0)
            error = cudaErrorInvalidValue;
        if (error != cudaSuccess || a_count == 0)
            return error;
        error = transform_search<Key, BOTH_BOUNDS>(a, a_count, b, b_count, less, write_equal_range<Index>(), within,
                                                   lower, equal);
        if (error == cudaSuccess)
            error = scan((const Index *)equal, a_count, add(), (uint64_t)0, EXCLUSIVE, start, total, within);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(&pairs, total, sizeof pairs, cudaMemcpyDeviceToHost, on.stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(on.stream);
        *number = pairs;
        return error;
    }

    // Calls write(pair, i, j, arguments...) for each pair a[i] = b[j]. Takes scratch memory, as many bytes as pairs ask for:
    // so with given memory it does nothing and returns cudaErrorInvalidValue.
    template <typename Write, typename... Arguments> cudaError_t write(Write behaviour, Arguments... arguments)
    {
        if (is_given(on.memory))
            return cudaErrorInvalidValue;
        return write_with(on, behaviour, arguments...);
    }

    // The same with scratch memory of another context: lbs_bytes(pairs, m) bytes beside those of the constructor's.
    template <typename Write, typename... Arguments>
    cudaError_t write_with(const context &where, Write behaviour, Arguments... arguments)
    {
        constexpr bool GOOD = is_called<Write, void, uint64_t, uint64_t, uint64_t, Arguments &...>();
        static_assert(GOOD, "write: the function is called as f(uint64_t pair, uint64_t i, uint64_t j, arguments...)");
        typedef called_as<GOOD, void, Write> chosen;

        if (pairs == 0)
            return cudaSuccess;
        return transform_lbs(write_pair<chosen>{chosen(behaviour)}, pairs, (const uint64_t *)start, a_count,
                             of_segments((const Index *)lower), where, arguments...);
    }

  private:
    static constexpr bool SEPARATE =
        sizeof(Index) != sizeof(uint64_t); // numbers of equal keys are not where starts are

    uint64_t a_count, b_count, pairs;
    context on;
    scratch space;
    // For each key of a: the number of its first pair; and all pairs; its lower bound in b, and how many keys equal it.
    uint64_t *start, *total;
    Index *lower, *equal;
    void *rest;
};

} // namespace sb

#endif
