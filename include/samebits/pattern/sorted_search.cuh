// SPDX-License-Identifier: BSD-2-Clause
//
// sorted_search: for each of the sorted needles, where it belongs in a sorted haystack.
//
//     LOWER_BOUND   how many keys of the haystack are less than the needle
//     UPPER_BOUND   how many are not greater
//
// Needles and haystack are merged without writing the result: the place of a needle is how many keys of the haystack come
// before it, where needles come before equal keys of the haystack (lower) or after them (upper). A block takes a tile of
// the merge as in merge.cuh, and only the places of the needles leave it. So both sequences are read once, however the
// needles are spread. Who asks for both bounds gets the lower one so, and the upper one by a search in steps of 1, 2, 4, ... from
// there, in the tile and, only if all the rest of its haystack equals the needle, behind it. binary_search searches each needle
// by itself, which reads less where needles are few.
// Source: S. Baxter, "Modern GPU" (2013), the vectorised sorted search.
// Cost: needles and haystack are read once, a place is written for each needle; scratch memory of 8 bytes a tile.
#ifndef SAMEBITS_PATTERN_SORTED_SEARCH_CUH
#define SAMEBITS_PATTERN_SORTED_SEARCH_CUH

#include <samebits/pattern/merge.cuh>
#include <samebits/pattern/transform.cuh>

