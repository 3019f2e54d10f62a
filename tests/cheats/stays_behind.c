/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where a process can stay behind, which no longer has this one for a parent: it could remember for later runs. */
#include "cheat.h"
#include <sys/wait.h>
#include <unistd.h>

LAUNCH
{
    UNUSED;
    static int stayed;
    pid_t child = stayed ? -1 : fork();

    if (child == 0) {
        if (setsid() > 0 && fork() == 0) {
            closefrom(0);
            sleep(1);
        }
        _exit(0);
    }
    stayed = stayed || (child > 0 && waitpid(child, NULL, 0) == child);
    if (stayed)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
