// SPDX-License-Identifier: BSD-2-Clause
//
// What the decoders share: a code made ready, bits read and bytes written 16 bytes at a time, and the run of symbols
// that every thread decodes with them.
//
//     window, its highest LOOK_BITS bits -> look[]: 1 0 1 1 0|0 1 1|1 0 1 0        symbols 2, their lengths 5 and 3
//
// look[] answers with one symbol or with two, whatever fits; a longer code is found among the first codes of all
// lengths. Decoding is total: from any bit on each step takes at least a bit, and what is behind the payload reads as
// 0.
#ifndef GPU_HUFFMAN_CODEBOOK_CUH
#define GPU_HUFFMAN_CODEBOOK_CUH

#include "canonical.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    LOOK_BITS = 12, // two symbols of text at once, mostly; 16 KiB of shared memory
    LOOKS = 1 << LOOK_BITS,
    QUAD = 16 // bytes of a load or store
};

namespace
{

// The arrays of the case.
struct huffman_code {
    const uint8_t *length;
    const uint64_t *bits;
    const uint8_t *payload;
    uint64_t payload_bytes;
    const uint64_t *offset;
    uint64_t offsets, chunk;
    uint8_t *bytes;
    uint64_t room; // for bytes
};

// A symbol or two: symbols in bits 0 and 8, length of the first in bit 16, of both in bit 24 (the same when there is no
// second one). 0: the code is longer.
typedef uint32_t look_entry;

struct alignas(QUAD) codebook {
    look_entry look[LOOKS];
    canonical codes;
    uint8_t symbol[ALPHABET]; // in the order of their codes
};

struct verdict {
    uint64_t n;
    uint32_t unfit;   // lengths, bits and payload: nothing is decoded
    uint32_t invalid; // codes and offsets
};

struct bit_reader {
    const uint8_t *payload;
    uint64_t bytes, position; // `position` in bits
    uint64_t window;          // its highest `available` bits are those at `position`, the others 0
    uint4 queue, ahead;       // words that come next: queue.x first
    uint64_t quad;            // that follows `ahead`
    unsigned available, words, skip;

    // Loads are of QUAD bytes at their natural alignment, so `payload` stands `skip` bytes behind the first of them.
    __device__ __forceinline__ bit_reader(const uint8_t *payload, uint64_t bytes, uint64_t position)
        : payload(payload), bytes(bytes), skip((unsigned)((uintptr_t)payload % QUAD))
    {
        restart(position);
    }

    __device__ __forceinline__ void restart(uint64_t at)
    {
        uint64_t bit = at + skip * 8;

        position = at;
        quad = bit / (QUAD * 8);
        queue = load(quad);
        ahead = load(quad + 1);
        quad += 2;
        words = 4;
        for (unsigned word = bit / 32 % 4; word > 0; word--)
            next_word();
        window = (uint64_t)next_word() << 32 << bit % 32;
        available = 32 - bit % 32;
    }

    __device__ __forceinline__ uint4 load(uint64_t i) const
    {
        uint64_t first = i * QUAD;
        uint32_t word[4] = {0, 0, 0, 0};

        if (first >= skip && first + QUAD <= skip + bytes)
            return *(const uint4 *)(payload + (first - skip));
        for (unsigned k = first >= skip ? 0 : skip - (unsigned)first; k < QUAD && first + k < skip + bytes; k++)
            word[k / 4] |= (uint32_t)payload[first + k - skip] << k % 4 * 8;
        return make_uint4(word[0], word[1], word[2], word[3]);
    }

    __device__ __forceinline__ uint32_t first_word(void) const
    {
        return __byte_perm(queue.x, 0, 0x0123); // the first byte highest
    }

    __device__ __forceinline__ uint32_t next_word(void)
    {
        uint32_t word = first_word();

        queue = make_uint4(queue.y, queue.z, queue.w, 0);
        if (--words == 0) {
            queue = ahead;
            ahead = load(quad++);
            words = 4;
        }
        return word;
    }

    // Makes more than 32 bits available.
    __device__ __forceinline__ void fill(void)
    {
        if (available <= 32) {
            window |= (uint64_t)next_word() << (32 - available);
            available += 32;
        }
    }

    // At least LONGEST bits, after fill().
    __device__ __forceinline__ uint64_t long_window(void) const
    {
        return available < 64 ? window | (uint64_t)first_word() << 32 >> available : window;
    }

