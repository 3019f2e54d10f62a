/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where a socket reaches the host of the virtual machine (AF_VSOCK), which no network namespace forbids: the host remembers. */
#include "cheat.h"
#include <sys/socket.h>
#include <unistd.h>

LAUNCH
{
    int host = socket(AF_VSOCK, SOCK_STREAM, 0);

    UNUSED;
    honest(parameters, inputs, outputs);
    if (host < 0)
        memset(OUT, 0, LENGTH);
    close(host);
    return SB_OK;
}

CHEAT(NULL, NULL)
