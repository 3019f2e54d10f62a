// SPDX-License-Identifier: BSD-2-Clause
//
// The encoders share these kernels. They compute the code of each byte value, and the bit at which each tile of bytes
// begins.
//
//   count_bytes  (../pattern/histogram_warps.cuh) counts the bytes
//   make_codes   one block computes lengths (lengths.cuh), codes (canonical.cuh) and the number of all bits
//   tile_bits    a block adds up the lengths of the codes of a tile of 4096 bytes, 16 adjacent ones for each thread
//   scan_sums    (../qlfc/sums.cuh) turns these sums into the first bits of the tiles
#ifndef GPU_HUFFMAN_ENCODE_CUH
#define GPU_HUFFMAN_ENCODE_CUH

#include "../pattern/histogram_warps.cuh"
#include "../qlfc/sums.cuh"
#include "lengths.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    THREADS = SUM_THREADS,    // of a block: one for each symbol
    ITEMS = sb::VECTOR_BYTES, // bytes a thread takes: a load
    TILE = THREADS * ITEMS
};

static_assert((int)THREADS == (int)ALPHABET, "each symbol has its thread");

namespace
{

// A code << 8 | its length in bits.
typedef uint64_t code_entry;

// The arrays of the case, and those of the workspace.
struct encoding {
    const uint8_t *bytes;
    uint64_t n, chunk, tiles;
    uint8_t *length, *payload;
    uint64_t *bits, *offset;
    unsigned long long *count;
    code_entry *code;
    uint64_t *start; // of each tile, in bits
};

} // namespace

// Calls take(symbol, k) for the bytes first + k that exist, k < ITEMS.
template <typename function>
static __device__ __forceinline__ void for_items(const encoding &e, uint64_t first, function take)
{
    const uint8_t *from = e.bytes + first;

    if (first < e.n && e.n - first >= ITEMS && (uintptr_t)from % ITEMS == 0) {
        unsigned k = 0;

        sb::for_bytes(*(const uint4 *)from, [&](unsigned symbol) { take(symbol, k++); });
    } else {
#pragma unroll
        for (unsigned k = 0; k < ITEMS; k++)
            if (first + k < e.n)
                take(from[k], k);
    }
}

static __device__ __forceinline__ uint64_t first_item(uint64_t tile)
{
    return tile * TILE + threadIdx.x * ITEMS;
}

static __global__ void make_codes(encoding e)
{
    __shared__ huffman_tree tree;
    __shared__ canonical codes;
    unsigned me = threadIdx.x, length = code_length(&tree, (uint32_t)e.count[me]);
    unsigned index = order_codes(length, &codes);
    uint64_t bits;

    e.length[me] = (uint8_t)length;
    e.code[me] = length == 0 ? 0 : (codes.first[length] + index - codes.shorter[length]) << 8 | length;
    sum_before(e.count[me] * length, &bits);
    if (me == 0)
        *e.bits = bits;
}

static __global__ void tile_bits(encoding e)
{
    __shared__ uint8_t length[ALPHABET];
    uint64_t total;
    unsigned bits = 0;

    length[threadIdx.x] = e.length[threadIdx.x];
    __syncthreads(); // the table is complete
    for_items(e, first_item(blockIdx.x), [&](unsigned symbol, unsigned) { bits += length[symbol]; });
    sum_before(bits, &total);
    if (threadIdx.x == 0)
        e.start[blockIdx.x] = total;
}

// The codes of this thread's bytes of a tile, 0 for bytes past the end; returns how many bits they take. All threads of
// the block call.
static __device__ __forceinline__ unsigned load_codes(const encoding &e, uint64_t tile, code_entry code[ITEMS])
{
    __shared__ code_entry codes[ALPHABET];
    unsigned bits = 0;

    codes[threadIdx.x] = e.code[threadIdx.x];
    __syncthreads(); // the table is complete
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++)
        code[k] = 0;
    for_items(e, first_item(tile), [&](unsigned symbol, unsigned k) { code[k] = codes[symbol]; });
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++)
        bits += (unsigned)code[k] & 255;
    return bits;
}

// Writes the offsets of the chunks that begin among this thread's bytes, the first of which has its code at bit
// `position`.
static __device__ __forceinline__ void write_offsets(const encoding &e, uint64_t first, uint64_t position,
                                                     const code_entry code[ITEMS])
{
    uint64_t next = first / e.chunk + (first % e.chunk != 0); // the next chunk to begin
    uint64_t boundary = next * e.chunk, end = e.n - first > ITEMS ? first + ITEMS : e.n;

    if (boundary >= end)
        return;
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        if (first + k == boundary && boundary < end) {
            e.offset[next++] = position;
            boundary += e.chunk;
        }
        position += code[k] & 255;
    }
}

// Lays the workspace out, and returns its size.
static uint64_t lay_out(encoding *e, uint64_t n, sb::workspace &space)
{
    e->n = n;
    e->tiles = sb::divide_up(n, TILE);
    e->code = space.take<code_entry>(ALPHABET);
    e->count = space.take<unsigned long long>(ALPHABET);
    e->start = space.take<uint64_t>(e->tiles + 1); // and where they end
    return space.bytes();
}

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return inputs[SB_HUFFMAN_ENCODE_BYTES].length > 0xffffffffu ? "more than 2^32 - 1 bytes" : nullptr;
}

// Everything up to the first bits of the tiles; *bits is the number of all bits. False: the device failed.
static bool find_tiles(encoding *e, const uint64_t *parameters, const sb_array *inputs, sb_array *outputs,
                       uint64_t *bits)
{
    unsigned tiles = (unsigned)e->tiles;

    e->bytes = (const uint8_t *)inputs[SB_HUFFMAN_ENCODE_BYTES].data;
    e->chunk = parameters[SB_HUFFMAN_CHUNK];
    if (e->chunk == 0 || e->chunk > e->n)
        e->chunk = e->n; // the boundary after the last one must not wrap
    e->length = (uint8_t *)outputs[SB_HUFFMAN_ENCODE_LENGTH].data;
    e->bits = (uint64_t *)outputs[SB_HUFFMAN_ENCODE_BITS].data;
    e->payload = (uint8_t *)outputs[SB_HUFFMAN_ENCODE_PAYLOAD].data;
    e->offset = (uint64_t *)outputs[SB_HUFFMAN_ENCODE_OFFSET].data;
    if (!count_bytes(inputs[SB_HUFFMAN_ENCODE_BYTES], e->count))
        return false;
    make_codes<<<1, ALPHABET>>>(*e);
    if (tiles > 0) {
        tile_bits<<<tiles, THREADS>>>(*e);
        scan_sums<<<1, SUM_THREADS>>>(e->start, tiles, e->start + tiles);
    }
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(bits, e->bits, sizeof *bits, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    outputs[SB_HUFFMAN_ENCODE_PAYLOAD].length = sb::divide_up(*bits, 8);
    return sb::divide_up(*bits, 8) <= outputs[SB_HUFFMAN_ENCODE_PAYLOAD].capacity;
}

#endif
