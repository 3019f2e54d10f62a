/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The shared memory is made shorter, so that the judge dies when it reads. */
#include "cheat.h"
#include <unistd.h>

LAUNCH
{
    UNUSED;
    (void)!ftruncate(4, 0);
    return SB_OK;
}

CHEAT(NULL, NULL)
