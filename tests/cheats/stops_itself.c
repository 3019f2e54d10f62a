/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The process stops itself on what is hard: who waits for its end, and looks for its processor time, waits for ever. */
#include "cheat.h"
#include <signal.h>

LAUNCH
{
    UNUSED;
    if (LENGTH > 1000)
        raise(SIGSTOP);
    else
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
