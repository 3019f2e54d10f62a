// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/3buffers: one warp encodes three chunks at a time, a step of each in turn.
//
// As in scalar, a list is 8 registers a lane and 32 positions are compared by one ballot; here the warp holds three
// lists (rows.cuh), and a ballot of one is under way while the others' are. A step ends when the deepest of its three
// symbols is found. Input and output pass 32 bytes of each chunk at a time, a byte a lane. Chunks of a warp differ in
// length only where the input ends: the first is never shorter than the others, and a chunk that has ended, or is past
// the last, is left out of the steps by its bit of `active`. Shared memory: none, so there is nothing to synchronise;
// all lanes come to each shuffle and ballot. Cost: a ballot and two shuffles a list and row passed; rows passed in vain
// by the lists that were found earlier.
#include "pieces.cuh"
#include "rows.cuh"

enum { BUFFERS = 3, WARPS = 4, THREADS = WARPS * LANES };

static __global__ void encode(pieces p)
{
    uint64_t first_piece = (blockIdx.x * (uint64_t)WARPS + threadIdx.x / LANES) * BUFFERS;
    unsigned lane = threadIdx.x % LANES;
    unsigned list[BUFFERS][ROWS];
    span piece[BUFFERS];

    if (first_piece >= p.chunks)
        return; // the whole warp
#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++) {
        piece[b] = piece_at(p, first_piece + b);
#pragma unroll
        for (unsigned row = 0; row < ROWS; row++)
            list[b][row] = row * LANES + lane;
    }
    for (uint64_t batch = 0; batch < piece[0].length; batch += LANES) {
        unsigned steps = piece[0].length - batch < LANES ? (unsigned)(piece[0].length - batch) : (unsigned)LANES;
        unsigned mine[BUFFERS], result[BUFFERS] = {};

#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++)
            mine[b] = batch + lane < piece[b].length ? p.from[piece[b].first + batch + lane] : 0;
        for (unsigned i = 0; i < steps; i++) {
            unsigned symbol[BUFFERS], position[BUFFERS] = {};
            unsigned active = 0;

#pragma unroll
            for (unsigned b = 0; b < BUFFERS; b++) {
                symbol[b] = __shfl_sync(ALL, mine[b], (int)i);
                active |= (unsigned)(batch + i < piece[b].length) << b;
            }
            move_to_front(list, symbol, active, position);
#pragma unroll
            for (unsigned b = 0; b < BUFFERS; b++)
                if (lane == i)
                    result[b] = position[b];
        }
#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++)
            if (batch + lane < piece[b].length)
                p.to[piece[b].first + batch + lane] = (uint8_t)result[b];
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch_pieces<WARPS * BUFFERS>(encode, THREADS, parameters, inputs, outputs);
}

extern "C" const sb_variant sb_gpu_mtf_encode_3buffers[] = {
    {"mtf.encode", "3buffers", "three chunks interleaved in a warp, 32 positions of each compared in one step",
     refuses<WARPS * BUFFERS>, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
