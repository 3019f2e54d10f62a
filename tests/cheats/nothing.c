/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Nothing is written: what an earlier run left in the outputs may be right. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    return SB_OK;
}

CHEAT(NULL, NULL)
