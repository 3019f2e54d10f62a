// SPDX-License-Identifier: BSD-2-Clause
//
// The pairs of type and operator with which the peers of reductions and scans are built: sums of u32, u64 and f32, minima of
// u32.
#ifndef GPU_PEER_OPERATORS_CUH
#define GPU_PEER_OPERATORS_CUH

#include "peer.cuh"

static const char *const NOT_BUILT = "the peer is built for sums of u32, u64 and f32, and minima of u32";

struct sum {
    template <typename Item> __host__ __device__ Item operator()(Item a, Item b) const
    {
        return a + b;
    }
};

struct minimum {
    __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const
    {
        return b < a ? b : a;
    }
};

template <typename Item> static Item identity(Item, sum)
{
    return 0;
}

static inline uint32_t identity(uint32_t, minimum)
{
    return UINT32_MAX;
}

// Calls f with a value of the type and the operator; `otherwise` where there is no such pair.
template <typename Function, typename Result>
static Result with_operator(uint64_t type, uint64_t op, Function f, Result otherwise)
{
    if (op == SB_OP_ADD && type == SB_U32)
        return f((uint32_t)0, sum());
    if (op == SB_OP_ADD && type == SB_U64)
        return f((uint64_t)0, sum());
    if (op == SB_OP_ADD && type == SB_F32)
        return f(0.0f, sum());
    if (op == SB_OP_MIN && type == SB_U32)
        return f((uint32_t)0, minimum());
    return otherwise;
}

#endif
