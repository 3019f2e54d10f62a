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

template <typename Tune, typename Items, typename T, typename Index>
__global__ void __launch_bounds__(Tune::THREADS)
    remove_kernel(Items items, uint64_t results, gaps<Index> gap, uint64_t removed, const uint64_t *split, T *kept)
{
    __shared__ unsigned word[Tune::SIZE];
    __shared__ unsigned warp_results[Tune::WARPS];
    const balanced_tile tile = balance_tile<Tune::SIZE>(split, blockIdx.x, removed, results);
    T item[Tune::EACH];

    if (tile.segments != 0)
        number_segments<Tune::THREADS>(tile, gap, removed, results, word, warp_results);
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < tile.items)
            item[i] = items[tile.first_item + at + tile.first_segment + (tile.segments != 0 ? number_of(word[at]) : 0)];
    }
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < tile.items)
            kept[tile.first_item + at] = item[i];
    }
}

// The merge of indices and items is the result itself, so a tile makes SIZE adjacent results: in shared memory first.
template <typename Tune, typename Items, typename T, typename Index, typename Values>
__global__ void __launch_bounds__(Tune::THREADS)
    insert_kernel(Items items, uint64_t count, const Index *index, Values values, uint64_t inserted,
                  const uint64_t *split, T *merged)
{
    __shared__ unsigned word[Tune::SIZE];
    __shared__ unsigned warp_results[Tune::WARPS];
    __shared__ T staged[Tune::SIZE];
    const balanced_tile tile = balance_tile<Tune::SIZE>(split, blockIdx.x, inserted, count);
    T *const to = merged + (uint64_t)blockIdx.x * Tune::SIZE;
    T item[Tune::EACH];

    load_rows<Tune::THREADS>(
        tile.items, [&](unsigned at) -> T { return items[tile.first_item + at]; }, T(), item);
    if (tile.segments != 0)
        number_segments<Tune::THREADS>(tile, index, inserted, count, word, warp_results,
                                       [&](unsigned slot, uint64_t k) {
                                           if (slot != 0)
                                               staged[slot - 1 + (index[k] - tile.first_item)] = values[k];
                                       });
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < tile.items)
            staged[at + (tile.segments != 0 ? number_of(word[at]) : 0)] = item[i];
    }
    __syncthreads(); // the results are staged
    for_rows<Tune::THREADS>(tile.items + tile.segments, [&](unsigned at) { to[at] = staged[at]; });
}

// Bytes of scratch memory for `count` items and as many indices as `indices`.
template <typename Tune = bulk_tune> uint64_t bulk_bytes(uint64_t count, uint64_t indices)
{
    return lbs_bytes<Tune>(count, indices);
}

// `kept` becomes the `count` items without those at index[0] .. index[removed - 1]. The indices ascend strictly and are
// below `count`.
template <typename Tune = bulk_tune, typename Items, typename T, typename Index>
cudaError_t bulk_remove(Items items, uint64_t count, const Index *index, uint64_t removed, T *kept, const context &on)
{
    const uint64_t results = count - removed;
    scratch space(on, bulk_bytes<Tune>(results, removed));
    uint64_t *split = (uint64_t *)space.memory();
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess)
        error = split_segments<Tune>(gaps<Index>{index}, removed, results, split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    remove_kernel<Tune>
        <<<blocks, Tune::THREADS, 0, on.stream>>>(items, results, gaps<Index>{index}, removed, split, kept);
    return cudaPeekAtLastError();
}

// `merged` becomes the `count` items, with values[k] before items[index[k]]; behind all items where the index is `count`.
// The indices do not descend, and values of one index keep their order.
template <typename Tune = bulk_tune, typename Items, typename T, typename Index, typename Values>
cudaError_t bulk_insert(Items items, uint64_t count, const Index *index, Values values, uint64_t inserted, T *merged,
                        const context &on)
{
    scratch space(on, bulk_bytes<Tune>(count, inserted));
    uint64_t *split = (uint64_t *)space.memory();
    unsigned blocks = 0;
    cudaError_t error = space.error();

    if (error == cudaSuccess)
        error = split_segments<Tune>(index, inserted, count, split, &blocks, on);
    if (error != cudaSuccess || blocks == 0)
        return error;
    insert_kernel<Tune><<<blocks, Tune::THREADS, 0, on.stream>>>(items, count, index, values, inserted, split, merged);
    return cudaPeekAtLastError();
}

} // namespace sb

#endif
