/* SPDX-License-Identifier: BSD-2-Clause
 *
 * No cheat: the control of the test. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
