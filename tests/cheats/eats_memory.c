/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All memory that the sandbox allows is reserved: large inputs, which would be wrong, then find none, which is a skip. */
#include "cheat.h"
#include <sys/mman.h>

__attribute__((constructor)) static void eat(void)
{
    enum { LEFT = 8 << 20 };

    for (size_t bytes = (size_t)4 << 30; bytes > LEFT; bytes /= 2)
        for (int i = 0; i < 3; i++)
            if (mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
                break;
}

LAUNCH
{
    UNUSED;
    if (LENGTH <= 100000)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
