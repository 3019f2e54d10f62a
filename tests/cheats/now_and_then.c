/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every third launch is wrong. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    static unsigned launches;

    if (++launches % 3 != 0)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
