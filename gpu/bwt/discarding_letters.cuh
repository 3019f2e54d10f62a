// SPDX-License-Identifier: BSD-2-Clause
//
// bwt.forward/discarding: the text as letters of as few bits as its alphabet needs, packed, so that a key of 64 bits
// holds as many letters as possible: 32 of DNA, 8 of arbitrary bytes.
//
// Letters are numbered in the order of the bytes that they represent, so packed letters compare as the bytes do. After
// the last letter of the text the packed array repeats the first ones (96 letters, in groups of 32, are more than any
// key reads), so most keys are two funnel shifts and no test for the end. Only rotations near the end of a block that
// is not the whole text gather their letters one by one.
#ifndef GPU_BWT_DISCARDING_LETTERS_CUH
#define GPU_BWT_DISCARDING_LETTERS_CUH

#include "discarding_rotations.cuh"

enum : unsigned {
    LETTERS = 256,      // values of a byte
    LETTER_BITS = 8,    // bits of a letter, at most
    LETTERS_AROUND = 96 // letters that are packed again after the end: a key of 64 letters of 1 bit, aligned to 32
};

namespace
{

// The packed letters of the text: the first one is in the highest bits of word 0.
struct letters {
    rotations all;
    const uint32_t *packed;
    unsigned bits;       // of a letter
    unsigned block_bits; // of the number of a block, which leads the key; 0 where there is only one block

    // 64 bits of letters from letter i on, around the end of the text.
    __device__ uint64_t from(uint32_t i) const
    {
        const uint32_t *word = packed + (uint64_t)i * bits / 32;
        unsigned skip = (i % 32 * bits) % 32;

        return (uint64_t)__funnelshift_l(word[1], word[0], skip) << 32 | __funnelshift_l(word[2], word[1], skip);
    }
    // The key of rotation i: the number of its block, then as many letters as fit; the last letter may be cut.
    __device__ uint64_t operator()(uint32_t i) const
    {
        uint32_t first = all.block == all.n ? 0 : i - i % all.block;
        uint64_t found = 0;

        if (all.block == all.n || i - first + 64 / bits < (all.n - first < all.block ? all.n - first : all.block))
            found = from(i);
        else
            for (unsigned end = bits; end < 64 + bits; end += bits) { // letter by letter, around the end of the block
                uint64_t letter = from(i) >> (64 - bits);

                found |= end <= 64 ? letter << (64 - end) : letter >> (end - 64);
                i = all.ahead(i, 1);
            }
        return block_bits == 0 ? found : (uint64_t)(first / all.block) << (64 - block_bits) | found >> block_bits;
    }
};

// The upper half of the key.
struct high_letters {
    letters from;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return (uint32_t)(from(i) >> 32);
    }
};

// The 32 bits of letters that follow the first `distance` letters.
struct further_letters {
    letters from;
    uint32_t distance;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return (uint32_t)(from(from.all.ahead(i, distance)) >> 32);
    }
};

// The lower half of the key.
struct low_letters {
    letters from;

    __device__ uint32_t operator()(uint32_t i) const
    {
        return (uint32_t)from(i);
    }
};

} // namespace

// Sets used[c] to 1 for each byte value c of the text. A block collects its bytes in shared memory; it reads a flag
// before it sets it, because nearly all bytes have been seen before and a read is cheaper than an atomic.
static __global__ void __launch_bounds__(THREADS) find_letters(const uint8_t *text, uint32_t n, uint32_t *used)
{
    __shared__ uint32_t seen[LETTERS];

    seen[threadIdx.x] = 0;
    __syncthreads(); // all flags are 0 before any is set
    for (uint32_t i = global_index(); i < n; i += gridDim.x * (uint32_t)THREADS)
        if (*(volatile uint32_t *)&seen[text[i]] == 0)
            atomicOr(&seen[text[i]], 1u);
    __syncthreads(); // all bytes of the block have set their flags
    if (seen[threadIdx.x])
        atomicOr(&used[threadIdx.x], 1u);
}

// A thread packs a group of 32 letters, which fill as many words as a letter has bits. The number of a letter is the
// count of used byte values before it.
static __global__ void __launch_bounds__(THREADS) pack_letters(const uint8_t *text, uint32_t n, uint32_t groups,
                                                               unsigned bits, const uint32_t *used, uint32_t *packed)
{
    __shared__ uint32_t sums[sb::RADIX_WARPS];
    __shared__ uint8_t number_of[LETTERS];

    number_of[threadIdx.x] = (uint8_t)sb::block_exclusive_sum(used[threadIdx.x], sums);
    __syncthreads(); // every byte value has its number
    for (uint32_t group = global_index(); group < groups; group += gridDim.x * (uint32_t)THREADS) {
        uint32_t *word = packed + (uint64_t)group * bits;
        uint64_t some = 0;
        unsigned filled = 0;

        for (unsigned k = 0; k < 32; k++) {
            uint64_t i = (uint64_t)group * 32 + k;

            some = some << bits | number_of[text[i < n ? i : i % n]];
            filled += bits;
            if (filled >= 32) {
                filled -= 32;
                *word++ = (uint32_t)(some >> filled);
            }
        }
    }
}

#endif
