/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The clock for time limits and progress: seconds since an unspecified moment. It is never set back.
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
