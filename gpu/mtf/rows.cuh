// SPDX-License-Identifier: BSD-2-Clause
//
// Move-to-front lists, or the first positions of them, in the registers of a warp: lane l holds the positions 32*row +
// l of each list. All 32 lanes call.
#ifndef GPU_MTF_ROWS_CUH
#define GPU_MTF_ROWS_CUH

#include <samebits/prim/warp.cuh>

// For each b whose bit is set in `active`: carried[b] comes to the front of list[b], and symbol[b] leaves the list, or,
// if it is not among its DEPTH positions, the last value does. position[b] becomes the position of the symbol; if there
// is none it stays, and carried[b] becomes the value that has left. The rows of all lists are passed together, so that
// the ballots and shuffles of one are in flight together with those of the others. A row without the symbol moves up as
// a whole; the value of its last lane is carried into the next row. `active`, `symbol` and `carried` are equal in all
// lanes, and so is every branch around a ballot or shuffle.
template <unsigned DEPTH, unsigned BUFFERS>
static __device__ __forceinline__ void
move_in_rows(unsigned (&list)[BUFFERS][(DEPTH + sb::WARP_LANES - 1) / sb::WARP_LANES],
             const unsigned (&symbol)[BUFFERS], unsigned (&carried)[BUFFERS], unsigned active,
             unsigned (&position)[BUFFERS])
{
    unsigned lane = sb::lane_index();
    unsigned searching = active;

#pragma unroll
    for (unsigned row = 0; row < (DEPTH + sb::WARP_LANES - 1) / sb::WARP_LANES; row++) {
        const unsigned width =
            DEPTH - row * sb::WARP_LANES < sb::WARP_LANES ? DEPTH - row * sb::WARP_LANES : (unsigned)sb::WARP_LANES;

        if (searching == 0)
            break;
#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++) {
            bool moving = (searching >> b & 1) != 0;
            unsigned here = list[b][row];
            unsigned found =
                __ballot_sync(sb::FULL_MASK, here == symbol[b]) & sb::FULL_MASK >> (sb::WARP_LANES - width);
            unsigned shifted = __shfl_up_sync(sb::FULL_MASK, here, 1);
            unsigned last_moved = found ? sb::lowest_bit(found) : sb::WARP_LANES - 1u;

            if (lane == 0)
                shifted = carried[b];
            carried[b] = __shfl_sync(sb::FULL_MASK, here, (int)width - 1);
            if (moving && lane <= last_moved)
                list[b][row] = shifted;
            if (moving && found) {
                position[b] = row * sb::WARP_LANES + last_moved;
                searching &= ~(1u << b);
            }
        }
    }
}

#endif
