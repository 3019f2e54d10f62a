/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where the environment has what a test sets. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    if (getenv("SAMEBITS_CORPUS") != NULL)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
