/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parameter is taken to be its usual value. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    encode(IN, LENGTH, 0, OUT);
    return SB_OK;
}

CHEAT(NULL, NULL)
