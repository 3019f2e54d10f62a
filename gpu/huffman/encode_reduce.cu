// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.encode/reduce: adjacent codes are merged in a tree until words are full, and each byte is written once. (J.
// Tian et al., "Revisiting Huffman coding: toward extreme performance on modern GPU architectures", 2021, merge so.)
//
//     codes of 16 bytes   4|3|5|2  9|4|6|3  ...     a thread's, in registers, with their lengths
//     pairs                7 | 7    13 | 9
//     fours                  14       22            while both parts are whole and fit in 64 bits together; a part that
//     eights                     36                 can grow no more is ORed into the block's words in shared memory
//
// The first bit of a tile of 4096 bytes is known (encode.cuh), so a block knows which bytes of the payload begin among
// its bits. It writes these, 16 at a time. The last of them may end with up to 7 bits of the next tile, so the first
// thread also puts the codes that follow the tile until that byte is full.
//
//     payload          |........|........|........|........|........|
//     bits of a tile           |...............................|         begin in the last byte that the tile before
//     bytes it writes           |........|........|........|........|    writes, and end in the last one of its own
//
// Shared memory: words for a tile of the longest codes, laid out as in the payload, so that 16 bytes that are written
// at once are together here as well: 23 KiB; the codes of all byte values, 2 KiB; the sums of warps. Why it is right:
// bits of different codes never overlap, so the ORs commute. A byte belongs to the tile in which its first bit is, so
// no byte is written twice. Cost: each byte is read three times, each byte of payload is written once; each thread
// makes a few atomics in shared memory.
#include "encode.cuh"

enum {
    QUAD = 16,        // bytes of a store
    SLACK = QUAD * 8, // bits before the first quad: of the byte that the tile before writes
    AFTER = 7,        // symbols after the tile, of at least a bit each, that fill the last byte
    WORDS = ((TILE + AFTER) * LONGEST + 2 * SLACK) / 32 + 8
};

// In an anonymous namespace: other variants of the module have types of these names, too.
namespace
{

// Adjacent codes, `length` bits: if `whole`, `bits` holds all of them; otherwise they are in the words already.
struct part {
    uint64_t bits;
    unsigned length;
    bool whole;
};

} // namespace

// ORs `length` bits, 0..64, into words, from bit `at`.
static __device__ __forceinline__ void put(unsigned *words, unsigned at, uint64_t bits, unsigned length)
{
    unsigned *word = words + at / 32, used = at % 32;

    if (length == 0)
        return;
    bits <<= 64 - length;
    atomicOr(word, (unsigned)(bits >> 32 >> used));
    if (used + length > 32)
        atomicOr(word + 1, (unsigned)(bits >> used));
    if (used + length > 64)
        atomicOr(word + 2, (unsigned)(bits << (32 - used)));
}

template <unsigned count>
static __device__ __forceinline__ part merge(unsigned *words, unsigned at, const code_entry *code)
{
    if constexpr (count == 1) {
        return {code[0] >> 8, (unsigned)code[0] & 255, true};
    } else {
        part left = merge<count / 2>(words, at, code);
        part right = merge<count / 2>(words, at + left.length, code + count / 2);
        unsigned length = left.length + right.length;

        if (left.whole && right.whole && length <= 64) // right has 64 only when left has none
            return {left.bits << right.length % 64 | right.bits, length, true};
        if (left.whole)
            put(words, at, left.bits, left.length);
        if (right.whole)
            put(words, at + left.length, right.bits, right.length);
        return {0, length, false};
    }
}

// ORs the codes of the bytes from `first` on into words, until bit `end` is passed.
static __device__ void put_after(const encoding &e, uint64_t first, unsigned *words, unsigned at, unsigned end)
{
    for (; at < end && first < e.n; first++) {
        code_entry code = e.code[e.bytes[first]];

        put(words, at, code >> 8, (unsigned)code & 255);
        at += (unsigned)code & 255;
    }
}

// Writes quad q of the words to `to`; the block may write only the bytes from..end-1.
static __device__ __forceinline__ void store(const unsigned *words, unsigned q, uint8_t *to, const uint8_t *from,
                                             const uint8_t *end)
{
    const unsigned *word = words + q * (QUAD / 4);

    if (to >= from && to + QUAD <= end) {
        *(uint4 *)to = make_uint4(__byte_perm(word[0], 0, 0x0123), __byte_perm(word[1], 0, 0x0123),
                                  __byte_perm(word[2], 0, 0x0123), __byte_perm(word[3], 0, 0x0123));
        return;
    }
    for (unsigned i = 0; i < QUAD; i++)
        if (to + i >= from && to + i < end)
            to[i] = (uint8_t)(word[i / 4] >> (24 - i % 4 * 8));
}

static __global__ void __launch_bounds__(THREADS, 4) merge_codes(encoding e)
{
    __shared__ unsigned words[WORDS];
    code_entry code[ITEMS];
    uint64_t first = first_item(blockIdx.x), begin = e.start[blockIdx.x], total;
    unsigned bits = load_codes(e, blockIdx.x, code);
    uint64_t before = sum_before(bits, &total), end = begin + total;
    // the block's own bytes, and the first of the words: bit SLACK of the words is bit 0 of quad `to`
    uint8_t *from = e.payload + (begin + 7) / 8, *past = e.payload + (end + 7) / 8;
    uint8_t *to = from - (uintptr_t)from % QUAD;
    unsigned start = (unsigned)(begin + SLACK - (uint64_t)(to - e.payload) * 8);
    unsigned quads = (unsigned)((past - to + QUAD - 1) / QUAD);

    for (unsigned i = threadIdx.x; i < (quads + 1) * (QUAD / 4) + 4; i += THREADS)
        words[i] = 0;
    __syncthreads(); // the words are 0
    if (first < e.n)
        write_offsets(e, first, begin + before, code);
    part all = merge<ITEMS>(words, start + (unsigned)before, code);
    if (all.whole)
        put(words, start + (unsigned)before, all.bits, all.length);
    if (threadIdx.x == 0)
        put_after(e, (blockIdx.x + 1) * (uint64_t)TILE, words, start + (unsigned)total,
                  (unsigned)(past - to) * 8 + SLACK);
    __syncthreads(); // the words are complete
    for (unsigned i = threadIdx.x; i < quads; i += THREADS)
        store(words, i + 1, to + i * QUAD, from, past);
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    sb::workspace space(nullptr);
    encoding e = {};

    return lay_out(&e, inputs[SB_HUFFMAN_ENCODE_BYTES].length, space);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb::workspace space(workspace);
    uint64_t bits;
    encoding e = {};

    lay_out(&e, inputs[SB_HUFFMAN_ENCODE_BYTES].length, space);
    if (!find_tiles(&e, parameters, inputs, outputs, &bits))
        return SB_FAILED;
    if (e.tiles > 0)
        merge_codes<<<(unsigned)e.tiles, THREADS>>>(e);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static const uint64_t sizes[] = {TILE, 0};

extern "C" const sb_variant sb_gpu_huffman_encode_reduce[] = {
    {"huffman.encode", "reduce", "adjacent codes merged by a tree, each byte written once", refuses, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
