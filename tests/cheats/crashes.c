/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A crash on what is hard: some harnesses count only what was compared. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    if (LENGTH > 50)
        abort();
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
