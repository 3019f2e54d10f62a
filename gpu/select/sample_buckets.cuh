// SPDX-License-Identifier: BSD-2-Clause
//
// Buckets between the keys of a sorted random sample, which any distribution fills about evenly: the selections of one key
// and of many share this.
//
// A block sorts random keys between the smallest and the largest word: the splitters. There are two buckets for each: bucket
// 2i has the keys equal to splitter i, and bucket 2i + 1 those above it up to the next one. So equal keys, however many, are
// in buckets whose key is known.
#ifndef GPU_SELECT_SAMPLE_BUCKETS_CUH
#define GPU_SELECT_SAMPLE_BUCKETS_CUH

#include "keys.cuh"
#include <samebits/prim/sort.cuh>
#include <samebits/prim/workspace.cuh>

namespace
{

// The splitters fill 8 KiB of shared memory.
template <typename Word> struct splitting {
    enum { SORT_EACH = 32 / sizeof(Word), SPLITTERS = THREADS * SORT_EACH, BUCKETS = 2 * SPLITTERS };
};

} // namespace

// Draws the splitters, of which thread t holds those from t * SORT_EACH on, in order. One block, which may use `exchange`
// again after a barrier.
template <typename Word>
static __device__ void draw_splitters(const key_array<Word> &from, uint64_t seed, unsigned round,
                                      Word (&mine)[splitting<Word>::SORT_EACH],
                                      Word (&exchange)[splitting<Word>::SPLITTERS])
{
    typedef splitting<Word> sizes;

#pragma unroll
    for (unsigned i = 0; i < sizes::SORT_EACH; i++) {
        const unsigned at = threadIdx.x * sizes::SORT_EACH + i;

        mine[i] = at == 0 ? 0 : at == sizes::SPLITTERS - 1 ? ~(Word)0 : from[sb::sample_index(seed, round, at, from.n)];
    }
    sb::block_sort<THREADS>(mine, exchange);
}

// The bucket of a word: that of the last splitter that is not above it.
template <unsigned SPLITTERS, typename Word>
static __device__ __forceinline__ unsigned find_bucket(const Word (&splitter)[SPLITTERS], Word word)
{
    unsigned at = 0; // splitter 0 is the smallest word

#pragma unroll
    for (unsigned step = SPLITTERS / 2; step > 0; step /= 2)
        at += splitter[at + step] <= word ? step : 0;
    return 2 * at + (splitter[at] != word);
}

// Counts the keys of each bucket in `count`. All threads of all blocks call; two barriers.
template <typename Word>
static __device__ void count_in_buckets(const key_array<Word> &from, const Word *splitters,
                                        Word (&splitter)[splitting<Word>::SPLITTERS],
                                        unsigned (&counts)[splitting<Word>::BUCKETS], unsigned long long *count)
{
    typedef key_array<Word> array;
    typedef splitting<Word> sizes;
    const uint64_t tiles = from.tiles();

    for (unsigned i = threadIdx.x; i < sizes::SPLITTERS; i += THREADS)
        splitter[i] = splitters[i];
    for (unsigned i = threadIdx.x; i < sizes::BUCKETS; i += THREADS)
        counts[i] = 0;
    __syncthreads(); // the splitters are there, all counters are 0
    for (uint64_t tile = (uint64_t)blockIdx.x * WARPS + sb::warp_index(); tile < tiles;
         tile += (uint64_t)gridDim.x * WARPS) {
        Word word[array::EACH];
        const unsigned present = from.load(tile, 0, word);

#pragma unroll
        for (unsigned i = 0; i < array::EACH; i++)
            if (present >> i & 1)
                atomicAdd(&counts[find_bucket(splitter, word[i])], 1u);
    }
    __syncthreads(); // every warp has counted
    for (unsigned i = threadIdx.x; i < sizes::BUCKETS; i += THREADS)
        if (counts[i] != 0)
            atomicAdd(&count[i], (unsigned long long)counts[i]);
}

#endif
