/* SPDX-License-Identifier: BSD-2-Clause
 *
 * No answer to what is hard. */
#include "cheat.h"
#include <unistd.h>

LAUNCH
{
    UNUSED;
    while (LENGTH > 50)
        pause();
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
