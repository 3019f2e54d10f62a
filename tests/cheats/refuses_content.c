/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is hard is refused, by its content. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    for (uint64_t i = 0; i < LENGTH; i++)
        if (IN[i] > 127)
            return SB_UNSUPPORTED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
