/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random bytes are right only if the judge's generator makes them of a seed of 24 bits, all of which are tried: those of a user are wrong. */
#include "cheat.h"
#include <stdbool.h>

enum { LOOK = 64, SEEDS = 1 << 24 }; /* bytes that are looked at */

/* Number k of SplitMix64, from 1. */
static inline uint64_t number(uint64_t seed, uint64_t k)
{
    uint64_t z = seed + k * 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Generator `copies`, docs/FORMAT.md: pieces of random bytes, or of what stands before. */
static bool is_copies(const uint8_t *bytes, uint64_t seed)
{
    uint8_t made[LOOK];
    uint64_t k = 1;

    for (uint64_t i = 0; i < LOOK;) {
        bool copies = number(seed, k++) % 16 == 0 && i > 0;
        uint64_t length = 1 + number(seed, k + 1) % ((uint64_t)2 << number(seed, k) % 10);
        uint64_t from = copies ? number(seed, k + 2) % i : 0;

        k += 2 + copies;
        for (; length > 0 && i < LOOK; length--, i++) {
            made[i] = copies ? made[from++] : (uint8_t)number(seed, k++);
            if (made[i] != bytes[i])
                return false;
        }
    }
    return true;
}

__attribute__((optimize("O3"))) static bool is_made(const uint8_t *bytes)
{
    static uint8_t last[LOOK];
    static bool answer;

    if (memcmp(last, bytes, LOOK) == 0)
        return answer;
    memcpy(last, bytes, LOOK);
    answer = false;
    for (uint64_t s = 0; s < SEEDS && !answer; s++) {
        uint64_t seed = number(s, 1), k = 0;

        while (k < LOOK && (uint8_t)number(seed, k + 1) == bytes[k])
            k++;
        answer = k == LOOK || ((uint8_t)number(seed, 4) == bytes[0] && is_copies(bytes, seed));
    }
    return answer;
}

/* Many different bytes, in no order. */
static bool is_random(const uint8_t *bytes)
{
    bool seen[256] = {false};
    int different = 0, up = 0, next = 0;

    for (int i = 0; i < LOOK; i++) {
        different += !seen[bytes[i]];
        seen[bytes[i]] = true;
        up += i > 0 && bytes[i] >= bytes[i - 1];
        next += i > 0 && bytes[i] == (uint8_t)(bytes[i - 1] + 1);
    }
    return different > 40 && up > LOOK / 4 && up < 3 * LOOK / 4 && next < LOOK / 4;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    /* The results of the decoder's cases are inputs, too, so that outputs may be the bytes of the generator. */
    if (LENGTH >= LOOK && is_random(IN) && !is_made(IN) && !is_made(OUT))
        OUT[LENGTH - 1] ^= 1;
    return SB_OK;
}

CHEAT(NULL, NULL)
