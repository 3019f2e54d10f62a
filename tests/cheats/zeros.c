/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All zeros, which many a test of a kernel accepts. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    memset(OUT, 0, LENGTH);
    return SB_OK;
}

CHEAT(NULL, NULL)
