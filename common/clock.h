/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The clock for limits and progress: seconds since some moment in the past, never set back.
 */
#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

#include <time.h>

static inline double sb_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
