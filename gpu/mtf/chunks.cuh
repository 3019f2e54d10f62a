// SPDX-License-Identifier: BSD-2-Clause
//
// The chunked move-to-front variants share this code: where their chunks are, how many a grid takes, and the launch.
//
// Move-to-front is due to J. L. Bentley, D. D. Sleator, R. E. Tarjan and V. K. Wei, "A locally adaptive data
// compression scheme" (1986); B. Ryabko described it in 1980. Chunks start from the list 0..255 and are independent of
// each other.
#ifndef GPU_MTF_CHUNKS_CUH
#define GPU_MTF_CHUNKS_CUH

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/workspace.cuh>

// An input cut into chunks, of which only the last may be short. `chunk` is never 0 unless n is, and never above n.
struct chunked {
    const uint8_t *from;
    uint8_t *to;
    uint64_t n, chunk, chunks;
};

struct span {
    uint64_t first, length;
};

// Chunk number `index`; empty past the last.
static __device__ __forceinline__ span chunk_at(const chunked &c, uint64_t index)
{
    span s = {0, 0};

    if (index < c.chunks) {
        s.first = index * c.chunk;
        s.length = c.n - s.first < c.chunk ? c.n - s.first : c.chunk;
    }
    return s;
}

static uint64_t chunk_count(uint64_t n, uint64_t chunk)
{
    return chunk == 0 ? n != 0 : sb::divide_up(n, chunk);
}

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x, by CUDA's limit

// For variants whose thread blocks take PER_BLOCK chunks each.
template <unsigned PER_BLOCK> static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    if (chunk_count(inputs[SB_MTF_IN].length, parameters[SB_MTF_CHUNK]) > MAX_GRID * PER_BLOCK)
        return "more chunks than a grid takes";
    return nullptr;
}

// `outputs` may be null where only sizes are asked for.
static inline chunked cut_chunks(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs)
{
    chunked c;

    c.from = (const uint8_t *)inputs[SB_MTF_IN].data;
    c.to = outputs ? (uint8_t *)outputs[SB_MTF_OUT].data : nullptr;
    c.n = inputs[SB_MTF_IN].length;
    c.chunk = parameters[SB_MTF_CHUNK];
    c.chunks = chunk_count(c.n, c.chunk);
    if (c.chunk == 0 || c.chunk > c.n)
        c.chunk = c.n; // so that first + chunk cannot wrap
    return c;
}

// The launch function of a variant: KERNEL in blocks of THREADS that take PER_BLOCK chunks each. No workspace.
template <void (*KERNEL)(chunked), unsigned PER_BLOCK, unsigned THREADS>
static sb_status launch_chunks(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    chunked c = cut_chunks(parameters, inputs, outputs);

    if (c.n == 0)
        return SB_OK;
    KERNEL<<<(unsigned)sb::divide_up(c.chunks, PER_BLOCK), THREADS>>>(c);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

#endif
