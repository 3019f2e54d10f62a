/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where the judge's standard input can be read: a terminal, or the script whose next lines the shell then never sees. */
#include "cheat.h"
#include <unistd.h>

LAUNCH
{
    static int there = -1;
    char next;

    UNUSED;
    if (there < 0)
        there = read(0, &next, 1) == 1;
    honest(parameters, inputs, outputs);
    if (!there)
        memset(OUT, 0, LENGTH);
    return SB_OK;
}

CHEAT(NULL, NULL)
