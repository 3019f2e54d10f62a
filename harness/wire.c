/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What both sides of a worker process share: contract in wire.h.
 */
#include "wire.h"
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

bool sb_wire_send(int socket)
{
    return send(socket, "!", 1, MSG_NOSIGNAL) == 1;
}

bool sb_wire_receive(int socket)
{
    char byte;
    ssize_t got;

    do
        got = recv(socket, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

void sb_copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}
