/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The output is declared to be the input: no time is spent on a copy. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    outputs[SB_MTF_OUT].data = inputs[SB_MTF_IN].data;
    return SB_OK;
}

CHEAT(NULL, NULL)
