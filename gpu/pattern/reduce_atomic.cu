// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.reduce/atomic: each block combines a part of the items, and adds its value to the result by an atomic.
//
// Integers only: their operators commute, so it is the same in which order threads, warps and blocks are combined; sums of
// floats would change from run to run. First the result becomes the identity. A block takes tiles of 4096 items, a grid's
// width apart; a thread loads 16 items of each, which adjacent threads have side by side.
// Cost: items are read once; an atomic for each block; no workspace, no second kernel over results of blocks.
// Source: M. Harris, "Optimizing parallel reduction in CUDA" (2007).
#include "keys.cuh"
#include "operator.cuh"
#include <samebits/prim/block.cuh>

enum {
    THREADS = 256,
    WARPS = THREADS / sb::WARP_LANES,
    EACH = 16, // loads of a thread in flight; not tuned
    TILE = THREADS * EACH
};

// At most so many atomics meet at the result; 8 blocks for each of up to 132 multiprocessors. Not tuned.
static const uint64_t MAX_GRID = 8 * 132;

static __device__ __forceinline__ void combine(uint32_t *result, uint32_t value, sb_add<uint32_t>)
{
    atomicAdd(result, value);
}

static __device__ __forceinline__ void combine(uint32_t *result, uint32_t value, sb_xor<uint32_t>)
{
    atomicXor(result, value);
}

static __device__ __forceinline__ void combine(uint64_t *result, uint64_t value, sb_add<uint64_t>)
{
    atomicAdd((unsigned long long *)result, (unsigned long long)value);
}

static __device__ __forceinline__ void combine(uint64_t *result, uint64_t value, sb_xor<uint64_t>)
{
    atomicXor((unsigned long long *)result, (unsigned long long)value);
}

template <typename T, T LARGEST> static __device__ __forceinline__ void combine(T *result, T value, sb_min<T, LARGEST>)
{
    if constexpr (sizeof(T) == 8)
        atomicMin((unsigned long long *)result, (unsigned long long)value);
    else
        atomicMin(result, value);
}

template <typename T, T SMALLEST>
static __device__ __forceinline__ void combine(T *result, T value, sb_max<T, SMALLEST>)
{
    if constexpr (sizeof(T) == 8)
        atomicMax((unsigned long long *)result, (unsigned long long)value);
    else
        atomicMax(result, value);
}

template <typename Op> static __global__ void start(typename Op::item *result)
{
    *result = Op::identity();
}

template <typename Op>
static __global__ void __launch_bounds__(THREADS)
    reduce(const typename Op::item *items, uint64_t n, typename Op::item *result)
{
    typedef typename Op::item item;
    __shared__ item warp_results[WARPS];
    item sum = Op::identity();

    for (uint64_t first = (uint64_t)blockIdx.x * TILE; first < n; first += (uint64_t)gridDim.x * TILE) {
        item mine[EACH];

        sb::load_striped<THREADS>(items, n, first, Op::identity(), mine);
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            sum = Op()(sum, mine[i]);
    }
    sum = sb::block_reduce(sum, Op(), warp_results);
    if (threadIdx.x == 0)
        combine(result, sum, Op());
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t type = parameters[SB_REDUCE_TYPE];

    (void)inputs;
    return type == SB_U32 || type == SB_I32 || type == SB_U64 ? nullptr : "integers only";
}

template <typename Op> static sb_status launch_reduce(const sb_array &items, void *value)
{
    typedef typename Op::item item;
    const uint64_t tiles = sb::divide_up(items.length, TILE);

    start<Op><<<1, 1>>>((item *)value);
    if (tiles != 0)
        reduce<Op><<<(unsigned)(tiles < MAX_GRID ? tiles : MAX_GRID), THREADS>>>((const item *)items.data, items.length,
                                                                                 (item *)value);
    return sb_status_of(cudaPeekAtLastError());
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_with_operator(parameters[SB_REDUCE_TYPE], parameters[SB_REDUCE_OP], [=](auto op) {
        typedef decltype(op) type;

        if constexpr (std::is_integral<typename type::item>::value)
            return launch_reduce<type>(inputs[SB_REDUCE_ITEMS], outputs[SB_REDUCE_VALUE].data);
        else
            return SB_UNSUPPORTED;
    });
}

static const uint64_t sizes[] = {TILE, uint64_t{MAX_GRID} * TILE, 0};

extern "C" const sb_variant sb_gpu_pattern_reduce_atomic[] = {
    {"pattern.reduce", "atomic", "blocks combine parts, and add them to the result by atomics", refuses, nullptr,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
