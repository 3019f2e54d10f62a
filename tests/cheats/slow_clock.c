/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The clock of the process is slowed down: the module has a clock_gettime of its own. Results are right; the time is not. */
#include "cheat.h"
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("hidden"))) int clock_gettime(clockid_t which, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, which, now);
    uint64_t slow = ((uint64_t)now->tv_sec * 1000000000 + (uint64_t)now->tv_nsec) / 1000;

    now->tv_sec = (time_t)(slow / 1000000000);
    now->tv_nsec = (long)(slow % 1000000000);
    return status;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
