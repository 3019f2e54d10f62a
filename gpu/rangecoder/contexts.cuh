// SPDX-License-Identifier: BSD-2-Clause
//
// What encoder and decoder of ranks share: the nodes, a number for each context in which ref/rangecoder.h asks
// something, and their estimates, in shared memory, a column for each thread of a block.
#ifndef GPU_RANGECODER_CONTEXTS_CUH
#define GPU_RANGECODER_CONTEXTS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdint.h>

namespace
{

enum {
    LANES = 32,
    WARPS = 8,        // of a block
    MOST_OF_WARP = 8, // segments, a lane each: lanes wait for each other where their ways part
    MOST_OF_BLOCK = WARPS * MOST_OF_WARP,
    MOST_ALONE = 32 // blocks that are kept from sharing a multiprocessor
};

enum {
    KNOWN = 4,                        // bit lengths in contexts: 0, 1, 2, 3 or more
    LONGEST = 9,                      // bit length of a symbol
    RANK_NODE = 0,                    // + 4 a + b, with a, b the bit lengths of the two symbols before
    DIGIT_NODE = RANK_NODE + 16,      // + 4 a + b
    LONGER_2_NODE = DIGIT_NODE + 16,  // + 4 a + b
    LONGER_NODE = LONGER_2_NODE + 16, // + 6 a + k - 3
    FIRST_NODE = LONGER_NODE + 24,    // + l - 2
    SECOND_NODE = FIRST_NODE + 7,     // + 2 (l - 3) + first
    NODES = SECOND_NODE + 12
};

__device__ unsigned field(unsigned word, unsigned at, unsigned bits)
{
    return word >> at & ((1u << bits) - 1);
}

// How segments are dealt to threads.
struct deal {
    unsigned of_warp, blocks;

    // Segments of a block.
    __host__ __device__ unsigned of_block(void) const
    {
        return WARPS * of_warp;
    }
    // Which segment of its block is this thread's; of_block() or more: none.
    __device__ unsigned mine(void) const
    {
        unsigned lane = threadIdx.x % LANES;

        return lane < of_warp ? threadIdx.x / LANES * of_warp + lane : of_block();
    }
};

// The fast estimate and the slow one.
typedef uint2 estimate;

// Those of one thread.
struct estimates {
    estimate *column;
    unsigned columns;

    __device__ estimates(estimate *shared, unsigned mine, unsigned all) : column(shared + mine), columns(all)
    {
        for (unsigned node = 0; node < NODES; node++)
            column[node * columns] = make_uint2(32768, 32768);
    }
    __device__ estimate &of(unsigned node) const
    {
        return column[node * columns];
    }
};

__device__ unsigned probability(estimate e)
{
    return (e.x + e.y) / 2;
}

// e - (e >> s) is e + ((2^s - 1 - e) >> s), which rounds down: so either bit is the same steps.
__device__ estimate adapted(estimate e, unsigned bit)
{
    return make_uint2(e.x + ((int)((bit ? 65536 : 15) - e.x) >> 4), e.y + ((int)((bit ? 65536 : 127) - e.y) >> 7));
}

inline deal deal_of(uint64_t segments)
{
    const uint64_t each = segments / (MOST_ALONE / 2 * WARPS);
    deal d = {each < 1 ? 1 : each < MOST_OF_WARP ? (unsigned)each : (unsigned)MOST_OF_WARP, 0};

    d.blocks = (unsigned)((segments - 1) / d.of_block() + 1);
    return d;
}

// Dynamic shared memory of a kernel with so many bytes that are not. A chain of decisions waits for shared memory at
// every step, ten times as long beside a kernel that keeps it busy, and lasts for milliseconds; so few blocks take all
// there is of it, and with it the multiprocessor.
template <typename kernel> size_t shared_bytes(kernel k, const deal &d, size_t fixed)
{
    size_t bytes = (size_t)d.of_block() * NODES * sizeof(estimate);
    int device, most;

    if (d.blocks > MOST_ALONE || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess ||
        (size_t)most < bytes + fixed ||
        cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, most - (int)fixed) != cudaSuccess)
        return bytes;
    return (size_t)most - fixed;
}

__host__ __device__ uint64_t segment_end(uint64_t begin, uint64_t segment, uint64_t n)
{
    return segment == 0 || segment > n - begin ? n : begin + segment;
}

} // namespace

#endif
