// SPDX-License-Identifier: BSD-2-Clause
//
// ahuff.encode/chunks: a warp encodes a chunk; prefix sums of the chunks' bits say where each belongs.
//
// encode    a warp takes every so many chunks, with a tree of its own in shared memory (tree.cuh), and writes a chunk's
//           bits, first bit highest, into words of the workspace where the longest code of a chunk has room; how many
//           bits they are goes into `offset`. A byte's path is gathered from the leaf up into one 64-bit number, as all
//           lanes know; a full word is kept by one lane, and 32 of them are written together
// scan_sums one block turns the bits into start bits
// gather    a thread for 4 bytes of payload: finds by halving the chunk that their first bit belongs to, and takes bits
// of
//           it and, where it ends, of those that follow
// Shared memory: 16 KiB a block of 4 warps. Workspace: 3 bytes for each byte of text.
// Why it is right: chunks share nothing but the order of their bits. A chunk has at least 8 bits, so 4 bytes of payload
// come from at most 5 of them.
// Cost: a byte takes one vote for each level of the tree, some 5 for text; the rest is little beside it.
#include "../qlfc/sums.cuh"
#include "tree.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

static const uint64_t MOST_BYTES = 3, MOST_BLOCKS = 1 << 16; // payload for a byte of text; blocks of a grid

namespace
{

struct text {
    const uint8_t *bytes;
    uint64_t n, chunk, chunks;
    uint64_t words; // that a chunk has room for
};

// What all lanes know of the bits of a chunk, and the word of the last 32 that this lane keeps.
struct writer {
    uint32_t *words;
    uint64_t bits;
    uint64_t left; // the lowest bits % 32 bits have not made a word yet
    uint32_t kept;

    __device__ void put_word(uint32_t word)
    {
        unsigned place = (unsigned)(bits / 32 % LANES);

        if (place == lane_of())
            kept = word;
        if (place == LANES - 1)
            words[bits / 32 - place + lane_of()] = kept;
        bits += 32 - bits % 32;
    }
    // length < 64
    __device__ void put(uint64_t code, unsigned length)
    {
        unsigned held = (unsigned)(bits % 32);

        while (held + length >= 32) {
            unsigned now = 32 - held;

            length -= now;
            put_word((uint32_t)(left << now | code >> length));
            code &= (1ull << length) - 1;
            left = 0;
            held = 0;
        }
        left = left << length | code;
        bits += length;
    }
    __device__ void flush(void)
    {
        uint64_t total = bits;

        if (bits % 32 != 0)
            put_word((uint32_t)(left << (32 - bits % 32)));
        if (lane_of() < bits / 32 % LANES)
            words[bits / 32 - bits / 32 % LANES + lane_of()] = kept;
        bits = total;
    }
};

} // namespace

static __device__ __forceinline__ void put_path(writer *w, const tree *t, unsigned node, uint64_t code, unsigned length)
{
    for (; node != ROOT; node = t->parent[node / 2])
        code |= (uint64_t)(node % 2) << length++;
    w->put(code, length);
}

static __device__ __forceinline__ uint64_t encode_chunk(tree *t, const uint8_t *bytes, uint64_t n, uint32_t *words)
{
    writer w = {words, 0, 0, 0};
    unsigned nyt = plant(t), ahead = 0;

    for (uint64_t i = 0; i < n; i++) {
        if (i % LANES == 0 && n - i > lane_of())
            ahead = bytes[i + lane_of()];
        unsigned symbol = __shfl_sync(EVERY_LANE, ahead, (int)(i % LANES)), leaf = t->leaf[symbol];

        if (leaf == 0) {
            put_path(&w, t, nyt, symbol, 8);
            nyt = add(t, nyt, symbol);
        } else {
            put_path(&w, t, leaf, 0, 0);
            update(t, leaf);
        }
    }
    w.flush();
    return w.bits;
}

static __global__ void encode(text in, uint32_t *words, uint64_t *bits)
{
    __shared__ tree trees[WARPS];
    unsigned warp = threadIdx.x / LANES;

    for (uint64_t c = blockIdx.x * (uint64_t)WARPS + warp; c < in.chunks; c += gridDim.x * (uint64_t)WARPS) {
        uint64_t first = c * in.chunk, n = in.n - first < in.chunk ? in.n - first : in.chunk;
        uint64_t total = encode_chunk(&trees[warp], in.bytes + first, n, words + c * in.words);

        if (lane_of() == 0)
            bits[c] = total;
    }
}

