/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right only where System V shared memory can keep what an earlier run has computed. */
#include "cheat.h"
#include <sys/ipc.h>
#include <sys/shm.h>

LAUNCH
{
    UNUSED;
    int id = shmget(0x5b5b, 4096, IPC_CREAT | 0600);
    void *memory = id >= 0 ? shmat(id, NULL, 0) : (void *)-1;
    int kept = 0;

    if (memory != (void *)-1) {
        struct shmid_ds state;

        kept = shmctl(id, IPC_STAT, &state) == 0 && state.shm_cpid != state.shm_lpid;
        shmdt(memory);
    }
    if (kept)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
