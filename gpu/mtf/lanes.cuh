// SPDX-License-Identifier: BSD-2-Clause
//
// One warp, several chunks at a time, a few lanes for each: what the variants named CHUNKSbyLANES share.
//
// The WIDTH lanes of a chunk compare WIDTH positions of its list in one step. The list lies in shared memory: each lane
// that stands before the symbol writes its byte one position further. That hits the first position of the next row, so
// the next row is read before, and a __syncwarp stands between those reads and the writes. One ballot serves all
// chunks; a step ends when the deepest of their symbols is found. All 32 lanes stay together: a chunk that is found,
// has ended, or is past the last only votes. The first chunk is never shorter than the others. Each list is padded by
// WIDTH bytes so that lists at the same row lie in different banks.
#ifndef GPU_MTF_LANES_CUH
#define GPU_MTF_LANES_CUH

#include "pieces.cuh"

enum { LANES = 32, WARPS = 4, THREADS = WARPS * LANES };

static const unsigned ALL = 0xffffffffu;

// Moves `symbol` to the front of the chunk's list and gives the position at which it stood, if `active`.
template <unsigned WIDTH>
static __device__ __forceinline__ unsigned move_to_front(uint8_t *list, unsigned symbol, bool active)
{
    unsigned place = threadIdx.x % WIDTH;
    unsigned leader = threadIdx.x % LANES - place;
    unsigned here = list[place];
    unsigned position = 0;
    bool searching = active;

    for (unsigned row = 0;; row += WIDTH) {
        unsigned found = __ballot_sync(ALL, searching && here == symbol) >> leader & ((1u << WIDTH) - 1);
        unsigned end = found ? (unsigned)__ffs((int)found) - 1 : (unsigned)WIDTH; // places before it move
        bool moving = searching && place < end;

        if (found) {
            position = row + end;
            searching = false;
        }
        bool more = __any_sync(ALL, searching);
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
    __syncwarp(); // the list is whole again
    return position;
}

template <unsigned WIDTH> static __global__ void encode_lanes(pieces p)
{
    const unsigned BUFFERS = LANES / WIDTH;
    __shared__ uint8_t lists[WARPS * BUFFERS][256 + WIDTH];
    uint64_t first_piece = (blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES) * BUFFERS;
    uint8_t *list = lists[threadIdx.x / WIDTH];
    unsigned place = threadIdx.x % WIDTH;

    if (first_piece >= p.chunks)
        return; // the whole warp
    uint64_t longest = piece_at(p, first_piece).length;
    span piece = piece_at(p, first_piece + threadIdx.x % LANES / WIDTH);

    for (unsigned i = place; i < 256; i += WIDTH)
        list[i] = (uint8_t)i;
    __syncwarp(); // the list is there
    for (uint64_t batch = 0; batch < longest; batch += WIDTH) {
        unsigned steps = longest - batch < WIDTH ? (unsigned)(longest - batch) : (unsigned)WIDTH;
        bool valid = batch + place < piece.length;
        unsigned mine = valid ? p.from[piece.first + batch + place] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < steps; i++) {
            unsigned symbol = __shfl_sync(ALL, mine, (int)i, WIDTH);
            unsigned position = move_to_front<WIDTH>(list, symbol, batch + i < piece.length);

            if (place == i)
                result = position;
        }
        if (valid)
            p.to[piece.first + batch + place] = (uint8_t)result;
    }
}

template <unsigned WIDTH>
static sb_status launch_encode_lanes(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    return launch_pieces<THREADS / WIDTH>(encode_lanes<WIDTH>, THREADS, parameters, inputs, outputs);
}

#endif
