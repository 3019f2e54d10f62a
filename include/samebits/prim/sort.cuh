// SPDX-License-Identifier: BSD-2-Clause
//
// Sorts a small array of words by one thread, one warp or one block: all of it in registers, so nothing is read or written but
// to exchange.
//
// A bitonic network: runs of 1, 2, 4, ... words become runs twice as long by comparing words that are a power of two
// apart. Words of one thread are compared in its registers, those of one warp by shuffles, and only those of different
// warps go through shared memory. The network does not depend on the words, so neither does the time.
// Source: K. Batcher, "Sorting networks and their applications" (1968).
#ifndef SAMEBITS_PRIM_SORT_CUH
#define SAMEBITS_PRIM_SORT_CUH

#include <samebits/prim/warp.cuh>

namespace sb
{

// Puts the smaller word first, or the larger one unless `ascending`. Any thread may call.
template <typename Word> __device__ __forceinline__ void order_pair(Word &first, Word &second, bool ascending)
{
    Word smaller = second < first ? second : first, larger = second < first ? first : second;

    first = ascending ? smaller : larger;
    second = ascending ? larger : smaller;
}

// The words of a thread in ascending order: Batcher's odd-even merge network. EACH is a power of two. Any thread may call.
template <unsigned EACH, typename Word> __device__ __forceinline__ void sort_in_thread(Word (&mine)[EACH])
{
    static_assert((EACH & (EACH - 1)) == 0, "a power of two");

#pragma unroll
    for (unsigned run = 1; run < EACH; run *= 2)
#pragma unroll
        for (unsigned stride = run; stride > 0; stride /= 2)
#pragma unroll
            for (unsigned i = stride % run; i + stride < EACH; i++)
                if ((i - stride % run) / stride % 2 == 0 && i / (2 * run) == (i + stride) / (2 * run))
                    order_pair(mine[i], mine[i + stride], true);
}

// The same for a bitonic sequence: words that ascend and then descend, or the other way round.
template <unsigned EACH, typename Word> __device__ __forceinline__ void sort_bitonic(Word (&mine)[EACH])
{
    static_assert((EACH & (EACH - 1)) == 0, "a power of two");

#pragma unroll
    for (unsigned stride = EACH / 2; stride > 0; stride /= 2)
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            if ((i & stride) == 0)
                order_pair(mine[i], mine[i | stride], true);
}

// Sorts the words of a warp: afterwards lane 0 has the smallest EACH of them. Runs of 1, 2, 4, ... lanes become runs twice
// as long: word i from the start of the first run is compared with word i from the end of the second, so that the halves
// are bitonic, and all comparisons point the same way.
template <unsigned EACH, typename Word> __device__ __forceinline__ void warp_sort(Word (&mine)[EACH])
{
    static_assert(EACH % 2 == 0, "words of a thread change in pairs");

    sort_in_thread(mine);
#pragma unroll
    for (unsigned lanes = 2; lanes <= WARP_LANES; lanes *= 2) {
        const bool first = (lane_index() & (lanes / 2)) == 0;

#pragma unroll
        for (unsigned i = 0; i < EACH / 2; i++) {
            const Word last = shuffle_xor(mine[EACH - 1 - i], lanes - 1), other = shuffle_xor(mine[i], lanes - 1);
            Word &end = mine[EACH - 1 - i];

            mine[i] = first ? minimum()(mine[i], last) : maximum()(mine[i], last);
            end = first ? minimum()(end, other) : maximum()(end, other);
        }
#pragma unroll
        for (unsigned apart = lanes / 4; apart > 0; apart /= 2) {
            const bool lower = (lane_index() & apart) == 0;

#pragma unroll
            for (unsigned i = 0; i < EACH; i++) {
                const Word other = shuffle_xor(mine[i], apart);

                mine[i] = lower ? minimum()(mine[i], other) : maximum()(mine[i], other);
            }
        }
        sort_bitonic(mine);
    }
}

// What the caller keeps of its word and its partner's.
template <typename Word> __device__ __forceinline__ Word keep(Word mine, Word other, bool smaller)
{
    return (other < mine) == smaller ? other : mine;
}

// Sorts the words of the block, in blocked arrangement (block.cuh), in ascending order. THREADS and EACH are powers of
// two; all threads call. Two barriers for each exchange between warps, the second after `exchange` has been read, and
// no other: with one warp none.
template <unsigned THREADS, unsigned EACH, typename Word>
__device__ __forceinline__ void block_sort(Word (&mine)[EACH], Word (&exchange)[THREADS * EACH])
{
    static_assert((THREADS & (THREADS - 1)) == 0 && (EACH & (EACH - 1)) == 0, "powers of two");

    // Runs within a thread. Here alone the direction differs among the words of a thread.
#pragma unroll
    for (unsigned size = 2; size <= EACH; size *= 2)
#pragma unroll
        for (unsigned stride = size / 2; stride > 0; stride /= 2)
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                if ((i & stride) == 0)
                    order_pair(mine[i], mine[i | stride], ((threadIdx.x * EACH + i) & size) == 0);

    for (unsigned threads = 2; threads <= THREADS; threads *= 2) { // a run is that of so many threads
        const bool ascending = (threadIdx.x & threads) == 0;

        for (unsigned apart = threads / 2; apart > 0; apart /= 2) {
            const bool smaller = ((threadIdx.x & apart) == 0) == ascending;

            if (apart < WARP_LANES) {
#pragma unroll
                for (unsigned i = 0; i < EACH; i++)
                    mine[i] = keep(mine[i], shuffle_xor(mine[i], apart), smaller);
                continue;
            }
            // Word i of all threads lies together, so that the threads of a warp meet different banks.
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                exchange[i * THREADS + threadIdx.x] = mine[i];
            __syncthreads(); // all words can be read
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                mine[i] = keep(mine[i], exchange[i * THREADS + (threadIdx.x ^ apart)], smaller);
            __syncthreads(); // all words have been read
        }
#pragma unroll
        for (unsigned stride = EACH / 2; stride > 0; stride /= 2)
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                if ((i & stride) == 0)
                    order_pair(mine[i], mine[i | stride], ascending);
    }
}

} // namespace sb

#endif
