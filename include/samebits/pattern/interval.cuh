// SPDX-License-Identifier: BSD-2-Clause
//
// Many intervals at once, one for each segment (transform_lbs.cuh), whatever their lengths are:
//
//     interval_expand    element i of the result is the item of its segment
//     interval_gather    segment s is read from source[s] on
//     interval_scatter   segment s is written from target[s] on
//     interval_move      segment s is copied from source[s] to target[s]
//
// Intervals that are written must not overlap, nor what is read.
// Source: S. Baxter, "Modern GPU" (2013).
// Cost: that of transform_lbs, and each element of the intervals read and written once.
#ifndef SAMEBITS_PATTERN_INTERVAL_CUH
#define SAMEBITS_PATTERN_INTERVAL_CUH

#include <samebits/pattern/transform_lbs.cuh>

namespace sb
{

struct expand_interval {
    template <typename T>
    __device__ __forceinline__ void operator()(uint64_t i, uint64_t, uint64_t, const T &item, T *expanded) const
    {
        expanded[i] = item;
    }
};

template <typename T> struct gather_interval : in_two_steps {
    typedef T held;

    template <typename Index>
    __device__ __forceinline__ T load(uint64_t, uint64_t, uint64_t rank, Index source, const T *items, T *) const
    {
        return items[source + rank];
    }
    template <typename Index>
    __device__ __forceinline__ void store(const T &item, uint64_t i, uint64_t, uint64_t, Index, const T *,
                                          T *gathered) const
    {
        gathered[i] = item;
    }
};

template <typename T> struct scatter_interval : in_two_steps {
    typedef T held;

    template <typename Index>
    __device__ __forceinline__ T load(uint64_t i, uint64_t, uint64_t, Index, const T *items, T *) const
    {
        return items[i];
    }
    template <typename Index>
    __device__ __forceinline__ void store(const T &item, uint64_t, uint64_t, uint64_t rank, Index target, const T *,
                                          T *scattered) const
    {
        scattered[target + rank] = item;
    }
};

template <typename T> struct move_interval : in_two_steps {
    typedef T held;

    template <typename Index>
    __device__ __forceinline__ T load(uint64_t, uint64_t, uint64_t rank, Index source, Index, const T *items, T *) const
    {
        return items[source + rank];
    }
    template <typename Index>
    __device__ __forceinline__ void store(const T &item, uint64_t, uint64_t, uint64_t rank, Index, Index target,
                                          const T *, T *moved) const
    {
        moved[target + rank] = item;
    }
};

// Bytes of scratch memory that any of them needs for items and indices of at most 8 bytes.
inline uint64_t interval_bytes(uint64_t count, uint64_t segments)
{
    return lbs_bytes<lbs_tune_of<16>>(count, segments);
}

template <typename Starts, typename T>
cudaError_t interval_expand(const T *items, Starts start, uint64_t segments, uint64_t count, T *expanded,
                            const context &on)
{
    return transform_lbs(expand_interval(), count, start, segments, of_segments(items), on, expanded);
}

template <typename Starts, typename Index, typename T>
cudaError_t interval_gather(const T *items, Starts start, const Index *source, uint64_t segments, uint64_t count,
                            T *gathered, const context &on)
{
    return transform_lbs(gather_interval<T>(), count, start, segments, of_segments(source), on, items, gathered);
}

template <typename Starts, typename Index, typename T>
cudaError_t interval_scatter(const T *items, Starts start, const Index *target, uint64_t segments, uint64_t count,
                             T *scattered, const context &on)
{
    return transform_lbs(scatter_interval<T>(), count, start, segments, of_segments(target), on, items, scattered);
}

template <typename Starts, typename Index, typename T>
cudaError_t interval_move(const T *items, Starts start, const Index *source, const Index *target, uint64_t segments,
                          uint64_t count, T *moved, const context &on)
{
    return transform_lbs(move_interval<T>(), count, start, segments, of_segments(source, target), on, items, moved);
}

} // namespace sb

#endif
