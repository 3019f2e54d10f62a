// SPDX-License-Identifier: BSD-2-Clause
//
// For the encoder and the decoder of ranks: how segments are distributed to threads; the nodes, which number the
// decisions and contexts of ref/rangecoder.h; the estimates of the nodes. The estimates are in shared
// memory, one column for each thread of a block. Source: G. N. N. Martin, "Range encoding" (1979), with the binary
// decisions of ref/rangecoder.h.
#ifndef GPU_RANGECODER_CONTEXTS_CUH
#define GPU_RANGECODER_CONTEXTS_CUH

#include "segments.cuh"
#include <samebits/prim/warp.cuh>

namespace
{

enum {
    WARPS = 8,                // of a block; not tuned
    MAX_SEGMENTS_OF_WARP = 8, // one for each lane in use: lanes wait for each other where they diverge
    MAX_SEGMENTS_OF_BLOCK = WARPS * MAX_SEGMENTS_OF_WARP,
    MAX_BLOCKS_ALONE = 32 // a launch of up to so many blocks gives each a multiprocessor of its own; not tuned
};

enum {
    KNOWN = 4,   // bit lengths that contexts distinguish: 0, 1, 2, 3 or more
    LONGEST = 9, // max bit length of a symbol: 256 has 9 bits
    // The first node of each decision, and what is added to it. l: bit length of the symbol; a and b: bit lengths of
    // the preceding symbol and of the one before it, at most 3.
    RANK_NODE = 0,                    // is l > 1? + 4 a + b
    DIGIT_NODE = RANK_NODE + 16,      // the symbol, 0 or 1, if l <= 1: + 4 a + b
    LONGER_2_NODE = DIGIT_NODE + 16,  // is l > 2? + 4 a + b
    LONGER_NODE = LONGER_2_NODE + 16, // is l > k, for k = 3..8? + 6 a + k - 3
    FIRST_NODE = LONGER_NODE + 24,    // the first bit below the top bit: + l - 2
    SECOND_NODE = FIRST_NODE + 7,     // the second bit below the top bit: + 2 (l - 3) + the first
    NODES = SECOND_NODE + 12
};

// The `bits` bits of the word from bit `at` on.
__device__ unsigned field(unsigned word, unsigned at, unsigned bits)
{
    return word >> at & ((1u << bits) - 1);
}

// How segments are distributed to threads: the first `of_warp` lanes of each warp have one segment each.
struct deal {
    unsigned of_warp, blocks;

    // Segments of a block.
    __host__ __device__ unsigned of_block(void) const
    {
        return WARPS * of_warp;
    }
    // The number of this thread's segment in its block; of_block(): it has none.
    __device__ unsigned mine(void) const
    {
        return sb::lane_index() < of_warp ? sb::warp_index() * of_warp + sb::lane_index() : of_block();
    }
};

// Two estimates of the probability of a 1, in units of 2^-16. x adapts fast, by 1/16 of the error, and y slowly, by
// 1/128.
typedef uint2 estimate;

// The estimates of one thread, one for each node.
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

// After a 0, e - (e >> s) equals e + ((2^s - 1 - e) >> s), because the shift rounds down. So both bits take the same
// steps.
__device__ estimate adapted(estimate e, unsigned bit)
{
    return make_uint2(e.x + ((int)((bit ? 65536 : 15) - e.x) >> 4), e.y + ((int)((bit ? 65536 : 127) - e.y) >> 7));
}

inline deal deal_of(uint64_t segments)
{
    const uint64_t each = segments / (MAX_BLOCKS_ALONE / 2 * WARPS);
    deal d = {each < 1 ? 1 : each < MAX_SEGMENTS_OF_WARP ? (unsigned)each : (unsigned)MAX_SEGMENTS_OF_WARP, 0};

    d.blocks = (unsigned)sb::divide_up(segments, d.of_block());
    return d;
}

// The bytes of dynamic shared memory for a kernel that has `fixed` bytes of static shared memory. A chain of decisions
// takes milliseconds and waits for shared memory at every step. It waits ten times as long beside a kernel that keeps
// shared memory busy. Therefore, in a launch of few blocks, each block takes all shared memory of a multiprocessor, so
// that no other block runs there.
template <typename kernel> size_t shared_bytes(kernel k, const deal &d, size_t fixed)
{
    size_t bytes = (size_t)d.of_block() * NODES * sizeof(estimate);
    int device, max_bytes;

    if (d.blocks > MAX_BLOCKS_ALONE || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&max_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess ||
        (size_t)max_bytes < bytes + fixed ||
        cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, max_bytes - (int)fixed) != cudaSuccess)
        return bytes;
    return (size_t)max_bytes - fixed;
}

} // namespace

#endif
