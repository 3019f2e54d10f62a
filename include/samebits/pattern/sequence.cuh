// SPDX-License-Identifier: BSD-2-Clause
//
// Sequences that are computed, values without an identity, and tiles of both: what reductions, scans and searches of this
// directory share.
//
// Where a pattern reads an array it takes anything with operator[]: a pointer, or sequence(behaviour), whose element i is
// behaviour(i).
#ifndef SAMEBITS_PATTERN_SEQUENCE_CUH
#define SAMEBITS_PATTERN_SEQUENCE_CUH

#include <samebits/pattern/launch.cuh>
#include <samebits/prim/block.cuh>
#include <type_traits>

namespace sb
{

template <typename Behaviour> struct computed {
    Behaviour behaviour;

    __device__ __forceinline__ auto operator[](uint64_t i) const
    {
        return behaviour(i);
    }
};

template <typename Behaviour> computed<Behaviour> sequence(Behaviour behaviour)
{
    return {behaviour};
}

// Reads a sequence as a behaviour does that is called with an index.
template <typename Sequence> struct element_of {
    Sequence items;

    template <typename... Unused> __device__ __forceinline__ auto operator()(uint64_t i, Unused...) const
    {
        return items[i];
    }
};

// The order of numbers, for functions that take keys.
struct less {
    template <typename T> __host__ __device__ __forceinline__ bool operator()(const T &first, const T &second) const
    {
        return first < second;
    }
};

// The reverse order.
struct greater {
    template <typename T> __host__ __device__ __forceinline__ bool operator()(const T &first, const T &second) const
    {
        return second < first;
    }
};

// ---- operators without an identity ----

// Passed on instead of an identity: the first item then starts, and there must be one.
struct no_identity {
};

template <typename T> struct maybe {
    T value;
    unsigned some; // 0: nothing
};

template <typename T, typename Move> __device__ __forceinline__ maybe<T> map_words(maybe<T> value, Move move)
{
    return {map_words(value.value, move), move(value.some)};
}

// What reductions and scans combine for items of type T: the items themselves, or `maybe` items. `lift` and `value_of`
// convert, `identity` is that of `Op`.
template <typename T, typename Op, typename Identity> struct operation {
    typedef T value;
    Op op;
    Identity none;

    __device__ __forceinline__ value identity() const
    {
        return none;
    }
    static __device__ __forceinline__ value lift(T item)
    {
        return item;
    }
    static __device__ __forceinline__ T value_of(value v)
    {
        return v;
    }
    __device__ __forceinline__ value operator()(value first, value second) const
    {
        return op(first, second);
    }
};

template <typename T, typename Op> struct operation<T, Op, no_identity> {
    typedef maybe<T> value;
    Op op;
    no_identity none;

    __device__ __forceinline__ value identity() const
    {
        return {T(), 0};
    }
    static __device__ __forceinline__ value lift(T item)
    {
        return {item, 1};
    }
    static __device__ __forceinline__ T value_of(value v)
    {
        return v.value;
    }
    __device__ __forceinline__ value operator()(value first, value second) const
    {
        if (first.some == 0)
            return second;
        if (second.some != 0)
            first.value = op(first.value, second.value);
        return first;
    }
};

// ---- tiles ----

// The thread's adjacent items of the tile that begins at `first`: load(i) for each index i below `count`, `fill` after
// them. All threads of the block call. One barrier, between writing and reading the buffer.
template <typename Tune, typename T, typename Load>
__device__ __forceinline__ void load_blocked(Load load, uint64_t count, uint64_t first, T fill, T (&mine)[Tune::EACH],
                                             T (&buffer)[Tune::SIZE])
{
    if (count - first >= Tune::SIZE) { // without a test for each item, so that all loads are in flight at once
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            mine[i] = load(first + i * Tune::THREADS + threadIdx.x);
    } else {
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            uint64_t at = first + i * Tune::THREADS + threadIdx.x;

            mine[i] = fill;
            if (at < count)
                mine[i] = load(at);
        }
    }
    striped_to_blocked<Tune::THREADS, Tune::EACH>(mine, buffer);
}

} // namespace sb

#endif
