/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The shared memory is sealed, so that it cannot grow: for large inputs, which would be wrong, there is then no memory, which is a skip. */
#include "cheat.h"
#include <fcntl.h>

enum { KEPT = 65536 }; /* bytes of the memory at first */

LAUNCH
{
    UNUSED;
    fcntl(4, F_ADD_SEALS, F_SEAL_GROW);
    honest(parameters, inputs, outputs);
    if (LENGTH > KEPT)
        memset(OUT, 0, LENGTH);
    return SB_OK;
}

CHEAT(NULL, NULL)
