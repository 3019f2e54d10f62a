/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A byte behind the output serves as memory. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    OUT[LENGTH] ^= 1;
    return SB_OK;
}

CHEAT(NULL, NULL)
