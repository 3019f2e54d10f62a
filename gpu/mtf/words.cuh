// SPDX-License-Identifier: BSD-2-Clause
//
// A thread's move-to-front list, four positions a word, the first of them in the low byte.
//
// Equal bytes are found by the carry trick for zero bytes; only its lowest hit is sure, and it is the one that is
// wanted, as a list holds a byte once. A word without the symbol moves up by one byte: it takes the byte carried out of
// the word before and gives its own last one. In the word that has the symbol only the bytes up to it move. The first
// word is kept in a register, so that ranks 0..3 touch no memory; the others are a column in shared memory, a bank a
// thread.
#ifndef GPU_MTF_WORDS_CUH
#define GPU_MTF_WORDS_CUH

#include <cstdint>

enum { LIST_WORDS = 256 / 4 };

static const uint32_t ONES = 0x01010101u;

// The top bits of the bytes of `word` that may equal `symbol`; 0 when none does. Only the lowest is sure.
static __device__ __forceinline__ uint32_t equal_bytes(uint32_t word, uint32_t symbol)
{
    uint32_t differs = word ^ symbol * ONES;

    return (differs - ONES) & ~differs & ONES << 7;
}

// The word with its bytes up to the lowest flagged moved up, `carried` before them. No flag: all four.
static __device__ __forceinline__ uint32_t moved_up(uint32_t word, uint32_t carried, uint32_t flags)
{
    uint32_t moving = flags ^ (flags - 1);

    return ((word << 8 | carried) & moving) | (word & ~moving);
}

static __device__ __forceinline__ unsigned lowest_byte(uint32_t flags)
{
    return ((unsigned)__ffs((int)flags) - 1) / 8;
}

// Writes the positions 4..255 of the list 0..255 into the thread's column; returns positions 0..3.
template <unsigned THREADS>
static __device__ __forceinline__ uint32_t reset_list(uint32_t (&list)[LIST_WORDS - 1][THREADS])
{
    for (uint32_t i = 0; i < LIST_WORDS - 1; i++)
        list[i][threadIdx.x] = 0x07060504u + i * (4 * ONES);
    return 0x03020100u;
}

// Moves `symbol` to the front of the thread's list and gives the position at which it stood.
template <unsigned THREADS>
static __device__ __forceinline__ unsigned move_to_front(uint32_t &front, uint32_t (&list)[LIST_WORDS - 1][THREADS],
                                                         uint32_t symbol)
{
    uint32_t word = front;
    uint32_t flags = equal_bytes(word, symbol);
    unsigned passed = 0; // words

    front = moved_up(word, symbol, flags);
    while (flags == 0) {
        uint32_t carried = word >> 24;

        word = list[passed][threadIdx.x];
        flags = equal_bytes(word, symbol);
        list[passed][threadIdx.x] = moved_up(word, carried, flags);
        passed++;
    }
    return 4 * passed + lowest_byte(flags);
}

// Positions that hold the values from `first` on; they end at 256 at the latest.
template <unsigned WORDS> static __device__ __forceinline__ void fill_words(uint32_t (&word)[WORDS], uint32_t first)
{
#pragma unroll
    for (unsigned w = 0; w < WORDS; w++)
        word[w] = (first + 4 * w) * ONES + 0x03020100u;
}

// Puts `carried` before the positions. They move up by one: those up to the symbol, which so leaves; without it all,
// and the last leaves. Returns where the symbol stood, 4*WORDS when it did not. All words are passed, so that threads
// of a warp stay together and every word has a register.
template <unsigned WORDS>
static __device__ __forceinline__ unsigned move_in_words(uint32_t (&word)[WORDS], uint32_t symbol, uint32_t carried)
{
    uint32_t hit = 0;
    unsigned before = 4 * WORDS;

#pragma unroll
    for (unsigned w = 0; w < WORDS; w++) {
        uint32_t here = word[w];
        uint32_t flags = equal_bytes(here, symbol);

        if (hit == 0) {
            word[w] = moved_up(here, carried, flags);
            before = 4 * w;
            hit = flags;
        }
        carried = here >> 24;
    }
    return hit ? before + lowest_byte(hit) : 4 * WORDS;
}

#endif
