/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The time of the copy that the judge compares with is overwritten in the shared memory. Results are right; the time is not. */
#include "cheat.h"
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* What asks for that time is command 3. In its answer every time below a second becomes three hours. */
static void *forge(void *unused)
{
    volatile double *shared = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

    (void)unused;
    while (shared != MAP_FAILED && usleep(50) == 0)
        while (*(volatile uint32_t *)shared == 3)
            for (int i = 0; i < 1024; i++)
                if (shared[i] > 1e-9 && shared[i] < 1)
                    shared[i] = 1e4;
    return NULL;
}

LAUNCH
{
    static pthread_t thread;

    UNUSED;
    if (thread == 0 && LENGTH == 100000)
        pthread_create(&thread, NULL, forge, NULL);
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
