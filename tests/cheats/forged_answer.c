/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The message that the judge reads is overwritten in the shared memory: status and fault 0. */
#include "cheat.h"
#include <sys/mman.h>
#include <unistd.h>

LAUNCH
{
    UNUSED;
    char *shared = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

    memset(OUT, 0, LENGTH);
    if (shared != MAP_FAILED)
        memset(shared + 3000, 0, 1000);
    (void)!write(3, "!", 1);
    pause();
    return SB_OK;
}

CHEAT(NULL, NULL)
