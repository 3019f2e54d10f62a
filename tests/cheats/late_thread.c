/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thread computes after the launch has returned. */
#include "cheat.h"
#include <pthread.h>
#include <unistd.h>

struct work {
    const uint8_t *in;
    uint64_t n, chunk;
};

/* It comes too late for the outputs, which may be freed by then, and so it computes for nobody. */
static void *later(void *argument)
{
    usleep(20000);
    free(argument);
    return NULL;
}

LAUNCH
{
    UNUSED;
    struct work *w = malloc(sizeof *w);
    pthread_t thread;

    *w = (struct work){IN, LENGTH, parameters[SB_MTF_CHUNK]};
    if (pthread_create(&thread, NULL, later, w) == 0)
        pthread_detach(thread);
    return SB_OK;
}

CHEAT(NULL, NULL)
