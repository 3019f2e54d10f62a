/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A byte before the input serves as memory. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    ((uint8_t *)inputs[SB_MTF_IN].data)[-1] ^= 1;
    return SB_OK;
}

CHEAT(NULL, NULL)
