// SPDX-License-Identifier: BSD-2-Clause
//
// reduce: all items of a sequence combined. transform_reduce: all that a behaviour returns.
//
// The operator is a function object, op(first, second) where `first` precedes `second`. It must be associative; it need not
// commute. Items are bracketed by their number alone, so sums of floats are the same bits on every run.
// A block reduces one tile: each thread combines adjacent items, then lanes and warps are combined in order. The results of
// the tiles are reduced the same way, until one is left.
// Source: the binary reduction tree; M. Harris, "Optimizing parallel reduction in CUDA" (2007).
// Cost: the items are read once; scratch memory for one value a tile.
#ifndef SAMEBITS_PATTERN_REDUCE_CUH
#define SAMEBITS_PATTERN_REDUCE_CUH

#include <samebits/pattern/sequence.cuh>

namespace sb
{

// The values of all lanes combined, lane 0 first. Lane 0 has the result. All lanes call.
template <typename T, typename Op> __device__ __forceinline__ T warp_reduce_in_order(T value, const Op &op)
{
    for (unsigned distance = 1; distance < WARP_LANES; distance *= 2) {
        T higher = shuffle_down(value, distance);

        if (lane_index() + distance < WARP_LANES)
            value = op(value, higher);
    }
    return value;
}

template <typename T> __device__ __forceinline__ void put(T *to, T value)
{
    *to = value;
}

template <typename T> __device__ __forceinline__ void put(T *to, maybe<T> value)
{
    *to = value.value;
}

// Result is the type of items where the last level writes, else Operation::value.
template <typename Tune, typename Operation, typename Result, typename Load, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    reduce_kernel(Load load, uint64_t count, Operation operation, Result *results, restricted<Arguments>... arguments)
{
    typedef typename Operation::value value;
    __shared__ value buffer[Tune::SIZE];
    __shared__ value warp_results[Tune::WARPS];
    value mine[Tune::EACH];

    load_blocked<Tune>([&](uint64_t i) { return load(operation, i, arguments...); }, count,
                       (uint64_t)blockIdx.x * Tune::SIZE, operation.identity(), mine, buffer);
    value sum = mine[0];

#pragma unroll
    for (unsigned i = 1; i < Tune::EACH; i++)
        sum = operation(sum, mine[i]);
    sum = warp_reduce_in_order(sum, operation);
    if (lane_index() == 0)
        warp_results[warp_index()] = sum;
    __syncthreads(); // all warps have written their results
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w < Tune::WARPS; w++)
            sum = operation(sum, warp_results[w]);
        put(&results[blockIdx.x], sum);
    }
}

// Items of the first level, and results of tiles.
template <typename Behaviour> struct load_item {
    Behaviour behaviour;

    template <typename Operation, typename... Arguments>
    __device__ __forceinline__ auto operator()(const Operation &operation, uint64_t i, Arguments... arguments) const
    {
        return operation.lift(behaviour(i, arguments...));
    }
};

template <typename T> struct load_result {
    const T *results;

    template <typename Operation> __device__ __forceinline__ T operator()(const Operation &, uint64_t i) const
    {
        return results[i];
    }
};

// Bytes of scratch memory that a reduction of `count` items of type T needs.
template <typename T, typename Identity = T, typename Tune = default_tune<sizeof(T)>>
uint64_t reduce_bytes(uint64_t count)
{
    typedef typename operation<T, int, Identity>::value value;
    uint64_t values = 0;

    for (uint64_t n = divide_up(count, Tune::SIZE); n > 1; n = divide_up(n, Tune::SIZE))
        values += n;
    return values * sizeof(value);
}

// *result, in device memory, becomes op over behaviour(index, arguments...) for all indices below `count`, in order, and
// `identity` if there are none. With no_identity() there must be one: else cudaErrorInvalidValue.
template <typename Tune, typename T, typename Behaviour, typename Op, typename Identity, typename... Arguments>
cudaError_t transform_reduce_by(Behaviour behaviour, uint64_t count, Op op, Identity identity, T *result,
                                const context &on, Arguments... arguments)
{
    constexpr bool GOOD = is_called<Behaviour, T, uint64_t, Arguments &...>(), GOOD_OP = is_called<Op, T, T &, T &>();
    static_assert(GOOD, "reduce: the behaviour is called as item behaviour(uint64_t index, arguments...)");
    static_assert(GOOD_OP, "reduce: the operator is called as item op(item, item)");
    typedef called_as<GOOD, T, Behaviour> load;
    typedef called_as<GOOD_OP, T, Op> combine;
    typedef operation<T, combine, Identity> operation_type;
    typedef typename operation_type::value value;
    const operation_type with = {combine(op), identity};
    const load_item<load> first_level = {load(behaviour)};
    unsigned blocks;
    cudaError_t error = count_blocks<Tune::SIZE>(count, &blocks);

    if (error == cudaSuccess && count == 0 && std::is_same<Identity, no_identity>::value)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    scratch space(on, reduce_bytes<T, Identity, Tune>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    if (blocks <= 1) {
        reduce_kernel<Tune, operation_type, T, load_item<load>, Arguments...>
            <<<1, Tune::THREADS, 0, on.stream>>>(first_level, count, with, result, arguments...);
        return cudaPeekAtLastError();
    }
    value *results = (value *)space.memory();

    reduce_kernel<Tune, operation_type, value, load_item<load>, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(first_level, count, with, results, arguments...);
    for (uint64_t n = blocks; n > 1;) {
        uint64_t tiles = divide_up(n, Tune::SIZE);

        if (tiles == 1)
            reduce_kernel<Tune, operation_type, T, load_result<value>>
                <<<1, Tune::THREADS, 0, on.stream>>>(load_result<value>{results}, n, with, result);
        else
            reduce_kernel<Tune, operation_type, value, load_result<value>>
                <<<(unsigned)tiles, Tune::THREADS, 0, on.stream>>>(load_result<value>{results}, n, with, results + n);
        results += n;
        n = tiles;
    }
    return cudaPeekAtLastError();
}

template <typename T, typename Behaviour, typename Op, typename Identity, typename... Arguments>
cudaError_t transform_reduce(Behaviour behaviour, uint64_t count, Op op, Identity identity, T *result,
                             const context &on, Arguments... arguments)
{
    return transform_reduce_by<default_tune<sizeof(T)>>(behaviour, count, op, identity, result, on, arguments...);
}

// The same over the items of a sequence.
template <typename T, typename Items, typename Op, typename Identity>
cudaError_t reduce(Items items, uint64_t count, Op op, Identity identity, T *result, const context &on)
{
    return transform_reduce(element_of<Items>{items}, count, op, identity, result, on);
}

} // namespace sb

#endif