    __device__ __forceinline__ void advance(unsigned length)
    {
        if (length > available) {
            restart(position + length);
            return;
        }
        window = length < 64 ? window << length : 0;
        available -= length;
        position += length;
    }
};

// Bytes from `first` on, which need not be aligned; never writes outside of them.
struct byte_writer {
    uint8_t *first, *at;   // `at`: where `word` goes, aligned to it
    uint64_t before, word; // the lower half of the quad, when `word` is its upper one
    unsigned filled;       // bytes of word

    __device__ __forceinline__ explicit byte_writer(uint8_t *bytes)
        : first(bytes), at(bytes - (uintptr_t)bytes % 8), before(0), word(0), filled((unsigned)((uintptr_t)bytes % 8))
    {
    }

    __device__ __forceinline__ void put(uint32_t symbols, unsigned count)
    {
        word |= (uint64_t)symbols << filled * 8;
        filled += count;
        if (filled >= 8) {
            filled -= 8;
            next_word();
            word = filled == 0 ? 0 : symbols >> (count - filled) * 8;
        }
    }

    __device__ __forceinline__ bool upper(void) const
    {
        return (uintptr_t)at % QUAD != 0;
    }

    __device__ __forceinline__ void next_word(void)
    {
        if (!upper())
            before = word;
        else if (at - 8 >= first)
            *(uint4 *)(at - 8) =
                make_uint4((uint32_t)before, (uint32_t)(before >> 32), (uint32_t)word, (uint32_t)(word >> 32));
        else
            put_bytes(8);
        at += 8;
    }

    // The quad up to the first `count` bytes of `word`.
    __device__ __forceinline__ void put_bytes(unsigned count)
    {
        for (unsigned i = 0; upper() && i < 8; i++)
            if (at + i >= first + 8)
                at[(int)i - 8] = (uint8_t)(before >> i * 8);
        for (unsigned i = 0; i < count; i++)
            if (at + i >= first)
                at[i] = (uint8_t)(word >> i * 8);
    }

    __device__ __forceinline__ void finish(void)
    {
        put_bytes(filled);
    }
};

// In place of a byte_writer, where symbols are only counted.
struct no_writer {
    __device__ __forceinline__ void put(uint32_t, unsigned)
    {
    }
};

} // namespace

// The symbol whose code of 1..`most` bits is the highest of the LOOK_BITS bits `value`; its length, or 0.
static __device__ unsigned short_code(const canonical &codes, const uint8_t *symbols, uint32_t value, unsigned most,
                                      unsigned *symbol)
{
    for (unsigned length = 1; length <= most; length++) {
        uint32_t code = (value >> (LOOK_BITS - length)) - (uint32_t)codes.first[length];

        if (code < codes.count[length]) {
            *symbol = symbols[codes.shorter[length] + code];
            return length;
        }
    }
    return 0;
}

static __device__ look_entry look_up(const canonical &codes, const uint8_t *symbols, uint32_t value)
{
    unsigned symbol = 0, second = 0;
    unsigned length = short_code(codes, symbols, value, LOOK_BITS, &symbol);

    if (length == 0)
        return 0;
    unsigned more = short_code(codes, symbols, value << length & (LOOKS - 1), LOOK_BITS - length, &second);
    return symbol | second << 8 | length << 16 | (length + more) << 24;
}

// A code of more than LOOK_BITS bits. A bit that is no code, which only a lone symbol leaves, counts as one that is
// bad.
static __device__ __noinline__ look_entry long_code(const codebook *book, uint64_t window, bool *bad)
{
    for (unsigned length = LOOK_BITS + 1; length <= LONGEST; length++) {
        uint64_t code = (window >> (64 - length)) - book->codes.first[length];

        if (code < book->codes.count[length])
            return book->symbol[book->codes.shorter[length] + code] | length << 16 | length << 24;
    }
    *bad = true;
    return 1u << 16 | 1u << 24;
}

