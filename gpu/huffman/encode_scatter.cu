// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.encode/scatter: a thread writes the codes of 16 symbols; prefix sums of the code lengths say where.
//
//   scatter   a block takes a tile of 4096 symbols whose first bit is known (encode.cuh), and scans the numbers of bits
//             of its threads, so each knows its own first bit. A thread packs its codes into 32-bit words, first bit
//             highest, and ORs each word into the workspace atomically, because it shares the words at both ends with
//             the adjacent threads
//   to_bytes  copies the words into the payload, highest byte first: the payload itself is aligned to bytes only and
//             may end at any byte
// Shared memory: the codes of all byte values, 2 KiB, and the sums of warps. Why it is right: bits of different symbols
// never overlap, so the ORs commute. Words start as 0. An optimal code takes no more bits in all than the 8-bit one, so
// n bytes hold all words. Cost: each byte is read three times; about two atomics for each 64 bits of payload, which is
// written twice.
#include "encode.cuh"

// In an anonymous namespace: other variants of the module have types of these names, too.
namespace
{

// ORs codes into words, one after the other from bit `position` on.
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
            unsigned left = 32 - used;
            unsigned now = length < left ? length : left; // 1..32

            length -= now;
            bits |= (unsigned)((code >> length & ((1ull << now) - 1)) << (left - now));
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
    sb::workspace space(nullptr);
    encoding e = {};

    lay_out(&e, n, space);
    space.take<unsigned>(sb::divide_up(n, 4));
    return space.bytes();
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_HUFFMAN_ENCODE_BYTES].length, bits;
    sb::workspace space(workspace);
    encoding e = {};

    lay_out(&e, n, space);
    unsigned *words = space.take<unsigned>(sb::divide_up(n, 4));

    if (!find_tiles(&e, parameters, inputs, outputs, &bits))
        return SB_FAILED;
    if (n > 0) {
        cudaMemsetAsync(words, 0, sb::divide_up(bits, 32) * 4);
        scatter<<<(unsigned)e.tiles, THREADS>>>(e, words);
        to_bytes<<<(unsigned)sb::divide_up(sb::divide_up(bits, 8), THREADS), THREADS>>>(words, sb::divide_up(bits, 8),
                                                                                        e.payload);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {TILE, 0};

extern "C" const sb_variant sb_gpu_huffman_encode_scatter[] = {
    {"huffman.encode", "scatter", "code lengths scanned to bit positions, words assembled by atomic OR", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
