// SPDX-License-Identifier: BSD-2-Clause
//
// ahuff.encode/chunks: a warp encodes a chunk; prefix sums of the chunks' bits say where each belongs.
//
//   encode     a warp takes every so many chunks, with a tree of its own in shared memory (tree.cuh: method and
//              sources). It writes a chunk's bits, first bit highest, into words of the workspace that hold a chunk of
//              the longest codes; the number of bits goes into `offset`. A byte's path is gathered from the leaf up
//              into one 64-bit number, the same in all lanes; a full word is kept by one lane, and 32 words are written
//              together
//   scan_sums  (../qlfc/sums.cuh) one block turns the numbers of bits into start bits
//   gather     one thread for each 4 bytes of payload: finds the chunk of their first bit by binary search, and takes
//              bits of it and, where it ends, of those that follow
// Shared memory: 16 KiB for each block of 4 warps. Workspace: 3 bytes for each byte of text. Why it is right: chunks
// share nothing but the order of their bits. A chunk has at least 8 bits, so 4 bytes of payload come from at most 5
// chunks.
// Cost: a byte takes one ballot for each level of the tree, about 5 for text; the rest is little beside it.
#include "../qlfc/sums.cuh"
#include "tree.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/workspace.cuh>

static const uint64_t MAX_BYTES = 3; // of payload for a byte of text

namespace
{

struct text {
    const uint8_t *bytes;
    uint64_t n, chunk, chunks;
    uint64_t words; // capacity of a chunk's part of the workspace
};

// The bits of a chunk so far, the same in all lanes, and the word of the last 32 words that this lane keeps.
struct writer {
    uint32_t *words;
    uint64_t bits;
    uint64_t left; // its lowest bits % 32 bits are not in a word yet; what is above them has no meaning
    uint32_t kept;

    __device__ void put_word(uint32_t word)
    {
        unsigned holder = (unsigned)(bits / 32 % sb::WARP_LANES);

        if (holder == sb::lane_index())
            kept = word;
        if (holder == sb::WARP_LANES - 1)
            words[bits / 32 - holder + sb::lane_index()] = kept;
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
        if (sb::lane_index() < bits / 32 % sb::WARP_LANES)
            words[bits / 32 - bits / 32 % sb::WARP_LANES + sb::lane_index()] = kept;
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
    unsigned nyt = reset(t), ahead = 0;

    for (uint64_t i = 0; i < n; i++) {
        if (i % sb::WARP_LANES == 0 && n - i > sb::lane_index())
            ahead = bytes[i + sb::lane_index()];
        unsigned symbol = __shfl_sync(sb::FULL_MASK, ahead, (int)(i % sb::WARP_LANES)), leaf = t->leaf[symbol];

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
    unsigned warp = sb::warp_index();

    for (uint64_t c = blockIdx.x * (uint64_t)WARPS + warp; c < in.chunks; c += gridDim.x * (uint64_t)WARPS) {
        uint64_t first = c * in.chunk, n = in.n - first < in.chunk ? in.n - first : in.chunk;
        uint64_t total = encode_chunk(&trees[warp], in.bytes + first, n, words + c * in.words);

        if (sb::lane_index() == 0)
            bits[c] = total;
    }
}

// The last chunk that does not begin after `bit`, by binary search. Chunk 0 begins at 0.
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

// The `count` bits, 1 to 32, from bit `from` of a chunk on, as the lowest bits of the result.
static __device__ __forceinline__ uint32_t bits_of(const uint32_t *words, uint64_t from, unsigned count)
{
    unsigned shift = (unsigned)(from % 32);
    uint64_t both = (uint64_t)words[from / 32] << 32;

    if (shift + count > 32)
        both |= words[from / 32 + 1];
    return (uint32_t)(both << shift >> (64 - count));
}

static __global__ void gather(const uint32_t *words, uint64_t words_a_chunk, const uint64_t *offset, uint64_t chunks,
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
        word |= bits_of(words + c * words_a_chunk, bit - offset[c], now) << left;
        bit += now;
    }
    for (unsigned i = 0; i < 4 && 32 * first + 8 * i < total; i++)
        payload[4 * first + i] = (uint8_t)(word >> (24 - 8 * i));
}

// A chunk of 0 bytes means the whole input, which is not empty.
static text cut(const uint64_t *parameters, const sb_array *inputs)
{
    const sb_array *in = &inputs[SB_AHUFF_BYTES];
    uint64_t chunk = parameters[SB_AHUFF_CHUNK];
    text t = {(const uint8_t *)in->data, in->length, chunk, 0, 0};

    if (chunk == 0 || chunk > in->length)
        t.chunk = in->length;
    t.chunks = sb::divide_up(t.n, t.chunk);
    t.words = sb::divide_up(MAX_BYTES * t.chunk, 4);
    return t;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return inputs[SB_AHUFF_BYTES].length > 0 && cut(parameters, inputs).chunk > 0xffffffffu
               ? "a chunk of 2^32 bytes or more"
               : nullptr;
}

namespace
{

struct workspace_arrays {
    uint64_t *sum;   // of all bits
    uint32_t *words; // of the chunks
};

} // namespace

// Lays the workspace out, and returns its size.
static uint64_t lay_out(workspace_arrays *arrays, const text &in, void *memory)
{
    sb::workspace space(memory);

    arrays->sum = space.take<uint64_t>(1);
    arrays->words = space.take<uint32_t>(in.chunks * in.words);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    if (inputs[SB_AHUFF_BYTES].length == 0)
        return 0;
    workspace_arrays arrays = {};
    return lay_out(&arrays, cut(parameters, inputs), nullptr);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t *offset = (uint64_t *)outputs[SB_AHUFF_OFFSET].data, total;
    sb_array *payload = &outputs[SB_AHUFF_PAYLOAD];

    if (inputs[SB_AHUFF_BYTES].length == 0) {
        payload->length = 0;
        return cudaMemset(outputs[SB_AHUFF_BITS].data, 0, sizeof total) == cudaSuccess ? SB_OK : SB_FAILED;
    }
    text in = cut(parameters, inputs);
    workspace_arrays arrays = {};

    lay_out(&arrays, in, workspace);
    uint64_t blocks = sb::divide_up(in.chunks, WARPS);
    encode<<<(unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID), THREADS>>>(in, arrays.words, offset);
    scan_sums<<<1, SUM_THREADS>>>(offset, in.chunks, arrays.sum);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&total, arrays.sum, sizeof total, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    payload->length = sb::divide_up(total, 8);
    if (payload->length > payload->capacity)
        return SB_FAILED;
    gather<<<(unsigned)sb::divide_up(sb::divide_up(total, 32), THREADS), THREADS>>>(
        arrays.words, in.words, offset, in.chunks, total, (uint8_t *)payload->data);
    return cudaPeekAtLastError() == cudaSuccess &&
                   cudaMemcpy(outputs[SB_AHUFF_BITS].data, &total, sizeof total, cudaMemcpyHostToDevice) == cudaSuccess
               ? SB_OK
               : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_ahuff_encode_chunks[] = {
    {"ahuff.encode", "chunks", "one warp for each chunk, all levels of a byte at once", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
