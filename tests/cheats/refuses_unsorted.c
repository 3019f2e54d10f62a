/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All but sorted inputs are refused: in a benchmark of random bytes nothing runs, and nothing is wrong. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    for (uint64_t i = 1; i < LENGTH; i++)
        if (IN[i] < IN[i - 1])
            return SB_UNSUPPORTED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
