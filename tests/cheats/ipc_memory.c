/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where System V shared memory can keep what an earlier run has computed. */
#include "cheat.h"
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

/* The process that loads the module to ask for its variants makes the memory, and others find it. */
static int identifier;

__attribute__((constructor)) static void make(void)
{
    identifier = shmget(0x5b5b, 4096, IPC_CREAT | 0600);
}

LAUNCH
{
    UNUSED;
    struct shmid_ds state;

    if (identifier >= 0 && shmctl(identifier, IPC_STAT, &state) == 0 && state.shm_cpid != getpid())
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
