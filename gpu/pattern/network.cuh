// SPDX-License-Identifier: BSD-2-Clause
//
// Sorting networks: what pattern.sort/bitonic, pattern.sort/odd_even and pattern.merge/bitonic share.
//
// A network is a fixed list of steps; in a step each element is compared with at most one partner, and the smaller one goes
// to the lower index. All comparisons point the same way, so the elements between n and the next power of two can be left
// out: they would be the largest, and never move.
// An element is a key as an ordered word (prim/keys.cuh) with its index; so no two are equal, and the order is stable.
//
// A block does all steps that stay in its tile of 2048 elements in shared memory; the other steps are a kernel each.
// Shared memory: the tile, 16 KiB, or 32 KiB for keys of 64 bits.
// Cost: elements of 8 bytes (16 for keys of 64 bits) are read and written once for each step that leaves the tiles, and once
// for each merge that ends in them.
// Source: K. E. Batcher, "Sorting networks and their applications" (1968).
#ifndef GPU_PATTERN_NETWORK_CUH
#define GPU_PATTERN_NETWORK_CUH

#include "keys.cuh"
#include <samebits/pattern/transform.cuh>

enum {
    NETWORK_THREADS = 256, // not tuned
    NETWORK_TILE = 2048    // elements: a power of two
};

namespace
{

// A key of 32 bits and its index in one word; one of 64 bits with its index beside it.
template <typename Word> struct element;

template <> struct element<uint32_t> {
    uint64_t both;

    static __device__ __forceinline__ element of(uint32_t key, uint32_t index)
    {
        return {(uint64_t)key << 32 | index};
    }
    __device__ __forceinline__ uint32_t key() const
    {
        return (uint32_t)(both >> 32);
    }
    __device__ __forceinline__ uint32_t index() const
    {
        return (uint32_t)both;
    }
    __device__ __forceinline__ bool before(const element &other) const
    {
        return both < other.both;
    }
};

template <> struct element<uint64_t> {
    uint64_t word, place;

    static __device__ __forceinline__ element of(uint64_t key, uint32_t index)
    {
        return {key, index};
    }
    __device__ __forceinline__ uint64_t key() const
    {
        return word;
    }
    __device__ __forceinline__ uint32_t index() const
    {
        return (uint32_t)place;
    }
    __device__ __forceinline__ bool before(const element &other) const
    {
        return word < other.word || (word == other.word && place < other.place);
    }
};

} // namespace

template <typename Element>
static __device__ __forceinline__ void compare_exchange(Element *elements, uint64_t low, uint64_t high)
{
    const Element first = elements[low], second = elements[high];

    if (second.before(first)) {
        elements[low] = second;
        elements[high] = first;
    }
}

// A network says with which element another one is compared in a step: Network::partner(i, size, step), i if with none; the
// step is one of a merge of runs of size / 2. Steps of merges of more than a tile stay in the tiles below MIN_WIDE.
//
// All steps from (size, step) on, up to merges of `last_size`, none of which leaves its tile.
template <typename Network, typename Element>
static __global__ void __launch_bounds__(NETWORK_THREADS)
    network_tile(Element *elements, uint64_t n, uint64_t size, uint64_t step, uint64_t last_size)
{
    __shared__ Element tile[NETWORK_TILE];
    const uint64_t first = (uint64_t)blockIdx.x * NETWORK_TILE;
    const uint64_t count = n - first < NETWORK_TILE ? n - first : (uint64_t)NETWORK_TILE;

    for (unsigned i = threadIdx.x; i < count; i += NETWORK_THREADS)
        tile[i] = elements[first + i];
    for (; size <= last_size; size *= 2, step = size / 2)
        for (; step > 0; step /= 2) {
            __syncthreads(); // the step before, or the load, is done
            for (uint64_t i = threadIdx.x; i < NETWORK_TILE; i += NETWORK_THREADS) {
                const uint64_t partner = Network::partner(first + i, size, step) - first;

                if (partner > i && partner < count)
                    compare_exchange(tile, i, partner);
            }
        }
    __syncthreads(); // the last step is done
    for (unsigned i = threadIdx.x; i < count; i += NETWORK_THREADS)
        elements[first + i] = tile[i];
}

namespace
{

// One step of the whole network, for element i; the lower one of two does the work.
template <typename Network> struct network_step {
    uint64_t count, size, step;

    template <typename Element> __device__ __forceinline__ void operator()(uint64_t i, Element *elements) const
    {
        const uint64_t partner = Network::partner(i, size, step);

        if (partner > i && partner < count)
            compare_exchange(elements, i, partner);
    }
};

} // namespace

// One merge of a network, of runs of size / 2.
template <typename Network, typename Element>
static cudaError_t merge_by_network(Element *elements, uint64_t n, uint64_t size)
{
    const unsigned tiles = (unsigned)sb::divide_up(n, NETWORK_TILE);
    uint64_t step = size / 2;
    cudaError_t error = cudaSuccess;

    for (; step >= Network::MIN_WIDE && error == cudaSuccess; step /= 2)
        error = sb::transform(network_step<Network>{n, size, step}, n, sb::context(), elements);
    if (step > 0)
        network_tile<Network><<<tiles, NETWORK_THREADS>>>(elements, n, size, step, size);
    return error == cudaSuccess ? cudaPeekAtLastError() : error;
}

#endif
