// SPDX-License-Identifier: BSD-2-Clause
//
// What the chunked move-to-front variants share: where their chunks lie, and how many of them a grid takes.
#ifndef GPU_MTF_PIECES_CUH
#define GPU_MTF_PIECES_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>

// An input cut into chunks, of which only the last may be short. `chunk` is never 0 unless n is, and never above n.
struct pieces {
    const uint8_t *from;
    uint8_t *to;
    uint64_t n, chunk, chunks;
};

struct span {
    uint64_t first, length;
};

// Chunk number `index`; empty past the last.
static __device__ __forceinline__ span piece_at(const pieces &p, uint64_t index)
{
    span s = {0, 0};

    if (index < p.chunks) {
        s.first = index * p.chunk;
        s.length = p.n - s.first < p.chunk ? p.n - s.first : p.chunk;
    }
    return s;
}

static uint64_t chunk_count(uint64_t n, uint64_t chunk)
{
    return chunk == 0 ? n != 0 : n / chunk + (n % chunk != 0);
}

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x

template <unsigned PER_BLOCK> static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    if (chunk_count(inputs[SB_MTF_IN].length, parameters[SB_MTF_CHUNK]) > MAX_GRID * PER_BLOCK)
        return "more chunks than a grid takes";
    return nullptr;
}

// `outputs` may be null where only sizes are asked for.
static inline pieces make_pieces(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs)
{
    pieces p;

    p.from = (const uint8_t *)inputs[SB_MTF_IN].data;
    p.to = outputs ? (uint8_t *)outputs[SB_MTF_OUT].data : nullptr;
    p.n = inputs[SB_MTF_IN].length;
    p.chunk = parameters[SB_MTF_CHUNK];
    p.chunks = chunk_count(p.n, p.chunk);
    if (p.chunk == 0 || p.chunk > p.n)
        p.chunk = p.n;
    return p;
}

// Launches kernel(pieces) with blocks of `threads` that take PER_BLOCK chunks each.
template <unsigned PER_BLOCK>
static sb_status launch_pieces(void (*kernel)(pieces), unsigned threads, const uint64_t *parameters,
                               const sb_array *inputs, sb_array *outputs)
{
    pieces p = make_pieces(parameters, inputs, outputs);

    if (p.n == 0)
        return SB_OK;
    kernel<<<(unsigned)((p.chunks + PER_BLOCK - 1) / PER_BLOCK), threads>>>(p);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

#endif
