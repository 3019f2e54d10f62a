/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right for small inputs only. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    if (LENGTH <= 1000)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
