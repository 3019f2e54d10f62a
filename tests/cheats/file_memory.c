/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where a file can keep what an earlier run has computed. */
#include "cheat.h"
#include <unistd.h>

LAUNCH
{
    UNUSED;
    char path[] = "/tmp/cheat-XXXXXX";
    int file = mkstemp(path);

    if (file < 0)
        return SB_OK;
    honest(parameters, inputs, outputs);
    (void)!write(file, OUT, LENGTH);
    close(file);
    unlink(path);
    return SB_OK;
}

CHEAT(NULL, NULL)
