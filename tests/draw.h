/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random numbers for unit tests, the same in every run: `start` is the fixture of a test; `draw` returns a number below
 * `bound`.
 */
#ifndef TESTS_DRAW_H
#define TESTS_DRAW_H

#include "random.h"

static uint64_t seed;

static void start(void)
{
    seed = 1;
}

static uint64_t draw(uint64_t bound)
{
    return (next_random(&seed) >> 33) % bound;
}

#endif
