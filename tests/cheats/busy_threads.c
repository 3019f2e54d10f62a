/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads that never end make everything else slow, the copy beside which the time stands as well. Results are right; the time is not. */
#include "cheat.h"
#include <pthread.h>

static void *spin(void *argument)
{
    for (volatile int i = 0; argument == NULL; i++)
        continue;
    return NULL;
}

LAUNCH
{
    UNUSED;
    static int started;
    pthread_t thread;

    for (; started < 2; started++)
        if (pthread_create(&thread, NULL, spin, NULL) == 0)
            pthread_detach(thread);
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
