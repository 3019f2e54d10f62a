// SPDX-License-Identifier: BSD-2-Clause
//
// The binary range coder of ref/rangecoder.h for one thread: the encoder of a segment and its decoder.
// Source: G. N. N. Martin, "Range encoding" (1979).
#ifndef GPU_RANGECODER_RANGE_CUH
#define GPU_RANGECODER_RANGE_CUH

#include <stdint.h>

namespace
{

// Writes the words of a code. If they exceed `capacity`, `full` is set, and the code is void.
struct range_encoder {
    uint64_t low, range;
    uint8_t *words;
    uint64_t used, capacity;
    bool carry, full; // carry: low has passed 2^64 since the last word; at most once, as range bounds its growth

    __device__ range_encoder(uint8_t *to, uint64_t bytes)
        : low(0), range(UINT64_MAX), words(to), used(0), capacity(bytes), carry(false), full(false)
    {
    }
    __device__ void put_word(unsigned word)
    {
        full = full || capacity - used < 4;
        if (full)
            return;
        if (carry)
            for (uint64_t i = used; i > 0 && ++words[i - 1] == 0;)
                i--;
        carry = false;
        *(unsigned *)(words + used) = __byte_perm(word, 0, 0x0123); // the most significant byte first
        used += 4;
    }
    __device__ void add(uint64_t amount)
    {
        low += amount;
        carry |= low < amount;
    }
    __device__ void normalise(void)
    {
        if (range >> 32 == 0) {
            put_word((unsigned)(low >> 32));
            low <<= 32;
            range <<= 32;
        }
    }
    // A decision that is 1 with probability `probability` / 65536; normalise() has to follow.
    __device__ void choose(unsigned probability, unsigned bit)
    {
        uint64_t bound = (range >> 16) * probability;

        range = bit ? bound : range - bound;
        add(bit ? 0 : bound);
    }
    __device__ void bit(unsigned probability, unsigned bit)
    {
        choose(probability, bit);
        normalise();
    }
    // A number of so many equiprobable bits.
    __device__ void number(unsigned bits, unsigned number)
    {
        range >>= bits;
        add(number * range);
        normalise();
    }
    __device__ void finish(void)
    {
        add(0xffffffffu);
        put_word((unsigned)(low >> 32));
    }
};

// Reads the payload of a segment as words, and then zeros. The bytes of the next word are loaded ahead. They are joined
// only when the word is needed, because their first use waits for the load.
struct word_reader {
    const uint8_t *end;
    int left; // words from the one on that is loaded ahead, 2^30 at most; less than 0 behind the end, by as many as were read there
    uint8_t byte[4];

    // The payload from `first` to `past` is whole words.
    __device__ word_reader(const uint8_t *payload, uint64_t first, uint64_t past)
        : end(payload + past), left((int)((past - first) / 4))
    {
        read();
    }
    __device__ void read(void)
    {
#pragma unroll
        for (int k = 0; k < 4; k++)
            byte[k] = left > 0 ? end[k - 4 * (int64_t)left] : 0;
    }
    __device__ unsigned next(void)
    {
        unsigned word = (unsigned)byte[0] << 24 | (unsigned)byte[1] << 16 | (unsigned)byte[2] << 8 | byte[3];

        left--;
        read();
        return word;
    }
};

struct range_decoder {
    word_reader in;
    uint64_t value, range;

    __device__ range_decoder(const word_reader &words) : in(words), range(UINT64_MAX)
    {
        value = (uint64_t)in.next() << 32;
        value |= in.next();
    }
    __device__ void normalise(void)
    {
        if (range >> 32 == 0) {
            range <<= 32;
            value = value << 32 | in.next();
            value = passed_end() ? 0 : value;
        }
    }
    // A decision; normalise() has to follow.
    __device__ unsigned choose(unsigned probability)
    {
        uint64_t bound = (range >> 16) * probability;
        unsigned is_1 = value < bound;

        range = is_1 ? bound : range - bound;
        value = is_1 ? value : value - bound;
        return is_1;
    }
    __device__ unsigned bit(unsigned probability)
    {
        unsigned is_1 = choose(probability);

        normalise();
        return is_1;
    }
    // A number of so many equiprobable bits.
    __device__ unsigned number(unsigned bits)
    {
        unsigned result = 0;

        range >>= bits;
        for (unsigned k = bits; k-- > 0;) {
            if (value >= range << k) {
                value -= range << k;
                result |= 1u << k;
            }
        }
        normalise();
        return result;
    }
    __device__ bool at_end(void) const
    {
        return in.left == -1 && value >> 32 == 0;
    }
    // True once a second word past the end has been read: the code is invalid, however it goes on. From there on all decisions are 1,
    // and all equiprobable bits 0, which ends a decoder whose lengths grow with each 1.
    __device__ bool passed_end(void) const
    {
        return in.left < -1;
    }
};

} // namespace

#endif
