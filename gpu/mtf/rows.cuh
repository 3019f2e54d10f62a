// SPDX-License-Identifier: BSD-2-Clause
//
// Move-to-front lists, or the first positions of them, in the registers of a warp: lane l holds the positions 32*row +
// l of each list. All 32 lanes call.
#ifndef GPU_MTF_ROWS_CUH
#define GPU_MTF_ROWS_CUH

enum { LANES = 32, ROWS = 256 / LANES };

static const unsigned ALL = 0xffffffffu;

// For each b whose bit is set in `active`: list[b] loses symbol[b], or, when that is not among its DEPTH positions, the
// last of them, and carried[b] comes to its front. position[b] is where the symbol stood; where it did not, position[b]
// stays, and carried[b] is what the list has lost. The rows of the lists are passed together: one list's ballot and
// shuffles run while the other's are under way. A row that lacks the symbol moves up as a whole; the byte of its last
// lane is carried into the next. `active`, `symbol` and `carried` are equal in all lanes, and so is every branch around
// a ballot or shuffle.
template <unsigned DEPTH, unsigned BUFFERS>
static __device__ __forceinline__ void move_in_rows(unsigned (&list)[BUFFERS][(DEPTH + LANES - 1) / LANES],
                                                    const unsigned (&symbol)[BUFFERS], unsigned (&carried)[BUFFERS],
                                                    unsigned active, unsigned (&position)[BUFFERS])
{
    unsigned lane = threadIdx.x % LANES;
    unsigned searching = active;

#pragma unroll
    for (unsigned row = 0; row < (DEPTH + LANES - 1) / LANES; row++) {
        const unsigned width = DEPTH - row * LANES < LANES ? DEPTH - row * LANES : (unsigned)LANES;

        if (searching == 0)
            break;
#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++) {
            bool moving = (searching >> b & 1) != 0;
            unsigned here = list[b][row];
            unsigned found = __ballot_sync(ALL, here == symbol[b]) & ALL >> (LANES - width);
            unsigned shifted = __shfl_up_sync(ALL, here, 1);
            unsigned last_moved = found ? (unsigned)__ffs((int)found) - 1 : LANES - 1u;

            if (lane == 0)
                shifted = carried[b];
            carried[b] = __shfl_sync(ALL, here, (int)width - 1);
            if (moving && lane <= last_moved)
                list[b][row] = shifted;
            if (moving && found) {
                position[b] = row * LANES + last_moved;
                searching &= ~(1u << b);
            }
        }
    }
}

// Moves symbol[b] to the front of the whole list[b] and gives the position at which it stood, for each b whose bit is
// set in `active`; the other lists stay.
template <unsigned BUFFERS>
static __device__ __forceinline__ void move_to_front(unsigned (&list)[BUFFERS][ROWS], const unsigned (&symbol)[BUFFERS],
                                                     unsigned active, unsigned (&position)[BUFFERS])
{
    unsigned carried[BUFFERS];

#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++)
        carried[b] = symbol[b];
    move_in_rows<256>(list, symbol, carried, active, position);
}

#endif
