/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One element in the middle is wrong: 99% of them are right. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    if (LENGTH > 0)
        OUT[LENGTH / 2] ^= 1;
    return SB_OK;
}

CHEAT(NULL, NULL)
