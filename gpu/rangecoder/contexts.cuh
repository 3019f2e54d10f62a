// SPDX-License-Identifier: BSD-2-Clause
//
// What the encoder and the decoder of ranks share: the segments and how they are dealt to threads; the nodes, which are
// numbers for the contexts in which ref/rangecoder.h makes a decision; and their estimates, in shared memory, a column
// for each thread of a block.
// Source: G. N. N. Martin, "Range encoding" (1979), with the binary decisions of ref/rangecoder.h.
#ifndef GPU_RANGECODER_CONTEXTS_CUH
#define GPU_RANGECODER_CONTEXTS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/block.cuh>

namespace
{

enum {
    WARPS = 8,                // of a block; not tuned
    MAX_SEGMENTS_OF_WARP = 8, // a lane each: lanes wait for each other where their branches part
    MAX_SEGMENTS_OF_BLOCK = WARPS * MAX_SEGMENTS_OF_WARP,
    MAX_BLOCKS_ALONE = 32, // so few blocks are kept from sharing a multiprocessor; not tuned
    COPY_THREADS = 128     // of a block that copies segments; not tuned
};

static const uint64_t MAX_COPY_BLOCKS = 65536; // each takes a segment, and then the one that many further on

enum {
    KNOWN = 4,                        // bit lengths that contexts tell apart: 0, 1, 2, 3 or more
    LONGEST = 9,                      // bit length of a symbol: 256 is the largest
    RANK_NODE = 0,                    // + 4 a + b, with a, b the bit lengths of the two symbols before
    DIGIT_NODE = RANK_NODE + 16,      // + 4 a + b
    LONGER_2_NODE = DIGIT_NODE + 16,  // + 4 a + b
    LONGER_NODE = LONGER_2_NODE + 16, // + 6 a + k - 3
    FIRST_NODE = LONGER_NODE + 24,    // + l - 2
    SECOND_NODE = FIRST_NODE + 7,     // + 2 (l - 3) + first
    NODES = SECOND_NODE + 12
};

// The `bits` bits of the word from bit `at` on.
__device__ unsigned field(unsigned word, unsigned at, unsigned bits)
{
    return word >> at & ((1u << bits) - 1);
}

// The ranks, cut into segments.
struct segmentation {
    uint64_t n, length, count; // ranks; of a segment, 0 if there is only one; segments

    // The segment's first rank.
    __host__ __device__ uint64_t begin(uint64_t i) const
    {
        return i * length; // the only segment may have any length, and begins at 0
    }
    // Behind the segment's last rank.
    __host__ __device__ uint64_t end(uint64_t i) const
    {
        return length == 0 || length > n - begin(i) ? n : begin(i) + length;
    }
    __host__ __device__ uint64_t size(uint64_t i) const
    {
        return end(i) - begin(i);
    }
    // Blocks of a kernel that takes a segment a block.
    unsigned blocks(void) const
    {
        return (unsigned)(count < MAX_COPY_BLOCKS ? count : MAX_COPY_BLOCKS);
    }
};

// How segments are dealt to threads: of each warp, the first lanes have one each.
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
        return sb::lane_index() < of_warp ? sb::warp_index() * of_warp + sb::lane_index() : of_block();
    }
};

// Of a probability, scaled to 16 bits: x adapts fast, by a 16th of the error, and y slowly, by a 128th.
typedef uint2 estimate;

// The estimates of one thread, a node each.
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

// e - (e >> s) is e + ((2^s - 1 - e) >> s), as the shift rounds down: so either bit takes the same steps.
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
// waits for shared memory at every step, ten times as long beside a kernel that keeps it busy, and lasts for
// milliseconds; so where there are few blocks, each takes all shared memory of a multiprocessor, and with it the
// multiprocessor.
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

// Copies `size` bytes. All COPY_THREADS threads of the block call; no barrier.
__device__ void copy_by_block(uint8_t *to, const uint8_t *from, uint64_t size)
{
    for (uint64_t k = threadIdx.x; k < size; k += COPY_THREADS)
        to[k] = from[k];
}

} // namespace

#endif
