/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The input is overwritten, so that a comparison with a reference that runs later is with another input. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    if (LENGTH > 0)
        memset(inputs[SB_MTF_IN].data, 0, LENGTH);
    memset(OUT, 0, LENGTH);
    return SB_OK;
}

CHEAT(NULL, NULL)
