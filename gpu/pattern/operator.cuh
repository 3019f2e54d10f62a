// SPDX-License-Identifier: BSD-2-Clause
//
// The operators of the data-parallel patterns. Each is a function object, op(first, second) in the order of the items,
// with the type of its items and its identity. All are associative except sums of floats, which are so up to rounding;
// compose does not commute. Addition of integers wraps.
#ifndef GPU_PATTERN_OPERATOR_CUH
#define GPU_PATTERN_OPERATOR_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>

template <typename T> struct sb_add {
    typedef T item;

    static __host__ __device__ T identity()
    {
        return 0;
    }

    __device__ T operator()(T first, T second) const
    {
        return first + second;
    }
};

template <typename T> struct sb_xor {
    typedef T item;

    static __host__ __device__ T identity()
    {
        return 0;
    }

    __device__ T operator()(T first, T second) const
    {
        return first ^ second;
    }
};

template <typename T, T LARGEST> struct sb_min {
    typedef T item;

    static __host__ __device__ T identity()
    {
        return LARGEST;
    }

    __device__ T operator()(T first, T second) const
    {
        return second < first ? second : first;
    }
};

template <typename T, T SMALLEST> struct sb_max {
    typedef T item;

    static __host__ __device__ T identity()
    {
        return SMALLEST;
    }

    __device__ T operator()(T first, T second) const
    {
        return first < second ? second : first;
    }
};

// Moves an affine map between lanes (samebits/prim/warp.cuh).
template <typename Move> static __device__ __forceinline__ sb_affine map_words(sb_affine value, Move move)
{
    return {move(value.a), move(value.b)};
}

// The map that applies `first`, then `second`.
struct sb_compose {
    typedef sb_affine item;

    static __host__ __device__ sb_affine identity()
    {
        return {1, 0};
    }

    __device__ sb_affine operator()(sb_affine first, sb_affine second) const
    {
        return {first.a * second.a, second.a * first.b + second.b};
    }
};

static inline uint64_t sb_operator_item_size(uint64_t type)
{
    return type == SB_U32 || type == SB_I32 || type == SB_F32 ? 4 : 8;
}

// Calls action(operator) with the operator that a case's parameters name, and returns what it returns.
template <typename Action> static sb_status sb_with_operator(uint64_t type, uint64_t op, Action action)
{
    switch (type << 8 | op) {
    case SB_U32 << 8 | SB_OP_ADD:
    case SB_I32 << 8 | SB_OP_ADD: // the same bits
        return action(sb_add<uint32_t>());
    case SB_U32 << 8 | SB_OP_XOR:
    case SB_I32 << 8 | SB_OP_XOR:
        return action(sb_xor<uint32_t>());
    case SB_U32 << 8 | SB_OP_MIN:
        return action(sb_min<uint32_t, UINT32_MAX>());
    case SB_U32 << 8 | SB_OP_MAX:
        return action(sb_max<uint32_t, 0>());
    case SB_I32 << 8 | SB_OP_MIN:
        return action(sb_min<int32_t, INT32_MAX>());
    case SB_I32 << 8 | SB_OP_MAX:
        return action(sb_max<int32_t, INT32_MIN>());
    case SB_U64 << 8 | SB_OP_ADD:
        return action(sb_add<uint64_t>());
    case SB_U64 << 8 | SB_OP_XOR:
        return action(sb_xor<uint64_t>());
    case SB_U64 << 8 | SB_OP_MIN:
        return action(sb_min<uint64_t, UINT64_MAX>());
    case SB_U64 << 8 | SB_OP_MAX:
        return action(sb_max<uint64_t, 0>());
    case SB_F32 << 8 | SB_OP_ADD:
        return action(sb_add<float>());
    case SB_F64 << 8 | SB_OP_ADD:
        return action(sb_add<double>());
    case SB_AFFINE << 8 | SB_OP_COMPOSE:
        return action(sb_compose());
    }
    return SB_INVALID;
}

#endif
