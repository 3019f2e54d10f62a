// SPDX-License-Identifier: BSD-2-Clause
//
// A thread's move-to-front list with SWAR arithmetic (SIMD within a register): four positions in each word, the first
// of them in the low byte.
//
// Bytes equal to the symbol are zero bytes of the word xor the symbol, and these are found by the carries of a
// subtraction (H. S. Warren, "Hacker's Delight", 2002). Only the lowest hit is sure; it is the one that is wanted,
// because a list holds a byte once. A word without the symbol moves up by one byte: it takes the byte carried out of
// the word before, and its own last byte is carried into the next. In the word that has the symbol only the bytes up to
// it move. The first word is kept in a register, so ranks 0..3 touch no memory; the others are a column of shared
// memory, one bank for each thread.
#ifndef GPU_MTF_SWAR_CUH
#define GPU_MTF_SWAR_CUH

#include <samebits/prim/bits.cuh>

enum { LIST_WORDS = 256 / 4 };

static const uint32_t ONES = 0x01010101u;

// Flags, the top bits of bytes: of the bytes of `word` that may equal `symbol`; 0 if none does. Only the lowest is
// sure.
static __device__ __forceinline__ uint32_t equal_bytes(uint32_t word, uint32_t symbol)
{
    uint32_t differs = word ^ symbol * ONES;

    return (differs - ONES) & ~differs & ONES << 7;
}

// The word with `carried` first and then its bytes before the lowest flagged one, or before the last if none is
// flagged.
static __device__ __forceinline__ uint32_t moved_up(uint32_t word, uint32_t carried, uint32_t flags)
{
    uint32_t moving = flags ^ (flags - 1);

    return ((word << 8 | carried) & moving) | (word & ~moving);
}

static __device__ __forceinline__ unsigned lowest_byte(uint32_t flags)
{
    return sb::lowest_bit(flags) / 8;
}

// Writes the positions 4..255 of the list 0..255 into the thread's column; returns positions 0..3.
template <unsigned THREADS>
static __device__ __forceinline__ uint32_t reset_list(uint32_t (&list)[LIST_WORDS - 1][THREADS])
{
    for (uint32_t i = 0; i < LIST_WORDS - 1; i++)
        list[i][threadIdx.x] = 0x07060504u + i * (4 * ONES);
    return 0x03020100u;
}

// Moves `symbol` to the front of the thread's list and returns its previous position.
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

// Fills the positions with the values from `first` on, which end below 256.
template <unsigned WORDS> static __device__ __forceinline__ void fill_words(uint32_t (&word)[WORDS], uint32_t first)
{
#pragma unroll
    for (unsigned w = 0; w < WORDS; w++)
        word[w] = (first + 4 * w) * ONES + 0x03020100u;
}

// Puts `carried` first, and moves the positions up by one: those before the symbol, which so leaves; or all, and the
// last one leaves. Returns the position of the symbol, or 4*WORDS. All words are always passed, so that the threads of
// a warp stay together and every word has a register.
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
