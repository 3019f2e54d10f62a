/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Long inputs are called invalid. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    if (LENGTH > 50)
        return SB_INVALID;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
