// SPDX-License-Identifier: BSD-2-Clause
//
// merge: two sorted sequences become one, of keys, or of keys with values. Stable: of equal keys those of a come first.
//
// A first kernel searches where the tiles of the result begin in a and in b, a thread for each tile. Then a block loads
// the two stretches that make its tile to shared memory, each thread finds its part of the result on the merge path and
// merges it serially, and the results leave through shared memory.
// Source: O. Green, R. McColl and D. Bader, "GPU merge path" (2012).
// Cost: everything is read once and written once; scratch memory of 8 bytes a tile.
#ifndef SAMEBITS_PATTERN_MERGE_CUH
#define SAMEBITS_PATTERN_MERGE_CUH

#include <samebits/pattern/sequence.cuh>
#include <samebits/prim/merge_path.cuh>

namespace sb
{

// For functions that take keys alone: values of no kind.
struct no_values {
};

// Searches of a kernel that cuts merges into tiles: a thread each.
enum : unsigned { SPLIT_THREADS = 128 };

template <typename A, typename B, typename Less>
__global__ void __launch_bounds__(SPLIT_THREADS)
    split_merge_kernel(A a, uint64_t a_count, B b, uint64_t b_count, Less less, uint64_t tiles, unsigned size,
                       uint64_t *split)
{
    uint64_t tile = (uint64_t)blockIdx.x * SPLIT_THREADS + threadIdx.x;

    if (tile < tiles)
        split[tile] = merge_path(a, a_count, b, b_count, tile * size, less);
}

// The first `count` elements of a tile come to shared memory: element i is load(i). Adjacent threads take adjacent elements. All
// threads call; a barrier must follow.
template <typename Tune, typename T, typename Load>
__device__ __forceinline__ void load_tile(Load load, unsigned count, T (&buffer)[Tune::SIZE])
{
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            buffer[at] = load(at);
    }
}

// And from there to `to`. A barrier must precede.
template <typename Tune, typename T>
__device__ __forceinline__ void store_tile(const T (&buffer)[Tune::SIZE], unsigned count, T *to)
{
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            to[at] = buffer[at];
    }
}

