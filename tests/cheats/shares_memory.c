/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where more memory than the limit can be had, by sharing it: limits of private memory do not count that. */
#include "cheat.h"
#include <sys/mman.h>

LAUNCH
{
    UNUSED;
    const size_t more = (size_t)9 << 30;
    void *memory = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory != MAP_FAILED) {
        munmap(memory, more);
        honest(parameters, inputs, outputs);
    }
    return SB_OK;
}

CHEAT(NULL, NULL)