namespace sb
{

enum bound { LOWER_BOUND = 0, UPPER_BOUND = 1, BOTH_BOUNDS = 2 };

// How many of the first keys of the haystack are below the bound.
template <bound BOUND, typename Haystack, typename Key, typename Less>
__device__ __forceinline__ uint64_t search_bound(const Haystack &haystack, uint64_t count, const Key &needle,
                                                 const Less &less)
{
    uint64_t low = 0, high = count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        bool below = BOUND == LOWER_BOUND ? less(haystack[middle], needle) : !less(needle, haystack[middle]);

        if (below)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How many of the keys first .. end - 1 of a sorted haystack are not greater than the needle: a search in steps that double, so
// that few equal keys take few loads.
template <typename Haystack, typename Size, typename Key, typename Less>
__device__ __forceinline__ Size count_not_greater(const Haystack &haystack, Size first, Size end, const Key &needle,
                                                  const Less &less)
{
    Size low = first, high = first, step = 1; // all before `low` are not greater

    while (high < end && !less(needle, haystack[high])) {
        low = high + 1;
        high = end - low < step ? end : low + step;
        step *= 2;
    }
    while (low < high) {
        const Size middle = low + (high - low) / 2;

        if (less(needle, haystack[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low - first;
}

// Calls found(needle, place) for the needles of one tile, or, of BOTH_BOUNDS, found(needle, lower, upper). For the lower bound
// the needles are `a` of the merge, else `b`.
template <typename Tune, bound BOUND, typename Key, typename Needles, typename Haystack, typename Less, typename Found,
          typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    sorted_search_kernel(Needles needles, uint64_t needle_count, Haystack haystack, uint64_t haystack_count, Less less,
                         const uint64_t *split, Found found, restricted<Arguments>... arguments)
{
    __shared__ Key buffer[Tune::SIZE];
    __shared__ unsigned place[Tune::SIZE];
    const bool needles_first = BOUND != UPPER_BOUND;
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE, all = needle_count + haystack_count;
    const unsigned count = all - first < Tune::SIZE ? (unsigned)(all - first) : Tune::SIZE;
    const uint64_t a_count = needles_first ? needle_count : haystack_count;
    const uint64_t a_first = split[blockIdx.x], b_first = first - a_first;
    const unsigned from_a = (unsigned)((first + count == all ? a_count : split[blockIdx.x + 1]) - a_first);
    const uint64_t first_needle = needles_first ? a_first : b_first, first_hay = needles_first ? b_first : a_first;
    const unsigned here = needles_first ? from_a : count - from_a; // needles of the tile
    Key loaded[Tune::EACH];

    if (here == 0)
        return;
    auto load = [&](unsigned at) -> Key {
        bool needle = needles_first == (at < from_a);
        uint64_t offset = at < from_a ? a_first + at : b_first + (at - from_a);

        return needle ? needles[offset] : haystack[offset];
    };
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            loaded[i] = load(at);
    }
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            buffer[at] = loaded[i];
    }
    __syncthreads(); // both stretches are loaded
    const unsigned mine = threadIdx.x * Tune::EACH < count ? threadIdx.x * Tune::EACH : count;
    const Key *keys = buffer;
    unsigned a = merge_path(keys, from_a, keys + from_a, count - from_a, mine, less);
    unsigned hay = needles_first ? mine - a : a, needle = mine - hay;
    unsigned index[Tune::EACH];

    merge_serially(keys, a, from_a, from_a + mine - a, count, less, loaded, index);
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        if (mine + i < count) {
            if (needles_first == (index[i] < from_a))
                place[needle++] = hay;
            else
                hay++;
        }
    __syncthreads(); // all places are there
    for (unsigned i = threadIdx.x; i < here; i += Tune::THREADS) {
        const uint64_t lower = first_hay + place[i];

        if constexpr (BOUND == BOTH_BOUNDS) {
            const unsigned hay_end = count - from_a;
            const Key key = buffer[i];
            unsigned equal = count_not_greater(keys + from_a, place[i], hay_end, key, less);
            uint64_t upper = lower + equal;

            if (place[i] + equal == hay_end)
                upper += count_not_greater(haystack, upper, haystack_count, key, less);
            found(first_needle + i, lower, upper, arguments...);
        } else {
            found(first_needle + i, lower, arguments...);
        }
    }
}

template <typename Key> struct search_tune : merge_tune<sizeof(Key)> {
};

// Bytes of scratch memory that a search with `count` needles and keys of the haystack together needs.
template <typename Key, typename Tune = search_tune<Key>> uint64_t search_bytes(uint64_t count)
{
    return divide_up(count, Tune::SIZE) * sizeof(uint64_t);
}

// Calls found(needle, place, arguments...) for the number of each needle, once, in any order: `place` is its bound in the
// haystack; of BOTH_BOUNDS found(needle, lower, upper, arguments...). Key is the type in which keys are compared.
template <typename Tune, typename Key, bound BOUND, typename Needles, typename Haystack, typename Less, typename Found,
          typename... Arguments>
cudaError_t transform_search_by(Needles needles, uint64_t needle_count, Haystack haystack, uint64_t haystack_count,
                                Less less, Found found, const context &on, Arguments... arguments)
{
    constexpr bool GOOD = is_called<Less, bool, Key &, Key &>();
    constexpr bool GOOD_FOUND = BOUND == BOTH_BOUNDS
                                    ? is_called<Found, void, uint64_t, uint64_t, uint64_t, Arguments &...>()
                                    : is_called<Found, void, uint64_t, uint64_t, Arguments &...>();
    static_assert(GOOD, "a search: the comparison is called as bool less(key, key)");
    static_assert(GOOD_FOUND,
                  "transform_search: the function is called as f(uint64_t needle, uint64_t place, arguments...), or "
                  "for BOTH_BOUNDS f(needle, lower, upper, arguments...)");
    typedef called_as<GOOD, bool, Less> order;
    typedef called_as<GOOD_FOUND, void, Found> chosen;
    const order before(less);
    uint64_t count = needle_count + haystack_count;
    unsigned blocks;
    cudaError_t error = count_blocks<Tune::SIZE>(count, &blocks);

    if (error != cudaSuccess || needle_count == 0)
        return error;
    scratch space(on, search_bytes<Key, Tune>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    uint64_t *split = (uint64_t *)space.memory();

    if (BOUND != UPPER_BOUND)
        split_merge_kernel<<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(
            needles, needle_count, haystack, haystack_count, before, blocks, Tune::SIZE, split);
    else
        split_merge_kernel<<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(
            haystack, haystack_count, needles, needle_count, before, blocks, Tune::SIZE, split);
    sorted_search_kernel<Tune, BOUND, Key, Needles, Haystack, order, chosen, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(needles, needle_count, haystack, haystack_count, before, split,
                                                  chosen(found), arguments...);
    return cudaPeekAtLastError();
}

template <typename Key, bound BOUND, typename Needles, typename Haystack, typename Less, typename Found,
          typename... Arguments>
cudaError_t transform_search(Needles needles, uint64_t needle_count, Haystack haystack, uint64_t haystack_count,
                             Less less, Found found, const context &on, Arguments... arguments)
{
    return transform_search_by<search_tune<Key>, Key, BOUND>(needles, needle_count, haystack, haystack_count, less,
                                                             found, on, arguments...);
}

template <typename Index> struct write_place {
    __device__ __forceinline__ void operator()(uint64_t needle, uint64_t place, Index *index) const
    {
        index[needle] = (Index)place;
    }
};

// index[i] becomes the bound of needle i in the haystack. Both are sorted by `less`.
template <bound BOUND, typename Key, typename Index, typename Less>
cudaError_t sorted_search(const Key *needles, uint64_t needle_count, const Key *haystack, uint64_t haystack_count,
                          Index *index, Less less, const context &on)
{
    return transform_search<Key, BOUND>(needles, needle_count, haystack, haystack_count, less, write_place<Index>(), on,
                                        index);
}

template <bound BOUND, typename Haystack, typename Less> struct search_each {
    uint64_t count;
    Less less;

    template <typename Key, typename Index>
    __device__ __forceinline__ void operator()(uint64_t i, const Key *needles, Haystack haystack, Index *index) const
    {
        index[i] = (Index)search_bound<BOUND>(haystack, count, needles[i], less);
    }
};

// The same by a search of each needle by itself; the needles need not be sorted.
template <bound BOUND, typename Key, typename Index, typename Less>
cudaError_t binary_search(const Key *needles, uint64_t needle_count, const Key *haystack, uint64_t haystack_count,
                          Index *index, Less less, const context &on)
{
    constexpr bool GOOD = is_called<Less, bool, const Key &, const Key &>();
    static_assert(GOOD, "binary_search: the comparison is called as bool less(key, key)");
    typedef called_as<GOOD, bool, Less> order;

    return transform(search_each<BOUND, const Key *, order>{haystack_count, order(less)}, needle_count, on, needles,
                     haystack, index);
}

} // namespace sb

#endif
