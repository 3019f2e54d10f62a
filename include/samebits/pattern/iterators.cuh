// SPDX-License-Identifier: BSD-2-Clause
//
// Sequences that are computed where a pattern reads them, and pairs of arrays that are read and written together. No array is
// made.
//
//     counting(first)           first, first + 1, first + 2, ...
//     repeated(value)           value, value, value, ...
//     transformed(items, f)     f(items[i])
//     permuted(items, index)    items[index[i]]
//     zip(a, b)                 both(a[i], b[i]); where a pattern writes, the two parts go to a[i] and b[i]
//
// Each takes pointers and other such sequences; a zip that is written takes pointers and zips.
#ifndef SAMEBITS_PATTERN_ITERATORS_CUH
#define SAMEBITS_PATTERN_ITERATORS_CUH

#include <samebits/pattern/sequence.cuh>

namespace sb
{

template <typename T> struct counting_sequence {
    T first;

    __host__ __device__ __forceinline__ T operator[](uint64_t i) const
    {
        return (T)(first + (T)i);
    }
};

template <typename T> counting_sequence<T> counting(T first)
{
    return {first};
}

template <typename T> struct repeated_sequence {
    T value;

    __host__ __device__ __forceinline__ T operator[](uint64_t) const
    {
        return value;
    }
};

template <typename T> repeated_sequence<T> repeated(T value)
{
    return {value};
}

template <typename Items, typename Function> struct transformed_sequence {
    Items items;
    Function function;

    __device__ __forceinline__ auto operator[](uint64_t i) const
    {
        return function(items[i]);
    }
};

template <typename Items, typename Function>
transformed_sequence<Items, Function> transformed(Items items, Function function)
{
    return {items, function};
}

template <typename Items, typename Index> struct permuted_sequence {
    Items items;
    Index index;

    __device__ __forceinline__ auto operator[](uint64_t i) const
    {
        return items[index[i]];
    }
};

template <typename Items, typename Index> permuted_sequence<Items, Index> permuted(Items items, Index index)
{
    return {items, index};
}

// Two values as one: an element of zip(a, b).
template <typename First, typename Second> struct both {
    First first;
    Second second;
};

// Between lanes each part travels by itself, so that neither needs a whole number of words.
template <typename First, typename Second, typename Move>
__device__ __forceinline__ both<First, Second> map_words(both<First, Second> value, Move move)
{
    return {map_words(value.first, move), map_words(value.second, move)};
}

template <typename First, typename Second> struct zipped {
    First first;
    Second second;

    __device__ __forceinline__ auto operator[](uint64_t i) const
    {
        return both<std::decay_t<decltype(first[i])>, std::decay_t<decltype(second[i])>>{first[i], second[i]};
    }
};

template <typename First, typename Second> zipped<First, Second> zip(First first, Second second)
{
    return {first, second};
}

// What a pattern writes: an array, or zipped ones. The type of an element, and how element `at` is written.
template <typename Output> struct output_type;

template <typename T> struct output_type<T *> {
    typedef T element;
};

template <typename First, typename Second> struct output_type<zipped<First, Second>> {
    typedef both<typename output_type<First>::element, typename output_type<Second>::element> element;
};

template <typename Output> using output_element = typename output_type<Output>::element;

template <typename T> __device__ __forceinline__ void write_element(T *to, uint64_t at, T value)
{
    to[at] = value;
}

template <typename First, typename Second, typename T>
__device__ __forceinline__ void write_element(const zipped<First, Second> &to, uint64_t at, T value)
{
    write_element(to.first, at, value.first);
    write_element(to.second, at, value.second);
}

} // namespace sb

#endif
