// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: the rotations of all blocks of a text, and where their last bytes are written.
//
// A rotation is named by the position of its first byte in the text; n < 2^31, so bit 31 of such a number is free.
#ifndef GPU_BWT_DISCARDING_ROTATIONS_CUH
#define GPU_BWT_DISCARDING_ROTATIONS_CUH

#include <samebits/prim/radix_pairs.cuh>
#include <samebits/prim/warp.cuh>
#include <stdint.h>

enum : unsigned {
    CACHE_LINE = 128, // bytes of an alignment: a warp's access then touches no more lines than it must
    THREADS = 256,    // threads in a block, for all kernels of this variant: not tuned
    // Rotations of the largest small group. One thread block holds such a group in shared memory, and a rotation is
    // compared with all others of its group, so twice as many cost up to twice as many comparisons a rotation: not
    // tuned.
    MAX_SMALL = 256
};

// HEAD marks the first rotation of a small group in a list; NONE is no row, no slot and no rotation.
static const uint32_t HEAD = 0x80000000u, NONE = 0x7fffffffu;
// Rotations of a text: HEAD and NONE stay free, and two counts of rotations fit in the 62 bits of a look-back state.
static const uint64_t MAX_ROTATIONS = 0x7ffffffeu;

namespace
{

// A text of n bytes, cut into blocks of `block` bytes of which the last may be short; 1 <= block <= n.
struct rotations {
    const uint8_t *text;
    uint32_t n, block;

    // The rotation that starts `distance` bytes after rotation i, around the end of its block.
    __device__ uint32_t ahead(uint32_t i, uint32_t distance) const
    {
        uint32_t first = block == n ? 0 : i - i % block, around = n - first < block ? n - first : block;
        uint32_t offset = i - first + (distance < around ? distance : distance % around);

        return first + (offset < around ? offset : offset - around);
    }
    __device__ uint8_t byte_before(uint32_t i) const
    {
        uint32_t first = block == n ? 0 : i - i % block;

        return text[i > first ? i - 1 : n - first < block ? n - 1 : first + block - 1];
    }
};

// The output of the transform.
struct transform {
    rotations all;
    uint8_t *last; // null: rows are not asked for
    uint64_t *primary;

    // Rotation i has its final row.
    __device__ void write(uint32_t row, uint32_t i) const
    {
        if (!last)
            return;
        last[row] = all.byte_before(i);
        if (i % all.block == 0)
            primary[i / all.block] = row - i; // the rows of a block are numbered from the position of its first byte
    }
};

} // namespace

// The index of this thread in the grid.
static __device__ __forceinline__ uint32_t global_index(void)
{
    return blockIdx.x * (uint32_t)THREADS + threadIdx.x; // n < 2^31, so the last block does not overflow either
}

#endif
