// SPDX-License-Identifier: BSD-2-Clause
//
// One warp, several chunks at a time, a step of each in turn: what the variants named after a count of buffers share.
//
// A list is a register a lane and row (rows.cuh), and 32 positions are compared by one ballot; the warp holds BUFFERS
// lists, and a ballot of one is under way while the others' are. A step ends when the deepest of its symbols is found.
// Input and output pass 32 items of each chunk at a time, an item a lane. A chunk that has ended, or has none, is left
// out of the steps by its bit of `active`. Shared memory: none, so there is nothing to synchronise; all lanes come to
// each shuffle and ballot.
#ifndef GPU_MTF_BUFFERS_CUH
#define GPU_MTF_BUFFERS_CUH

#include "pieces.cuh"
#include "rows.cuh"

// Runs the list positions base..base+DEPTH-1 over each piece. Stream says what an item is: load(index) makes one word
// of it, symbol(word) and entering(word) are what it looks for and what comes to the front; store(index, position,
// lost) takes where the symbol stood, or DEPTH, and then the value that left.
template <unsigned DEPTH, unsigned BUFFERS, typename Stream>
static __device__ __forceinline__ void run_buffers(const Stream &stream, unsigned base, const span (&piece)[BUFFERS])
{
    unsigned lane = threadIdx.x % LANES;
    unsigned list[BUFFERS][(DEPTH + LANES - 1) / LANES];
    uint64_t longest = 0;

#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++) {
        longest = piece[b].length > longest ? piece[b].length : longest;
#pragma unroll
        for (unsigned row = 0; row < (DEPTH + LANES - 1) / LANES; row++)
            list[b][row] = base + row * LANES + lane;
    }
    for (uint64_t batch = 0; batch < longest; batch += LANES) {
        unsigned steps = longest - batch < LANES ? (unsigned)(longest - batch) : (unsigned)LANES;
        unsigned mine[BUFFERS], found[BUFFERS] = {}, lost[BUFFERS] = {};

#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++)
            mine[b] = batch + lane < piece[b].length ? stream.load(piece[b].first + batch + lane) : 0;
        for (unsigned i = 0; i < steps; i++) {
            unsigned symbol[BUFFERS], carried[BUFFERS], position[BUFFERS];
            unsigned active = 0;

#pragma unroll
            for (unsigned b = 0; b < BUFFERS; b++) {
                unsigned word = __shfl_sync(ALL, mine[b], (int)i);

                symbol[b] = Stream::symbol(word);
                carried[b] = Stream::entering(word);
                position[b] = DEPTH;
                active |= (unsigned)(batch + i < piece[b].length) << b;
            }
            move_in_rows<DEPTH>(list, symbol, carried, active, position);
#pragma unroll
            for (unsigned b = 0; b < BUFFERS; b++)
                if (lane == i) {
                    found[b] = position[b];
                    lost[b] = carried[b];
                }
        }
#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++)
            if (batch + lane < piece[b].length)
                stream.store(piece[b].first + batch + lane, found[b], lost[b]);
    }
}

enum { BUFFER_WARPS = 4, BUFFER_THREADS = BUFFER_WARPS * LANES };

// The number of the first of the warp's pieces.
template <unsigned BUFFERS> static __device__ __forceinline__ uint64_t first_of_warp(void)
{
    return (blockIdx.x * (uint64_t)BUFFER_WARPS + threadIdx.x / LANES) * BUFFERS;
}

// A byte is its own item, and looks for itself.
struct byte_stream {
    const uint8_t *from;
    uint8_t *to;

    __device__ unsigned load(uint64_t index) const
    {
        return from[index];
    }
    static __device__ unsigned symbol(unsigned word)
    {
        return word;
    }
    static __device__ unsigned entering(unsigned word)
    {
        return word;
    }
    __device__ void store(uint64_t index, unsigned position, unsigned) const
    {
        to[index] = (uint8_t)position;
    }
};

template <unsigned BUFFERS> static __global__ void encode_buffers(pieces p)
{
    span piece[BUFFERS];

    if (first_of_warp<BUFFERS>() >= p.chunks)
        return; // the whole warp
#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++)
        piece[b] = piece_at(p, first_of_warp<BUFFERS>() + b);
    run_buffers<256>(byte_stream{p.from, p.to}, 0, piece);
}

template <unsigned BUFFERS>
static sb_status launch_encode_buffers(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    return launch_pieces<BUFFER_WARPS * BUFFERS>(encode_buffers<BUFFERS>, BUFFER_THREADS, parameters, inputs, outputs);
}

#endif
