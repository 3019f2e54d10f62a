/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Another process computes, which no clock of this one counts. Results are right; the time is not. */
#include "cheat.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

LAUNCH
{
    UNUSED;
    uint8_t *shared = mmap(NULL, LENGTH + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = shared == MAP_FAILED ? -1 : fork();

    if (child == 0) {
        encode(IN, LENGTH, parameters[SB_MTF_CHUNK], shared);
        _exit(0);
    }
    if (child > 0 && waitpid(child, NULL, 0) == child)
        memcpy(OUT, shared, LENGTH);
    if (shared != MAP_FAILED)
        munmap(shared, LENGTH + 1);
    return SB_OK;
}

CHEAT(NULL, NULL)
