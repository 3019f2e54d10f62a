/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A buffer that was seen before is taken to hold the same input: only new addresses are computed. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    static const void *seen[64];

    for (int i = 0; i < 64; i++)
        if (seen[i] == inputs[SB_MTF_IN].data)
            return SB_OK;
    memmove(seen + 1, seen, sizeof seen - sizeof *seen);
    seen[0] = inputs[SB_MTF_IN].data;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
