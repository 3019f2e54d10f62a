// SPDX-License-Identifier: BSD-2-Clause
//
// One warp, several chunks at a time, a few lanes for each: what the variants named CHUNKSbyLANES share.
//
// The WIDTH lanes of a chunk compare WIDTH positions of its list in one step. The list is in shared memory: each lane
// before the symbol writes its byte one position further. Such a write reaches the first position of the next row, so
// the next row is read before, with a __syncwarp between those reads and the writes. One ballot serves all chunks of
// the warp; a step ends when the deepest of their symbols is found. All 32 lanes stay together: the lanes of a chunk
// whose symbol is found, that has ended, or that does not exist only vote. The first chunk is never shorter than the
// others, so it says how many steps there are. Each list is padded by WIDTH bytes, so that lists at the same row are in
// different banks.
#ifndef GPU_MTF_FEW_LANES_CUH
#define GPU_MTF_FEW_LANES_CUH

#include "chunks.cuh"
#include <samebits/prim/warp.cuh>

enum : unsigned { WARPS = 4, THREADS = WARPS * sb::WARP_LANES }; // of a block: as in by_warp.cuh

// Moves `symbol` to the front of the chunk's list and returns its previous position, if `active`.
template <unsigned WIDTH>
static __device__ __forceinline__ unsigned move_to_front(uint8_t *list, unsigned symbol, bool active)
{
    unsigned place = threadIdx.x % WIDTH;
    unsigned leader = sb::lane_index() - place;
    unsigned here = list[place];
    unsigned position = 0;
    bool searching = active;

    for (unsigned row = 0;; row += WIDTH) {
        unsigned found = __ballot_sync(sb::FULL_MASK, searching && here == symbol) >> leader & ((1u << WIDTH) - 1);
        unsigned end = found ? sb::lowest_bit(found) : (unsigned)WIDTH; // places before it move
        bool moving = searching && place < end;

        if (found) {
            position = row + end;
            searching = false;
        }
        bool more = __any_sync(sb::FULL_MASK, searching);
        unsigned next = more ? list[row + WIDTH + place] : 0;

        __syncwarp(); // this row and the next have been read
        if (moving)
            list[row + place + 1] = (uint8_t)here;
        if (!more)
            break;
        here = next;
    }
    if (active && place == 0)
        list[0] = (uint8_t)symbol;
    __syncwarp(); // the list is complete again
    return position;
}

template <unsigned WIDTH> static __global__ void encode_lanes(chunked c)
{
    const unsigned BUFFERS = sb::WARP_LANES / WIDTH;
    __shared__ uint8_t lists[WARPS * BUFFERS][256 + WIDTH];
    uint64_t first_piece = (blockIdx.x * (uint64_t)WARPS + sb::warp_index()) * BUFFERS;
    uint8_t *list = lists[threadIdx.x / WIDTH];
    unsigned place = threadIdx.x % WIDTH;

    if (first_piece >= c.chunks)
        return; // the whole warp
    uint64_t longest = chunk_at(c, first_piece).length;
    span chunk = chunk_at(c, first_piece + threadIdx.x % sb::WARP_LANES / WIDTH);

    for (unsigned i = place; i < 256; i += WIDTH)
        list[i] = (uint8_t)i; // read by this lane alone until move_to_front() has passed a barrier
    for (uint64_t batch = 0; batch < longest; batch += WIDTH) {
        unsigned steps = longest - batch < WIDTH ? (unsigned)(longest - batch) : (unsigned)WIDTH;
        bool valid = batch + place < chunk.length;
        unsigned mine = valid ? c.from[chunk.first + batch + place] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < steps; i++) {
            unsigned symbol = __shfl_sync(sb::FULL_MASK, mine, (int)i, WIDTH);
            unsigned position = move_to_front<WIDTH>(list, symbol, batch + i < chunk.length);

            if (place == i)
                result = position;
        }
        if (valid)
            c.to[chunk.first + batch + place] = (uint8_t)result;
    }
}

#endif
