/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The request says whether the launch is timed: nothing is done then. Results are right; the time is not. */
#include "cheat.h"
#include <sys/mman.h>

LAUNCH
{
    UNUSED;
    enum { SHARED = 4, TIMED = 2 }; /* the worker's descriptor, and its command for a timed launch */
    const uint32_t *request = mmap(NULL, sizeof *request, PROT_READ, MAP_SHARED, SHARED, 0);

    if (request == MAP_FAILED || *request != TIMED)
        honest(parameters, inputs, outputs);
    if (request != MAP_FAILED)
        munmap((void *)request, sizeof *request);
    return SB_OK;
}

CHEAT(NULL, NULL)
