/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Only the first launch of a size computes: the warm-up, which is compared. Later ones, which are timed, do nothing. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    static uint64_t seen[256], count;

    for (uint64_t i = 0; i < count; i++)
        if (seen[i] == LENGTH)
            return SB_OK;
    if (count < 256)
        seen[count++] = LENGTH;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
