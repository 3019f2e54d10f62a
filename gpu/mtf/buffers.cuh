// SPDX-License-Identifier: BSD-2-Clause
//
// The variants named after a number of buffers share this code: one warp processes several chunks at a time,
// interleaved.
//
// A list takes a register of each lane for each row of 32 positions (rows.cuh), and a ballot compares a row. The warp
// holds BUFFERS lists, and the ballots of one are in flight together with those of the others, which hides their
// latency. A step ends when the deepest of its symbols is found. Input and output pass 32 items of each chunk at a
// time, one item for each lane. A chunk that has ended, or is empty, takes no part in the steps, by its bit of
// `active`. Shared memory: none, so there is nothing to synchronise; all lanes reach each shuffle and ballot.
#ifndef GPU_MTF_BUFFERS_CUH
#define GPU_MTF_BUFFERS_CUH

#include "chunks.cuh"
#include "rows.cuh"
#include <samebits/prim/warp.cuh>

// Runs the list positions base..base+DEPTH-1 over each chunk. Stream defines an item: load(index) returns it as one
// word; symbol(word) is what is searched for, entering(word) what comes to the front; store(index, position, lost)
// receives the position at which the symbol was, or DEPTH and the value that left the list.
template <unsigned DEPTH, unsigned BUFFERS, typename Stream>
static __device__ __forceinline__ void run_buffers(const Stream &stream, unsigned base, const span (&chunk)[BUFFERS])
{
    unsigned lane = sb::lane_index();
    unsigned list[BUFFERS][(DEPTH + sb::WARP_LANES - 1) / sb::WARP_LANES];
    uint64_t longest = 0;

#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++) {
        longest = chunk[b].length > longest ? chunk[b].length : longest;
#pragma unroll
        for (unsigned row = 0; row < (DEPTH + sb::WARP_LANES - 1) / sb::WARP_LANES; row++)
            list[b][row] = base + row * sb::WARP_LANES + lane;
    }
    for (uint64_t batch = 0; batch < longest; batch += sb::WARP_LANES) {
        unsigned steps = longest - batch < sb::WARP_LANES ? (unsigned)(longest - batch) : (unsigned)sb::WARP_LANES;
        unsigned mine[BUFFERS], found[BUFFERS] = {}, lost[BUFFERS] = {};

#pragma unroll
        for (unsigned b = 0; b < BUFFERS; b++)
            mine[b] = batch + lane < chunk[b].length ? stream.load(chunk[b].first + batch + lane) : 0;
        for (unsigned i = 0; i < steps; i++) {
            unsigned symbol[BUFFERS], carried[BUFFERS], position[BUFFERS];
            unsigned active = 0;

#pragma unroll
            for (unsigned b = 0; b < BUFFERS; b++) {
                unsigned word = __shfl_sync(sb::FULL_MASK, mine[b], (int)i);

                symbol[b] = Stream::symbol(word);
                carried[b] = Stream::entering(word);
                position[b] = DEPTH;
                active |= (unsigned)(batch + i < chunk[b].length) << b;
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
            if (batch + lane < chunk[b].length)
                stream.store(chunk[b].first + batch + lane, found[b], lost[b]);
    }
}

enum : unsigned { BUFFER_WARPS = 4, BUFFER_THREADS = BUFFER_WARPS * sb::WARP_LANES }; // as in by_warp.cuh

// The number of the warp's first chunk.
template <unsigned BUFFERS> static __device__ __forceinline__ uint64_t first_of_warp(void)
{
    return (blockIdx.x * (uint64_t)BUFFER_WARPS + sb::warp_index()) * BUFFERS;
}

// Whole lists: an item is a byte, which is searched for and comes to the front.
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

template <unsigned BUFFERS> static __global__ void encode_buffers(chunked c)
{
    span chunk[BUFFERS];

    if (first_of_warp<BUFFERS>() >= c.chunks)
        return; // the whole warp
#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++)
        chunk[b] = chunk_at(c, first_of_warp<BUFFERS>() + b);
    run_buffers<256>(byte_stream{c.from, c.to}, 0, chunk);
}

#endif