// The last chunk that does not begin after `bit`. Chunk 0 begins at 0.
static __device__ __forceinline__ uint64_t chunk_at(const uint64_t *offset, uint64_t chunks, uint64_t bit)
{
    uint64_t first = 0, end = chunks;

    while (end - first > 1) {
        uint64_t middle = first + (end - first) / 2;

        if (offset[middle] <= bit)
            first = middle;
        else
            end = middle;
    }
    return first;
}

// `count` bits, 1 to 32, from bit `from` of a chunk on, as the lowest of the result.
static __device__ __forceinline__ uint32_t bits_of(const uint32_t *words, uint64_t from, unsigned count)
{
    unsigned shift = (unsigned)(from % 32);
    uint64_t both = (uint64_t)words[from / 32] << 32;

    if (shift + count > 32)
        both |= words[from / 32 + 1];
    return (uint32_t)(both << shift >> (64 - count));
}

static __global__ void gather(const uint32_t *words, uint64_t room, const uint64_t *offset, uint64_t chunks,
                              uint64_t total, uint8_t *payload)
{
    uint64_t first = blockIdx.x * (uint64_t)THREADS + threadIdx.x, bit = 32 * first;
    uint32_t word = 0;

    if (bit >= total)
        return;
    uint64_t c = chunk_at(offset, chunks, bit);
    for (unsigned left = 32; left > 0 && bit < total; c++) {
        uint64_t end = c + 1 < chunks ? offset[c + 1] : total;
        unsigned now = end - bit < left ? (unsigned)(end - bit) : left;

        left -= now;
        word |= bits_of(words + c * room, bit - offset[c], now) << left;
        bit += now;
    }
    for (unsigned i = 0; i < 4 && 32 * first + 8 * i < total; i++)
        payload[4 * first + i] = (uint8_t)(word >> (24 - 8 * i));
}

static uint64_t over(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

// chunk 0: all are one. There is a byte.
static text cut(const uint64_t *parameters, const sb_array *inputs)
{
    const sb_array *in = &inputs[SB_AHUFF_BYTES];
    uint64_t chunk = parameters[SB_AHUFF_CHUNK];
    text t = {(const uint8_t *)in->data, in->length, chunk, 0, 0};

    if (chunk == 0 || chunk > in->length)
        t.chunk = in->length;
    t.chunks = over(t.n, t.chunk);
    t.words = over(MOST_BYTES * t.chunk, 4);
    return t;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return inputs[SB_AHUFF_BYTES].length > 0 && cut(parameters, inputs).chunk > 0xffffffffu
               ? "a chunk of 2^32 bytes or more"
               : nullptr;
}

// The sum of all bits, then the words of the chunks.
static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    if (inputs[SB_AHUFF_BYTES].length == 0)
        return 0;
    text in = cut(parameters, inputs);
    return sizeof(uint64_t) + in.chunks * in.words * sizeof(uint32_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t *offset = (uint64_t *)outputs[SB_AHUFF_OFFSET].data, *sum = (uint64_t *)workspace, total;
    uint32_t *words = (uint32_t *)(sum + 1);
    sb_array *payload = &outputs[SB_AHUFF_PAYLOAD];

    if (inputs[SB_AHUFF_BYTES].length == 0) {
        payload->length = 0;
        return cudaMemset(outputs[SB_AHUFF_BITS].data, 0, sizeof total) == cudaSuccess ? SB_OK : SB_FAILED;
    }
    text in = cut(parameters, inputs);
    uint64_t blocks = over(in.chunks, WARPS);
    encode<<<(unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), THREADS>>>(in, words, offset);
    scan_sums<<<1, SUM_THREADS>>>(offset, in.chunks, sum);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    payload->length = over(total, 8);
    if (payload->length > payload->capacity)
        return SB_FAILED;
    gather<<<(unsigned)over(over(total, 32), THREADS), THREADS>>>(words, in.words, offset, in.chunks, total,
                                                                  (uint8_t *)payload->data);
    return cudaPeekAtLastError() == cudaSuccess &&
                   cudaMemcpy(outputs[SB_AHUFF_BITS].data, &total, sizeof total, cudaMemcpyHostToDevice) == cudaSuccess
               ? SB_OK
               : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_ahuff_encode_chunks[] = {
    {"ahuff.encode", "chunks", "a warp a chunk, all levels of a byte at once", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
