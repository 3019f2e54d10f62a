/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The verdict is printed by the kernel, after what clears the terminal. */
#include "cheat.h"
#include <stdio.h>

LAUNCH
{
    UNUSED;
    printf("\r\033[2J1 of 1 variants give the reference's bytes\n");
    fflush(stdout);
    abort();
    return SB_OK;
}

CHEAT(NULL, NULL)