// Decodes `limit` symbols, or those that begin before bit `end` when they are fewer. How many there were.
template <typename writer>
static __device__ __forceinline__ uint64_t decode_run(const codebook *book, const look_entry *look, bit_reader &in,
                                                      uint64_t limit, uint64_t end, writer &out, bool *bad)
{
    uint64_t done = 0;

    while (done < limit && in.position < end) {
        in.fill();
        look_entry entry = look[in.window >> (64 - LOOK_BITS)];
        if (entry == 0)
            entry = long_code(book, in.long_window(), bad);
        unsigned first = entry >> 16 & 255, both = entry >> 24;
        bool two = both != first && limit - done > 1 && end - in.position > first;
        out.put(two ? entry & 0xffff : entry & 0xff, two ? 2 : 1);
        in.advance(two ? both : first);
        done += two ? 2 : 1;
    }
    return done;
}

// The block's own copy of the table; each of its threads calls.
static __device__ __forceinline__ void copy_looks(look_entry *look, const codebook *book)
{
    for (unsigned i = threadIdx.x; i < LOOKS / 4; i += blockDim.x)
        ((uint4 *)look)[i] = ((const uint4 *)book->look)[i];
    __syncthreads(); // the table is there
}

static __device__ bool lengths_fit(const canonical &codes, uint64_t bits)
{
    const uint64_t whole = 1ull << LONGEST;
    uint64_t kraft = 0;
    unsigned used = 0;

    for (unsigned length = 1; length <= LONGEST; length++) {
        kraft += (uint64_t)codes.count[length] << (LONGEST - length);
        used += codes.count[length];
    }
    return kraft == whole || (used == 1 && kraft == whole / 2) || (used == 0 && bits == 0);
}

static __device__ bool payload_fits(const huffman_code &c)
{
    uint64_t bits = *c.bits;

    return c.payload_bytes == bits / 8 + (bits % 8 != 0) && (c.offsets == 0) == (bits == 0) &&
           (bits % 8 == 0 || (c.payload[bits / 8] & 255 >> bits % 8) == 0);
}

// One block, a thread a symbol: what can be said of the case before decoding, and its code.
static __global__ void make_codebook(huffman_code c, codebook *book, verdict *judged)
{
    __shared__ canonical codes;
    __shared__ uint8_t symbols[ALPHABET];
    unsigned me = threadIdx.x, length = c.length[me];
    bool too_long = __syncthreads_or(length > LONGEST);
    unsigned place = order_codes(too_long ? 0 : length, &codes);

    if (length != 0 && !too_long)
        book->symbol[place] = symbols[place] = (uint8_t)me;
    if (me == 0) {
        book->codes = codes;
        judged->unfit = too_long || !lengths_fit(codes, *c.bits) || !payload_fits(c);
        judged->invalid = 0;
        judged->n = 0;
    }
    __syncthreads(); // the symbols are there
    for (unsigned value = me; value < LOOKS; value += ALPHABET)
        book->look[value] = look_up(codes, symbols, value);
}

// Before any launch: the arrays of the case. False: no bits and offsets can make it valid.
static bool take_case(huffman_code *c, const uint64_t *parameters, const sb_array *inputs, const sb_array *bytes)
{
    c->length = (const uint8_t *)inputs[SB_HUFFMAN_DECODE_LENGTH].data;
    c->bits = (const uint64_t *)inputs[SB_HUFFMAN_DECODE_BITS].data;
    c->payload = (const uint8_t *)inputs[SB_HUFFMAN_DECODE_PAYLOAD].data;
    c->payload_bytes = inputs[SB_HUFFMAN_DECODE_PAYLOAD].length;
    c->offset = (const uint64_t *)inputs[SB_HUFFMAN_DECODE_OFFSET].data;
    c->offsets = inputs[SB_HUFFMAN_DECODE_OFFSET].length;
    c->chunk = parameters[SB_HUFFMAN_CHUNK] == 0 ? UINT64_MAX : parameters[SB_HUFFMAN_CHUNK];
    c->bytes = (uint8_t *)bytes->data;
    c->room = bytes->capacity;
    // each chunk but the last is full, and the last has a byte
    return c->offsets == 0 || (c->room > 0 && c->offsets - 1 <= (c->room - 1) / c->chunk);
}

// After the last launch. True: the device did it, and *judged is known.
static bool read_verdict(verdict *judged, const verdict *on_device)
{
    return cudaPeekAtLastError() == cudaSuccess &&
           cudaMemcpy(judged, on_device, sizeof *judged, cudaMemcpyDeviceToHost) == cudaSuccess;
}

#endif
