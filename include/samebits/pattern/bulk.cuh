// SPDX-License-Identifier: BSD-2-Clause
//
// bulk_remove: all items of a sequence but those at given indices. bulk_insert: other items put between them.
//
//     items a b c d e     remove 1 3          a c e
//                         insert 1 x, 1 y     a x y b c d e
//
// Both are load-balancing searches (prim/load_balance.cuh). Insert: the indices are the starts of segments, so item i is in
// the segment of all that is inserted before it, and moves behind as many. Remove: result i is item i + j, where j indices
// are removed before it, those for which index[k] - k is not above i; these differences do not descend, so they are starts
// of segments, too.
// Source: S. Baxter, "Modern GPU" (2013).
// Cost: items are read once, indices twice, results are written once; scratch memory of 8 bytes a tile.
#ifndef SAMEBITS_PATTERN_BULK_CUH
#define SAMEBITS_PATTERN_BULK_CUH

#include <samebits/pattern/transform_lbs.cuh>

namespace sb
{

// Where the gaps that removed items leave are in the results.
template <typename Index> struct gaps {
    const Index *index;

    __device__ __forceinline__ uint64_t operator[](uint64_t k) const
    {
        return (uint64_t)index[k] - k;
    }
};

// 15 items a thread: more loads in flight than lbs_tune, and no starts of segments are read again. Not tuned.
typedef tune<256, 15> bulk_tune;

template <typename Items, typename T, typename Index>
__global__ void __launch_bounds__(bulk_tune::THREADS)
    remove_kernel(Items items, uint64_t results, gaps<Index> gap, uint64_t removed, const uint64_t *split, T *kept)
{
    __shared__ unsigned number[bulk_tune::SIZE];
    __shared__ unsigned warp_results[bulk_tune::WARPS];
    const balanced_tile tile = balance_tile<bulk_tune::SIZE>(split, blockIdx.x, removed, results);
    T item[bulk_tune::EACH];

    if (tile.segments != 0)
        number_segments<bulk_tune::THREADS>(tile, gap, removed, results, number, warp_results);
#pragma unroll
    for (unsigned i = 0; i < bulk_tune::EACH; i++) {
        unsigned at = i * bulk_tune::THREADS + threadIdx.x;

        if (at < tile.items)
            item[i] = items[tile.first_item + at + tile.first_segment + (tile.segments != 0 ? number[at] : 0)];
    }
#pragma unroll
    for (unsigned i = 0; i < bulk_tune::EACH; i++) {
        unsigned at = i * bulk_tune::THREADS + threadIdx.x;

        if (at < tile.items)
            kept[tile.first_item + at] = item[i];
    }
}

template <typename Items, typename T, typename Index, typename Values>
__global__ void __launch_bounds__(bulk_tune::THREADS)
    insert_kernel(Items items, uint64_t count, const Index *index, Values values, uint64_t inserted,
                  const uint64_t *split, T *merged)
{
    __shared__ unsigned number[bulk_tune::SIZE];
    __shared__ unsigned warp_results[bulk_tune::WARPS];
    const balanced_tile tile = balance_tile<bulk_tune::SIZE>(split, blockIdx.x, inserted, count);
    T item[bulk_tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < bulk_tune::EACH; i++) {
        unsigned at = i * bulk_tune::THREADS + threadIdx.x;

        if (at < tile.items)
            item[i] = items[tile.first_item + at];
    }
    for (unsigned s = threadIdx.x; s < tile.segments; s += bulk_tune::THREADS) {
        uint64_t k = tile.first_segment + s;

        merged[k + index[k]] = values[k];
    }
    if (tile.segments != 0)
        number_segments<bulk_tune::THREADS>(tile, index, inserted, count, number, warp_results);
#pragma unroll
    for (unsigned i = 0; i < bulk_tune::EACH; i++) {
        unsigned at = i * bulk_tune::THREADS + threadIdx.x;

        if (at < tile.items)
            merged[tile.first_item + at + tile.first_segment + (tile.segments != 0 ? number[at] : 0)] = item[i];
    }
}

// Bytes of scratch memory for `count` items and as many indices as `indices`.
inline uint64_t bulk_bytes(uint64_t count, uint64_t indices)
{
    return lbs_bytes<bulk_tune>(count, indices);
}

// `kept` becomes the `count` items without those at index[0] .. index[removed - 1]. The indices ascend strictly and are
// below `count`.
template <typename Items, typename T, typename Index>
cudaError_t bulk_remove(Items items, uint64_t count, const Index *index, uint64_t removed, T *kept, const context &on)
{
    const uint64_t results = count - removed;
    scratch space(on, bulk_bytes(results, removed));
    uint64_t *split = (uint64_t *)space.memory();
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess)
        error = split_segments<bulk_tune>(gaps<Index>{index}, removed, results, split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    remove_kernel<<<blocks, bulk_tune::THREADS, 0, on.stream>>>(items, results, gaps<Index>{index}, removed, split,
                                                                kept);
    return cudaPeekAtLastError();
}

// `merged` becomes the `count` items, with values[k] before items[index[k]]; behind all items where the index is `count`.
// The indices do not descend, and values of one index keep their order.
template <typename Items, typename T, typename Index, typename Values>
cudaError_t bulk_insert(Items items, uint64_t count, const Index *index, Values values, uint64_t inserted, T *merged,
                        const context &on)
{
    scratch space(on, bulk_bytes(count, inserted));
    uint64_t *split = (uint64_t *)space.memory();
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess)
        error = split_segments<bulk_tune>(index, inserted, count, split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    insert_kernel<<<blocks, bulk_tune::THREADS, 0, on.stream>>>(items, count, index, values, inserted, split, merged);
    return cudaPeekAtLastError();
}

} // namespace sb

#endif