// The values of a tile go the way of its keys, in shared memory: value i of the thread comes from index[i], where load(index)
// reads it. All threads call; ends with a barrier.
template <typename Tune, typename Value, typename Load>
__device__ __forceinline__ void permute_values(Load load, unsigned count, const unsigned (&index)[Tune::EACH],
                                               Value (&buffer)[Tune::SIZE])
{
    load_tile<Tune>(load, count, buffer);
    __syncthreads(); // the values are loaded
    Value mine[Tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        if (threadIdx.x * Tune::EACH + i < count)
            mine[i] = buffer[index[i]];
    __syncthreads(); // all threads have taken theirs
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        if (threadIdx.x * Tune::EACH + i < count)
            buffer[threadIdx.x * Tune::EACH + i] = mine[i];
    __syncthreads(); // the values are permuted
}

// The same, and the values are stored from `first` on.
template <typename Tune, typename Value, typename Load>
__device__ __forceinline__ void merge_values(Load load, unsigned count, const unsigned (&index)[Tune::EACH],
                                             Value (&buffer)[Tune::SIZE], uint64_t first, Value *merged)
{
    permute_values<Tune>(load, count, index, buffer);
    store_tile<Tune>(buffer, count, merged + first);
}

// The tile's keys are loaded and merged: key[i] and index[i] of the thread, and `buffer` has the merged keys. Key j of the
// tile is load(j); the first a_count of the `count` keys are those of a.
template <typename Tune, typename Key, typename Load, typename Less>
__device__ __forceinline__ void merge_tile(Load load, unsigned a_count, unsigned count, const Less &less,
                                           Key (&key)[Tune::EACH], unsigned (&index)[Tune::EACH],
                                           Key (&buffer)[Tune::SIZE])
{
    if (count == Tune::SIZE) {
        Key loaded[Tune::EACH];

#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            loaded[i] = load(i * Tune::THREADS + threadIdx.x);
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            buffer[i * Tune::THREADS + threadIdx.x] = loaded[i];
    } else {
        for (unsigned at = threadIdx.x; at < count; at += Tune::THREADS)
            buffer[at] = load(at);
    }
    __syncthreads(); // both stretches are loaded
    unsigned mine = threadIdx.x * Tune::EACH < count ? threadIdx.x * Tune::EACH : count;
    const Key *keys = buffer;
    unsigned from_a = merge_path(keys, a_count, keys + a_count, count - a_count, mine, less);

    merge_serially(keys, from_a, a_count, a_count + mine - from_a, count, less, key, index);
    __syncthreads(); // all threads have merged
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        if (count == Tune::SIZE || threadIdx.x * Tune::EACH + i < count)
            buffer[threadIdx.x * Tune::EACH + i] = key[i];
    __syncthreads(); // the merged keys are in the buffer
}

template <typename Tune, typename A, typename AValues, typename B, typename BValues, typename Less, typename Key,
          typename Value>
__global__ void __launch_bounds__(Tune::THREADS)
    merge_kernel(A a, AValues a_values, uint64_t a_count, B b, BValues b_values, uint64_t b_count, Less less,
                 const uint64_t *split, Key *merged, Value *merged_values)
{
    __shared__ Key buffer[Tune::SIZE];
    uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE, all = a_count + b_count;
    unsigned count = all - first < Tune::SIZE ? (unsigned)(all - first) : Tune::SIZE;
    uint64_t a_first = split[blockIdx.x], b_first = first - a_first;
    unsigned from_a =
        (unsigned)((count < Tune::SIZE || first + count == all ? a_count : split[blockIdx.x + 1]) - a_first);
    Key key[Tune::EACH];
    unsigned index[Tune::EACH];

    merge_tile<Tune>([&](unsigned at) -> Key { return at < from_a ? a[a_first + at] : b[b_first + (at - from_a)]; },
                     from_a, count, less, key, index, buffer);
    store_tile<Tune>(buffer, count, merged + first);
    if constexpr (!std::is_same<AValues, no_values>::value) {
        __shared__ Value values[Tune::SIZE];

        merge_values<Tune>(
            [&](unsigned at) -> Value {
                return at < from_a ? a_values[a_first + at] : b_values[b_first + (at - from_a)];
            },
            count, index, values, first, merged_values);
    }
}

// Threads and items for merges of keys of BYTES bytes. Not tuned.
template <unsigned BYTES> struct merge_tune : tune<256, BYTES <= 4 ? 15 : BYTES <= 8 ? 11 : BYTES <= 16 ? 5 : 3> {
};

// Bytes of scratch memory that a merge of a_count + b_count = `count` keys of type Key needs.
template <typename Key, typename Tune = merge_tune<sizeof(Key)>> uint64_t merge_bytes(uint64_t count)
{
    return divide_up(count, Tune::SIZE) * sizeof(uint64_t);
}

template <typename Tune, typename A, typename AValues, typename B, typename BValues, typename Less, typename Key,
          typename Value>
cudaError_t merge_by(A a, AValues a_values, uint64_t a_count, B b, BValues b_values, uint64_t b_count, Less less,
                     Key *merged, Value *merged_values, const context &on)
{
    constexpr bool GOOD = is_called<Less, bool, Key &, Key &>();
    static_assert(GOOD, "merge: the comparison is called as bool less(key, key)");
    const called_as<GOOD, bool, Less> before(less);
    uint64_t count = a_count + b_count;
    unsigned blocks;
    cudaError_t error = count_blocks<Tune::SIZE>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    scratch space(on, merge_bytes<Key, Tune>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    uint64_t *split = (uint64_t *)space.memory();

    split_merge_kernel<<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(a, a_count, b, b_count, before,
                                                                                    blocks, Tune::SIZE, split);
    merge_kernel<Tune><<<blocks, Tune::THREADS, 0, on.stream>>>(a, a_values, a_count, b, b_values, b_count, before,
                                                                split, merged, merged_values);
    return cudaPeekAtLastError();
}

// `merged` becomes the keys of a and b in the order of `less`, which both have already.
template <typename A, typename B, typename Key, typename Less>
cudaError_t merge(A a, uint64_t a_count, B b, uint64_t b_count, Key *merged, Less less, const context &on)
{
    return merge_by<merge_tune<sizeof(Key)>>(a, no_values(), a_count, b, no_values(), b_count, less, merged,
                                             (no_values *)nullptr, on);
}

// The same, and values go with their keys.
template <typename A, typename AValues, typename B, typename BValues, typename Key, typename Value, typename Less>
cudaError_t merge(A a, AValues a_values, uint64_t a_count, B b, BValues b_values, uint64_t b_count, Key *merged,
                  Value *merged_values, Less less, const context &on)
{
    return merge_by<merge_tune<sizeof(Key)>>(a, a_values, a_count, b, b_values, b_count, less, merged, merged_values,
                                             on);
}

} // namespace sb

#endif
