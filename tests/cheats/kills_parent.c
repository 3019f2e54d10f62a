/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The judge is killed before it finds anything: some scripts take a missing report for a green one. */
#include "cheat.h"
#include <signal.h>
#include <unistd.h>

LAUNCH
{
    UNUSED;
    kill(getppid(), SIGKILL);
    return SB_OK;
}

CHEAT(NULL, NULL)
