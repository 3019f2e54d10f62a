// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.decode/chunked: a thread decodes a chunk, from the bit that its offset gives.
//
// Each chunk except the last has `chunk` bytes, so a thread knows where its bytes go without knowing the others. It
// decodes until it has that many bytes or the next chunk begins (codebook.cuh), and then both must be true. By
// induction from the first chunk, which begins at bit 0, each begins where encoding would begin it. The last chunk ends
// with the last bit. Shared memory: the look-up table, 16 KiB for each block. A thread reads and writes on its own, 16
// bytes at a time: the cache lines that it has touched stay in the cache until it has read all of them. Cost: few long
// chunks are few threads; with 0 as chunk there is one.
#include "codebook.cuh"
#include <samebits/prim/workspace.cuh>

enum : unsigned { THREADS = 128 }; // of a block. Not tuned.

// Blocks of a grid. With more chunks a thread takes several, so that a copy of the table serves many small chunks. Not
// tuned.
static const uint64_t MAX_GRID = 4096;

static __global__ void decode_chunks(huffman_code c, const codebook *book, verdict *judged)
{
    __shared__ __align__(QUAD) look_entry look[LOOKS];
    uint64_t bits = *c.bits;

    if (judged->unfit)
        return; // the whole grid
    copy_looks(look, book);
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < c.offsets; i += gridDim.x * (uint64_t)THREADS) {
        bool last = i + 1 == c.offsets;
        uint64_t start = c.offset[i], end = last ? bits : c.offset[i + 1];
        bool bad = start >= end || end > bits || (i == 0 && start != 0);

        if (!bad) {
            uint64_t first = i * c.chunk, capacity = c.capacity - first;
            bit_reader in(c.payload, c.payload_bytes, start);
            byte_writer out(c.bytes + first);
            uint64_t done = decode_run(book, look, in, c.chunk < capacity ? c.chunk : capacity, end, out, &bad);

            out.finish();
            bad = bad || in.position != end || (!last && done != c.chunk);
            if (last)
                judged->n = first + done;
        }
        if (bad)
            atomicOr(&judged->invalid, 1u);
    }
}

namespace
{

struct layout {
    codebook book;
    verdict judged;
};

} // namespace

static uint64_t workspace_bytes(const uint64_t *, const sb_array *)
{
    return sizeof(layout);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    layout *l = (layout *)workspace;
    huffman_code c = {};
    verdict judged;

    if (!take_case(&c, parameters, inputs, outputs))
        return SB_INVALID;
    uint64_t blocks = sb::divide_up(c.offsets, THREADS);
    make_codebook<<<1, ALPHABET>>>(c, &l->book, &l->judged);
    if (blocks > 0)
        decode_chunks<<<(unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID), THREADS>>>(c, &l->book, &l->judged);
    if (!read_verdict(&judged, &l->judged))
        return SB_FAILED;
    outputs[SB_HUFFMAN_DECODE_BYTES].length = judged.n;
    return judged.unfit || judged.invalid ? SB_INVALID : SB_OK;
}

extern "C" const sb_variant sb_gpu_huffman_decode_chunked[] = {
    {"huffman.decode", "chunked", "one thread for each chunk, two symbols in each look-up", nullptr, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
