// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.encode/scatter: a thread places 16 symbols; prefix sums of code lengths say where.
//
// scatter: a block takes a tile of 4096 symbols whose first bit is known (encode.cuh); it scans the bits that its
// threads have, and so each knows its own first one. It packs its codes into 32-bit words, first bit highest, and ORs
// each word into the workspace atomically, because the words at both ends are shared with its neighbours. to_bytes
// copies the words into the payload, highest byte first: the payload itself is aligned to bytes only and ends at any
// byte.
// Shared memory: the codes of all bytes, 2 KiB, and the sums of warps.
// Why it is right: bits of different symbols never overlap, so the ORs commute; words start as 0. No optimal code is
// longer than the 8-bit one, so n bytes hold all words.
// Cost: each byte is read three times; about two atomics for each 64 bits of payload, which is written twice.
#include "encode.cuh"

// Types of this file alone: other variants of the same module may use the same names.
namespace
{

// ORs codes into words, one after the other from bit `position`.
struct bit_writer {
    unsigned *word;
    unsigned bits; // of *word, first bit highest
    unsigned used;

    __device__ bit_writer(unsigned *words, uint64_t position)
        : word(words + position / 32), bits(0), used((unsigned)(position % 32))
    {
    }
    // length <= 45
    __device__ void put(uint64_t code, unsigned length)
    {
        while (length > 0) {
            unsigned room = 32 - used;
            unsigned now = length < room ? length : room; // 1..32

            length -= now;
            bits |= (unsigned)((code >> length & ((1ull << now) - 1)) << (room - now));
            used += now;
            if (used == 32)
                flush();
        }
    }
    __device__ void flush(void)
    {
        if (used > 0 && bits != 0)
            atomicOr(word, bits);
        word++;
        bits = 0;
        used = 0;
    }
};

} // namespace

static __global__ void scatter(encoding e, unsigned *words)
{
    code_entry code[ITEMS];
    uint64_t first = first_item(blockIdx.x), total;
    unsigned bits = load_codes(e, blockIdx.x, code);
    uint64_t position = e.start[blockIdx.x] + sum_before(bits, &total);

    if (first >= e.n)
        return; // past the last barrier
    write_offsets(e, first, position, code);
    bit_writer writer(words, position);
    for (unsigned k = 0; k < ITEMS; k++)
        writer.put(code[k] >> 8, (unsigned)code[k] & 255);
    writer.flush();
}

static __global__ void to_bytes(const unsigned *words, uint64_t count, uint8_t *payload)
{
    uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x;

    if (i < count)
        payload[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    uint64_t n = inputs[SB_HUFFMAN_ENCODE_BYTES].length;
    encoding e;

    return lay_out(&e, n, nullptr) + over(n, 4) * 4;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_HUFFMAN_ENCODE_BYTES].length, bits;
    encoding e;
    unsigned *words = (unsigned *)((char *)workspace + lay_out(&e, n, (char *)workspace));

    if (!find_tiles(&e, parameters, inputs, outputs, &bits))
        return SB_FAILED;
    if (n > 0) {
        cudaMemsetAsync(words, 0, over(bits, 32) * 4);
        scatter<<<(unsigned)e.tiles, THREADS>>>(e, words);
        to_bytes<<<(unsigned)over(over(bits, 8), THREADS), THREADS>>>(words, over(bits, 8), e.payload);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_huffman_encode_scatter[] = {
    {"huffman.encode", "scatter", "code lengths scanned to bit positions, words assembled by atomic OR", refuses,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
