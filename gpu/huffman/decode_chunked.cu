// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.decode/chunked: a thread a chunk, from the bit that its offset says.
//
// Each chunk but the last has `chunk` bytes, so a thread knows where its bytes go without knowing the others. It
// decodes until it has so many or the next chunk begins (codebook.cuh), and then must have both; by induction from the
// first chunk, which begins at 0, each begins where encoding would begin it. The last chunk ends with the last bit.
// Shared memory: the table of codes, 16 KiB a block. A thread reads and writes on its own, 16 bytes at a time: lines
// that it has touched stay in the cache until it has read all of them.
// Cost: with few long chunks, few threads; one with 0 as chunk.
#include "codebook.cuh"

enum { THREADS = 128 };

// For more chunks, each thread takes another one: so small chunks do not each pay for a table.
static const uint64_t BLOCKS = 4096;

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
            uint64_t first = i * c.chunk, room = c.room - first;
            bit_reader in(c.payload, c.payload_bytes, start);
            byte_writer out(c.bytes + first);
            uint64_t done = decode_run(book, look, in, c.chunk < room ? c.chunk : room, end, out, &bad);

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
    huffman_code c;
    verdict judged;

    if (!take_case(&c, parameters, inputs, outputs))
        return SB_INVALID;
    uint64_t blocks = c.offsets / THREADS + (c.offsets % THREADS != 0);
    make_codebook<<<1, ALPHABET>>>(c, &l->book, &l->judged);
    if (blocks > 0)
        decode_chunks<<<(unsigned)(blocks < BLOCKS ? blocks : BLOCKS), THREADS>>>(c, &l->book, &l->judged);
    if (!read_verdict(&judged, &l->judged))
        return SB_FAILED;
    outputs[SB_HUFFMAN_DECODE_BYTES].length = judged.n;
    return judged.unfit || judged.invalid ? SB_INVALID : SB_OK;
}

extern "C" const sb_variant sb_gpu_huffman_decode_chunked[] = {
    {"huffman.decode", "chunked", "a thread a chunk, two symbols a look-up", nullptr, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
