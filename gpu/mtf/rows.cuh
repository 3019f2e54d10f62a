// SPDX-License-Identifier: BSD-2-Clause
//
// Move-to-front lists in the registers of a warp: lane l holds the positions 32*row + l of each list. All 32 lanes
// call.
#ifndef GPU_MTF_ROWS_CUH
#define GPU_MTF_ROWS_CUH

enum { LANES = 32, ROWS = 256 / LANES };

static const unsigned ALL = 0xffffffffu;

// Moves symbol[b] to the front of list[b] and gives the position at which it stood, for each b whose bit is set in
// `active`; the other lists stay. The rows of the lists are passed together: one list's ballot and shuffles run while
// the other's are under way. A row that lacks the symbol moves up as a whole; the byte of lane 31 is carried into the
// next. `active` and `symbol` are equal in all lanes, and so is every branch around a ballot or shuffle.
template <unsigned BUFFERS>
static __device__ __forceinline__ void move_to_front(unsigned (&list)[BUFFERS][ROWS], const unsigned (&symbol)[BUFFERS],
                                                     unsigned active, unsigned (&position)[BUFFERS])
{
    unsigned lane = threadIdx.x % LANES;
    unsigned searching = active;
    unsigned carried[BUFFERS];

#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++)
        carried[b] = symbol[b];
#pragma unroll
    for (unsigned row = 0; row < ROWS; row++) {
        if (searching == 0)
            break;
#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++) {
            bool moving = (searching >> b & 1) != 0;
            unsigned here = list[b][row];
            unsigned found = __ballot_sync(ALL, here == symbol[b]);
            unsigned shifted = __shfl_up_sync(ALL, here, 1);
            unsigned last_moved = found ? (unsigned)__ffs((int)found) - 1 : LANES - 1u;

            if (lane == 0)
                shifted = carried[b];
            carried[b] = __shfl_sync(ALL, here, LANES - 1);
            if (moving && lane <= last_moved)
                list[b][row] = shifted;
            if (moving && found) {
                position[b] = row * LANES + last_moved;
                searching &= ~(1u << b);
            }
        }
    }
}

#endif
