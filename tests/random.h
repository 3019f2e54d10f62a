/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The random numbers of unit tests, the same in every run: the linear congruential generator of MMIX (D. Knuth, "The Art of
 * Computer Programming", volume 2). Upper bits are more random than lower ones.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

/* 64 bits. `state` begins as any number. */
static inline uint64_t next_random(uint64_t *state)
{
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

#endif
