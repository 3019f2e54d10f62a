/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The random generator of docs/FORMAT.md: SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number
 * generators", 2014).
 */
#ifndef COMMON_RANDOM_H
#define COMMON_RANDOM_H

#include <stdint.h>

typedef struct sb_random {
    uint64_t state;
} sb_random;

static inline uint64_t sb_random_next(sb_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Uniform in [0, bound), bound > 0. */
static inline uint64_t sb_random_below(sb_random *random, uint64_t bound)
{
    uint64_t rest = -bound % bound,
             value; /* 2^64 modulo bound: without so many values all results are equally likely */

    do
        value = sb_random_next(random);
    while (value < rest);
    return value % bound;
}

#endif
