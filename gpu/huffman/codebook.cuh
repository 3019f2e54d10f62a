// SPDX-License-Identifier: BSD-2-Clause
//
// The decoders share a codebook, a bit reader and a byte writer that move 16 bytes at a time, and the loop in which
// every thread decodes with them.
//
//     window, its highest LOOK_BITS bits -> look[]: 1 0 1 1 0|0 1 1|1 0 1 0        symbols 2, their lengths 5 and 3
//
// look[] is indexed by the next LOOK_BITS bits and gives one symbol or two, as many as are complete; a longer code is
// found among the first codes of all lengths. Decoding is total: from any bit on each step takes at least a bit, and
// bits after the payload read as 0.
#ifndef GPU_HUFFMAN_CODEBOOK_CUH
#define GPU_HUFFMAN_CODEBOOK_CUH

#include "canonical.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    // Bits of a look-up: in text mostly two symbols. One bit more would take 32 KiB of shared memory, not 16. Not
    // tuned.
    LOOK_BITS = 12,
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
    uint64_t capacity; // of bytes
};

// One symbol or two: the symbols from bits 0 and 8 on, the length of the first from bit 16 on, that of both from bit 24
// on (the same where there is no second one). 0: the code is longer than LOOK_BITS.
typedef uint32_t look_entry;

struct alignas(QUAD) codebook {
    look_entry look[LOOKS];
    canonical codes;
    uint8_t symbol[ALPHABET]; // in the order of their codes
};

struct verdict {
    uint64_t n;
    uint32_t unfit;   // lengths, bits or payload are invalid: nothing is decoded
    uint32_t invalid; // codes or offsets are
};

// Reads bits of the payload, the highest bit of a byte first. Bytes are loaded QUAD at a time, one load ahead.
struct bit_reader {
    const uint8_t *payload;
    uint64_t bytes, position; // `position` in bits
    uint64_t window;          // its highest `available` bits are those at `position`, the others 0
    uint4 queue, ahead;       // the next words: queue.x first
    uint64_t quad;            // the number of the one after `ahead`
    unsigned available, words, skip;

    // Loads take QUAD bytes at their natural alignment, so `payload` begins `skip` bytes after the first load's
    // address.
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

// Writes bytes from `first` on, which need not be aligned, QUAD at a time; never writes outside of them.
struct byte_writer {
    uint8_t *first, *at;   // `at`: where `word` goes, aligned to it
    uint64_t before, word; // `before`: the lower half of the quad, where `word` is the upper one
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

    // Writes the quad up to the first `count` bytes of `word`, byte by byte.
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

// Takes the place of a byte_writer where symbols are only counted.
struct no_writer {
    __device__ __forceinline__ void put(uint32_t, unsigned)
    {
    }
};

} // namespace

// Finds the symbol whose code of 1..`max_length` bits leads the LOOK_BITS bits of `value`; returns the length, or 0.
static __device__ unsigned short_code(const canonical &codes, const uint8_t *symbols, uint32_t value,
                                      unsigned max_length, unsigned *symbol)
{
    for (unsigned length = 1; length <= max_length; length++) {
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

// The entry of a code of more than LOOK_BITS bits. Where no code fits, which only a code of one symbol allows, one bit
// is taken as a symbol and *bad is set.
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

// Decodes `limit` symbols, or fewer if no more begin before bit `end`. Returns the number of symbols.
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

// Copies the table to the block's shared memory. All threads of the block call.
static __device__ __forceinline__ void copy_looks(look_entry *look, const codebook *book)
{
    for (unsigned i = threadIdx.x; i < LOOKS / 4; i += blockDim.x)
        ((uint4 *)look)[i] = ((const uint4 *)book->look)[i];
    __syncthreads(); // the table is complete
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

// One block, one thread for each symbol: checks what can be checked before decoding, and makes the codebook.
static __global__ void make_codebook(huffman_code c, codebook *book, verdict *judged)
{
    __shared__ canonical codes;
    __shared__ uint8_t symbols[ALPHABET];
    unsigned me = threadIdx.x, length = c.length[me];
    bool too_long = __syncthreads_or(length > LONGEST);
    unsigned index = order_codes(too_long ? 0 : length, &codes);

    if (length != 0 && !too_long)
        book->symbol[index] = symbols[index] = (uint8_t)me;
    if (me == 0) {
        book->codes = codes;
        judged->unfit = too_long || !lengths_fit(codes, *c.bits) || !payload_fits(c);
        judged->invalid = 0;
        judged->n = 0;
    }
    __syncthreads(); // the symbols are in order
    for (unsigned value = me; value < LOOKS; value += ALPHABET)
        book->look[value] = look_up(codes, symbols, value);
}

// Takes the arrays of the case. False: whatever bits and offsets hold, the case is invalid.
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
    c->capacity = bytes->capacity;
    // each chunk except the last is full, and the last has at least a byte
    return c->offsets == 0 || (c->capacity > 0 && c->offsets - 1 <= (c->capacity - 1) / c->chunk);
}

// Called after the last launch. False: the device failed.
static bool read_verdict(verdict *judged, const verdict *on_device)
{
    return cudaPeekAtLastError() == cudaSuccess &&
           cudaMemcpy(judged, on_device, sizeof *judged, cudaMemcpyDeviceToHost) == cudaSuccess;
}

#endif
