// SPDX-License-Identifier: BSD-2-Clause
//
// What the histograms share: the input as aligned vectors of 16 bytes, with less than one at both ends, and a grid that
// fills the device.
#ifndef GPU_PATTERN_HISTOGRAM_VECTORS_CUH
#define GPU_PATTERN_HISTOGRAM_VECTORS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>

enum { LANES = 32, SYMBOLS = 256, VECTOR = sizeof(uint4) };

namespace
{

struct vectors {
    const uint8_t *bytes; // n of them: `head`, then count vectors, then the rest
    uint64_t n, count;
    unsigned head;
};

} // namespace

static vectors cut_vectors(const sb_array &in)
{
    uint64_t head = -(uintptr_t)in.data % VECTOR;

    if (head > in.length)
        head = in.length;
    return {(const uint8_t *)in.data, in.length, (in.length - head) / VECTOR, (unsigned)head};
}

static __device__ __forceinline__ uint4 vector_at(const vectors &v, uint64_t i)
{
    return ((const uint4 *)(v.bytes + v.head))[i];
}

// Calls tally(byte) for each byte before the first vector and behind the last: the first threads of one block do.
template <typename Tally> static __device__ __forceinline__ void tally_ends(const vectors &v, Tally tally)
{
    uint64_t behind = v.head + v.count * VECTOR + threadIdx.x;

    if (threadIdx.x < v.head)
        tally(v.bytes[threadIdx.x]);
    if (behind < v.n)
        tally(v.bytes[behind]);
}

// Calls tally(byte) for each byte of a vector, in order.
template <typename Tally> static __device__ __forceinline__ void tally_vector(const uint4 &vector, Tally tally)
{
    const uint32_t word[4] = {vector.x, vector.y, vector.z, vector.w};

#pragma unroll
    for (unsigned i = 0; i < VECTOR; i++)
        tally(word[i / 4] >> i % 4 * 8 & 255);
}

// As many blocks as run at once, but none without work of its own; at least one.
static unsigned blocks_for(const void *kernel, unsigned threads, uint64_t pieces)
{
    int device = 0, processors = 1, resident = 1;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, (int)threads, 0) != cudaSuccess ||
        resident < 1)
        return 1;
    uint64_t most = (uint64_t)processors * (unsigned)resident;
    return (unsigned)(pieces == 0 ? 1 : pieces < most ? pieces : most);
}

#endif
