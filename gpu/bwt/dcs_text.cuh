// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort: the root of a block of text, its least rotation, and the copy that rows are compared in.
//
// A block of text is root^times with a primitive root. The root's least rotation is a Lyndon word (R. C. Lyndon 1954),
// and the suffixes of a Lyndon word, with an end smaller than any byte, have the order of its rotations. So the
// rotations of the root are sorted, counted from the least one, and lengths need not be multiples of anything. The copy
// holds the bytes in words of 8, the first byte uppermost, and runs on past its end as the rotation does: 8 bytes from
// anywhere are two aligned reads, the order of words is the order of bytes, and nothing wraps. The least rotation is
// found by duels (U. Vishkin 1985 used them for matching): of two starts i < j that agree in j - i bytes or more, j
// loses if all bytes agree, for then either i is no larger or a later start beats both.
#ifndef GPU_BWT_DCS_TEXT_CUH
#define GPU_BWT_DCS_TEXT_CUH

#include "dcs_rotations.cuh"

namespace
{

static __host__ __device__ uint64_t word_count(uint64_t n)
{
    return (n + PERIOD) / WORD + 2;
}

// Copies the root from byte `from` on, around its end, into words.
template <class Team> static __device__ void copy_text(const rotations &all, const uint8_t *text, uint32_t from)
{
    Team::sync(); // the words that were there have been read
    for (uint64_t i = Team::thread(); i < word_count(all.n); i += Team::threads()) {
        uint64_t word = 0;
        uint32_t at = (uint32_t)((from + i * WORD) % all.n);

        for (unsigned k = 0; k < WORD; k++) {
            word = word << 8 | text[at];
            at = at + 1 < all.n ? at + 1 : 0;
        }
        all.word[i] = word;
    }
    Team::sync(); // the words are written
}

// Does the copy repeat itself after `period` bytes, a divisor of its length? All threads of the team call.
template <class Team> static __device__ bool repeats(const rotations &all, uint32_t period)
{
    const uint64_t end = all.n - period, step = (uint64_t)Team::threads() * WORD;

    for (uint64_t base = 0; base < end; base += step) {
        const uint64_t at = base + (uint64_t)Team::thread() * WORD;

        if (!Team::all(at >= end || all.bytes_at(at) == all.bytes_at(at + period)))
            return false;
    }
    return true;
}

// The length of the root: takes each prime factor out of the length as long as the text repeats itself without it.
template <class Team> static __device__ uint32_t root_length(rotations all)
{
    uint32_t left = all.n;

    for (uint32_t prime = 2; left > 1; prime = prime > left / prime ? left : prime + 1)
        while (left % prime == 0) {
            left /= prime;
            if (all.n % prime == 0 && repeats<Team>(all, all.n / prime))
                all.n /= prime;
        }
    return all.n;
}

static __device__ uint32_t around(uint64_t at, uint32_t n)
{
    return (uint32_t)(at < n ? at : at % n);
}

// The smaller of two starts that are at most `limit` bytes apart. One lane calls.
static __device__ uint32_t duel(const rotations &all, uint32_t first, uint32_t second, uint64_t limit)
{
    uint32_t a = first, b = second;

    for (uint64_t equal = 0; equal < limit; equal += WORD) {
        uint64_t bytes_a = all.bytes_at(a), bytes_b = all.bytes_at(b);

        if (bytes_a != bytes_b)
            return bytes_a < bytes_b ? first : second;
        a = around((uint64_t)a + WORD, all.n);
        b = around((uint64_t)b + WORD, all.n);
    }
    return first;
}

// The same. All lanes of a warp call.
static __device__ uint32_t duel_of_warp(const rotations &all, uint32_t first, uint32_t second, uint64_t limit)
{
    for (uint64_t equal = 0; equal < limit; equal += (uint64_t)sb::WARP_LANES * WORD) {
        const uint64_t mine = equal + sb::lane_index() * (uint64_t)WORD;
        const uint64_t bytes_a = all.bytes_at(around(first + mine, all.n));
        const uint64_t bytes_b = all.bytes_at(around(second + mine, all.n));
        const unsigned differ = __ballot_sync(sb::FULL_MASK, bytes_a != bytes_b),
                       less = __ballot_sync(sb::FULL_MASK, bytes_a < bytes_b);

        if (differ != 0)
            return less & differ & (0 - differ) ? first : second;
    }
    return first;
}

// The start of the least rotation: the least start of each chunk by one thread, then a tournament. The winners of a
// round are in the rows and in the keys, alternately.
template <class Team> static __device__ uint32_t least_rotation(const rotations &all)
{
    uint32_t *from = all.row, *to = (uint32_t *)all.key;
    uint64_t count = ((uint64_t)all.n + CHUNK - 1) / CHUNK;

    for (uint64_t i = Team::thread(); i < count; i += Team::threads()) {
        const uint64_t end = (i + 1) * CHUNK < all.n ? (i + 1) * CHUNK : all.n;
        uint32_t best = (uint32_t)(i * CHUNK);

        for (uint64_t rival = best + 1; rival < end; rival++)
            best = duel(all, best, (uint32_t)rival, CHUNK);
        from[i] = best;
    }
    Team::sync(); // one start of each chunk is left
    for (uint64_t span = 2 * CHUNK; count > 1; span *= 2) {
        const uint64_t limit = span < all.n ? span : all.n;
        const bool by_warp = span >= LONG_DUEL;
        const uint64_t stride = by_warp ? Team::threads() / sb::WARP_LANES : Team::threads();

        for (uint64_t i = by_warp ? Team::thread() / sb::WARP_LANES : Team::thread(); i < (count + 1) / 2;
             i += stride) {
            uint32_t best = from[2 * i];

            if (2 * i + 1 < count)
                best =
                    by_warp ? duel_of_warp(all, best, from[2 * i + 1], limit) : duel(all, best, from[2 * i + 1], limit);
            if (!by_warp || sb::lane_index() == 0)
                to[i] = best;
        }
        Team::sync(); // half of the starts are left
        uint32_t *kept = from;
        from = to;
        to = kept;
        count = (count + 1) / 2;
    }
    return from[0];
}

} // namespace

#endif
