/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A signal handler computes just after the launch has returned, in the worker's own thread. Results are right; the time is not. */
#include "cheat.h"
#include <signal.h>
#include <sys/time.h>

static const uint8_t *in;
static uint64_t n, chunk;
static uint8_t *volatile pending;

static void ring(int signal)
{
    uint8_t *out = pending;

    (void)signal;
    pending = NULL;
    if (out != NULL)
        encode(in, n, chunk, out);
}

LAUNCH
{
    UNUSED;
    const struct itimerval soon = {.it_value = {0, 20}}; /* microseconds */

    /* Small ones may be over before the handler comes. */
    if (LENGTH < 50000) {
        honest(parameters, inputs, outputs);
        return SB_OK;
    }
    signal(SIGALRM, ring);
    n = LENGTH;
    in = IN;
    chunk = parameters[SB_MTF_CHUNK];
    pending = OUT;
    setitimer(ITIMER_REAL, &soon, NULL);
    return SB_OK;
}

CHEAT(NULL, NULL)
