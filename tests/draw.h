/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random numbers for unit tests, the same in every run: `start` is the fixture of a test; `draw` returns a number below
 * `bound`, made of the upper bits of a linear congruential generator.
 */
#ifndef TESTS_DRAW_H
#define TESTS_DRAW_H

#include <stdint.h>

static uint64_t seed;

static void start(void)
{
    seed = 1;
}

static uint64_t draw(uint64_t bound)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % bound;
}

#endif
