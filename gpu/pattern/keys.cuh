// SPDX-License-Identifier: BSD-2-Clause
//
// The keys of patterns over sorted sequences, and what variants share that are made of <samebits/pattern/...>.
#ifndef GPU_PATTERN_KEYS_CUH
#define GPU_PATTERN_KEYS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/pattern/mergesort.cuh>
#include <samebits/prim/keys.cuh>

namespace
{

// The order of keys that are compared as they are.
template <typename Key> struct natural_order {
    typedef Key key;

    __device__ __forceinline__ bool operator()(Key first, Key second) const
    {
        return first < second;
    }
};

// The order of floats, given by their bits: totalOrder.
struct float_order {
    typedef uint32_t key;

    __device__ __forceinline__ bool operator()(uint32_t first, uint32_t second) const
    {
        return sb::to_ordered(first, sb::FLOAT_ORDER) < sb::to_ordered(second, sb::FLOAT_ORDER);
    }
};

} // namespace

namespace sb
{

// Where keys alone are sorted, they are unsigned words of the same order.
template <typename Key> struct ordered_words<Key, natural_order<Key>> : ordered_words<Key, less> {
};
template <> struct ordered_words<uint32_t, float_order> : words_of<uint32_t, FLOAT_ORDER> {
};

} // namespace sb

// Calls action(order) with the order of the keys of a type, and returns what it returns.
template <typename Action> static sb_status sb_with_order(uint64_t type, Action action)
{
    switch (type) {
    case SB_U32:
        return action(natural_order<uint32_t>());
    case SB_I32:
        return action(natural_order<int32_t>());
    case SB_U64:
        return action(natural_order<uint64_t>());
    case SB_F32:
        return action(float_order());
    }
    return SB_INVALID;
}

// Calls action(element) with an element of the type, and returns what it returns.
template <typename Action> static sb_status sb_with_element(uint64_t type, Action action)
{
    switch (type) {
    case SB_U8:
        return action((uint8_t)0);
    case SB_U32:
        return action((uint32_t)0);
    case SB_U64:
        return action((uint64_t)0);
    }
    return SB_INVALID;
}

// Patterns whose number of items is the last offset: a case has no more of them, by its inputs' elements
// (docs/ALGORITHMS.md). Workspace depends on lengths alone.
static inline uint64_t sb_max_items(uint64_t elements)
{
    const uint64_t items = 256 * elements + (1 << 24);

    return items < UINT32_MAX ? items : UINT32_MAX;
}

static inline sb_status sb_status_of(cudaError_t error)
{
    return error == cudaSuccess ? SB_OK : SB_FAILED;
}

// Brings one element to the host, when the work before it is done.
template <typename T> static cudaError_t sb_fetch(T *value, const T *from)
{
    cudaError_t error = cudaMemcpyAsync(value, from, sizeof *value, cudaMemcpyDeviceToHost, 0);

    return error == cudaSuccess ? cudaStreamSynchronize(0) : error;
}

#endif
