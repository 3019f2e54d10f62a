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
    __device__ __forceinline__ void operator()(uint64_t i, uint64_t segment, uint64_t, const T *items,
                                               T *expanded) const
    {
        expanded[i] = items[segment];
    }
};

struct gather_interval {
    template <typename T, typename Index>
    __device__ __forceinline__ void operator()(uint64_t i, uint64_t segment, uint64_t rank, const T *items,
                                               const Index *source, T *gathered) const
    {
        gathered[i] = items[source[segment] + rank];
    }
};

struct scatter_interval {
    template <typename T, typename Index>
    __device__ __forceinline__ void operator()(uint64_t i, uint64_t segment, uint64_t rank, const T *items,
                                               const Index *target, T *scattered) const
    {
        scattered[target[segment] + rank] = items[i];
    }
};

struct move_interval {
    template <typename T, typename Index>
    __device__ __forceinline__ void operator()(uint64_t, uint64_t segment, uint64_t rank, const T *items,
                                               const Index *source, const Index *target, T *moved) const
    {
        moved[target[segment] + rank] = items[source[segment] + rank];
    }
};

template <typename Starts, typename T>
cudaError_t interval_expand(const T *items, Starts start, uint64_t segments, uint64_t count, T *expanded,
                            const context &on)
{
    return transform_lbs(expand_interval(), count, start, segments, on, items, expanded);
}

template <typename Starts, typename Index, typename T>
cudaError_t interval_gather(const T *items, Starts start, const Index *source, uint64_t segments, uint64_t count,
                            T *gathered, const context &on)
{
    return transform_lbs(gather_interval(), count, start, segments, on, items, source, gathered);
}

template <typename Starts, typename Index, typename T>
cudaError_t interval_scatter(const T *items, Starts start, const Index *target, uint64_t segments, uint64_t count,
                             T *scattered, const context &on)
{
    return transform_lbs(scatter_interval(), count, start, segments, on, items, target, scattered);
}

template <typename Starts, typename Index, typename T>
cudaError_t interval_move(const T *items, Starts start, const Index *source, const Index *target, uint64_t segments,
                          uint64_t count, T *moved, const context &on)
{
    return transform_lbs(move_interval(), count, start, segments, on, items, source, target, moved);
}

} // namespace sb

#endif
