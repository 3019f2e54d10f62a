// SPDX-License-Identifier: BSD-2-Clause
//
// inner_join: all pairs of equal keys of two sorted sequences, ordered by the index in a, then by that in b.
//
// The keys of b that are equal to a[i] are those between its lower and its upper bound in b (sorted_search.cuh). A scan of
// their numbers makes each i a segment of pairs, and transform_lbs.cuh calls the caller's function for each pair.
// Source: S. Baxter, "Modern GPU" (2013), relational joins.
// Cost: both sequences are read twice, 16 bytes of scratch memory for each key of a, and a wait for the number of pairs.
#ifndef SAMEBITS_PATTERN_INNER_JOIN_CUH
#define SAMEBITS_PATTERN_INNER_JOIN_CUH

#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/sorted_search.cuh>
#include <samebits/pattern/transform_lbs.cuh>

namespace sb
{

struct write_equal_count {
    __device__ __forceinline__ void operator()(uint64_t i, uint64_t upper, const uint64_t *lower, uint64_t *count) const
    {
        count[i] = upper - lower[i];
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

// The first step counts the pairs; the second calls the caller's function for each.
//
//     sb::inner_join<int> join(m, n, context);
//     uint64_t pairs;
//     join.count(a, b, sb::less(), &pairs);     waits
//     ... memory for the pairs ...
//     join.write([=] __device__(uint64_t pair, uint64_t i, uint64_t j) { left[pair] = i, right[pair] = j; });
template <typename Key> class inner_join
{
  public:
    // Bytes of scratch memory for sequences of m and n keys. Half of it is there as long as the object is.
    static uint64_t bytes(uint64_t m, uint64_t n)
    {
        const uint64_t search = search_bytes<Key>(m + n), scan = scan_bytes<uint64_t>(m);

        return (2 * m + 1) * sizeof(uint64_t) + round_up(search > scan ? search : scan, 16);
    }

    inner_join(uint64_t m, uint64_t n, const context &where)
        : a_count(m), b_count(n), pairs(0), on(where), space(where, bytes(m, n)), lower((uint64_t *)space.memory()),
          start(lower + m), total(start + m)
    {
    }

    // *number, on the host, becomes the number of pairs. Both sequences are sorted by `less`. Waits for the stream.
    template <typename A, typename B, typename Less> cudaError_t count(A a, B b, Less less, uint64_t *number)
    {
        const context within(on.stream, given_memory(total + 1));
        cudaError_t error = space.error();

        pairs = *number = 0;
        if (error != cudaSuccess || a_count == 0)
            return error;
        error =
            transform_search<Key, LOWER_BOUND>(a, a_count, b, b_count, less, write_place<uint64_t>(), within, lower);
        if (error == cudaSuccess)
            error = transform_search<Key, UPPER_BOUND>(a, a_count, b, b_count, less, write_equal_count(), within,
                                                       (const uint64_t *)lower, start);
        if (error == cudaSuccess)
            error = scan((const uint64_t *)start, a_count, add(), (uint64_t)0, EXCLUSIVE, start, total, within);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(&pairs, total, sizeof pairs, cudaMemcpyDeviceToHost, on.stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(on.stream);
        *number = pairs;
        return error;
    }

    // Calls write(pair, i, j, arguments...) for each pair a[i] = b[j].
    template <typename Write, typename... Arguments> cudaError_t write(Write behaviour, Arguments... arguments)
    {
        return write_with(on, behaviour, arguments...);
    }

    // The same with scratch memory of another context, lbs_bytes(pairs, m) bytes: for given memory, which is in use.
    template <typename Write, typename... Arguments>
    cudaError_t write_with(const context &where, Write behaviour, Arguments... arguments)
    {
        if (pairs == 0)
            return cudaSuccess;
        return transform_lbs(write_pair<Write>{behaviour}, pairs, (const uint64_t *)start, a_count,
                             of_segments((const uint64_t *)lower), where, arguments...);
    }

  private:
    uint64_t a_count, b_count, pairs;
    context on;
    scratch space;
    uint64_t *lower, *start, *total; // for each key of a: its lower bound in b, the number of its first pair; all pairs
};

} // namespace sb

#endif
