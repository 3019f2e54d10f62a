/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The process ends with status 0 when the module is loaded. */
#include "cheat.h"
#include <unistd.h>

__attribute__((constructor)) static void leave(void)
{
    _exit(0);
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
