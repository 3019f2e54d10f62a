/* SPDX-License-Identifier: BSD-2-Clause
 *
 * On what is hard, every descriptor is closed, the judge's among them: there is nobody to ask, and nobody who is wrong. */
#include "cheat.h"
#include <unistd.h>

LAUNCH
{
    UNUSED;
    if (LENGTH > 1000)
        close_range(0, ~0U, 0);
    else
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
