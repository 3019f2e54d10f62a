/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The output is declared longer than it may be, up to where a right one lies. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    outputs[SB_MTF_OUT].length = LENGTH + 1000;
    return SB_OK;
}

CHEAT(NULL, NULL)
