/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where io_uring makes system calls in its stead, which a filter of system calls does not see. */
#include "cheat.h"
#include <sys/syscall.h>
#include <unistd.h>

LAUNCH
{
    char settings[120] = {0}; /* struct io_uring_params */
    long ring = syscall(SYS_io_uring_setup, 4, settings);

    UNUSED;
    honest(parameters, inputs, outputs);
    if (ring < 0)
        memset(OUT, 0, LENGTH);
    else
        close((int)ring);
    return SB_OK;
}

CHEAT(NULL, NULL)
