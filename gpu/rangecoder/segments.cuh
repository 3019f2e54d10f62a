// SPDX-License-Identifier: BSD-2-Clause
//
// For the coders of segments, rangecoder and mixcoder: the segments of their bytes, and how a block copies one.
#ifndef GPU_RANGECODER_SEGMENTS_CUH
#define GPU_RANGECODER_SEGMENTS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/workspace.cuh>

enum { COPY_THREADS = 128 }; // of a block that copies segments; not tuned

// Blocks that copy segments; block b copies segments b, b + 4096, ... A card runs at most 16 of 128 threads on each of its
// multiprocessors, so more blocks would not copy faster. Not tuned.
static const uint64_t MAX_COPY_BLOCKS = 4096;

namespace
{

// Ranks or bytes, cut into segments.
struct segmentation {
    uint64_t n, length, count; // number of bytes; bytes of a segment, or 0 if there is only one; number of segments

    // The index of the segment's first byte.
    __host__ __device__ uint64_t begin(uint64_t i) const
    {
        return i * length; // 0 for the only segment, whatever `length` is
    }
    // The index of the segment's last byte plus 1.
    __host__ __device__ uint64_t end(uint64_t i) const
    {
        return length == 0 || length > n - begin(i) ? n : begin(i) + length;
    }
    __host__ __device__ uint64_t size(uint64_t i) const
    {
        return end(i) - begin(i);
    }
    // The number of blocks of a kernel in which a block copies whole segments.
    unsigned blocks(void) const
    {
        return (unsigned)(count < MAX_COPY_BLOCKS ? count : MAX_COPY_BLOCKS);
    }
};

// Segments of `length` bytes, of which the last may be short; 0: one.
inline segmentation segmentation_of(uint64_t n, uint64_t length)
{
    return {n, length, length == 0 ? n != 0 : sb::divide_up(n, length)};
}

// Copies `size` bytes. All COPY_THREADS threads of the block call; no barrier.
__device__ inline void copy_by_block(uint8_t *to, const uint8_t *from, uint64_t size)
{
    for (uint64_t k = threadIdx.x; k < size; k += COPY_THREADS)
        to[k] = from[k];
}

} // namespace

#endif
