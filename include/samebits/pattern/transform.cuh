// SPDX-License-Identifier: BSD-2-Clause
//
// transform: calls the behaviour once for each index. cta_transform: for each tile, with all threads of a block.
//
//     sb::transform([=] __device__(uint64_t i, const float *x, float *y) { y[i] += a * x[i]; }, n, context, x, y);
//
// A block takes SIZE adjacent indices, and thread t every THREADS-th of them from t on: adjacent threads have adjacent
// indices. Cost: what the behaviour costs.
#ifndef SAMEBITS_PATTERN_TRANSFORM_CUH
#define SAMEBITS_PATTERN_TRANSFORM_CUH

#include <samebits/pattern/launch.cuh>

namespace sb
{

// Four items a thread: enough loads in flight to hide the latency of memory, and few registers. Not tuned.
typedef tune<256, 4> transform_tune;

template <typename Tune, typename Behaviour, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    transform_kernel(Behaviour behaviour, uint64_t count, restricted<Arguments>... arguments)
{
    uint64_t begin = (uint64_t)blockIdx.x * Tune::SIZE, first = begin + threadIdx.x;

    if (count - begin >= Tune::SIZE) {
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            behaviour(first + i * Tune::THREADS, arguments...);
        return;
    }
    for (uint64_t i = first; i < count; i += Tune::THREADS)
        behaviour(i, arguments...);
}

// Calls behaviour(index, arguments...) once for each index below `count`, in any order.
template <typename Tune = transform_tune, typename Behaviour, typename... Arguments>
cudaError_t transform(Behaviour behaviour, uint64_t count, const context &on, Arguments... arguments)
{
    constexpr bool GOOD = is_called<Behaviour, void, uint64_t, Arguments &...>();
    static_assert(GOOD, "transform: the function is called as f(uint64_t index, arguments...)");
    typedef called_as<GOOD, void, Behaviour> chosen;
    unsigned blocks;
    cudaError_t error = count_blocks<Tune::SIZE>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    transform_kernel<Tune, chosen, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(chosen(behaviour), count, arguments...);
    return cudaPeekAtLastError();
}

template <typename Tune, typename Behaviour, typename... Arguments>
__global__ void __launch_bounds__(Tune::THREADS)
    cta_transform_kernel(Behaviour behaviour, uint64_t count, restricted<Arguments>... arguments)
{
    uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;

    behaviour(threadIdx.x, first, count - first < Tune::SIZE ? (unsigned)(count - first) : Tune::SIZE, arguments...);
}

// Calls behaviour(thread, first, size, arguments...) by all threads of a block for each tile: it begins at `first` and has
// `size` indices, Tune::SIZE but in the last one. The behaviour may have shared memory and barriers.
template <typename Tune = transform_tune, typename Behaviour, typename... Arguments>
cudaError_t cta_transform(Behaviour behaviour, uint64_t count, const context &on, Arguments... arguments)
{
    constexpr bool GOOD = is_called<Behaviour, void, unsigned, uint64_t, unsigned, Arguments &...>();
    static_assert(GOOD, "cta_transform: the function is called as f(unsigned thread, uint64_t first, unsigned size, "
                        "arguments...)");
    typedef called_as<GOOD, void, Behaviour> chosen;
    unsigned blocks;
    cudaError_t error = count_blocks<Tune::SIZE>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    cta_transform_kernel<Tune, chosen, Arguments...>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(chosen(behaviour), count, arguments...);
    return cudaPeekAtLastError();
}

} // namespace sb

#endif
