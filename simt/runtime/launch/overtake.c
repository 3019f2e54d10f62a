/* SPDX-License-Identifier: BSD-2-Clause
 *
 * May a kernel be done before another one that was launched earlier in a stream that is not ordered with its own? CUDA promises neither
 * order. But many programs count on it that a kernel can wait for one that was launched earlier, which every GPU makes come true if both
 * fit. So a copy of the process tries: if the kernel ends there by itself, and without polling for long, it has not waited.
 */
#include "launch.h"

#include "../core/options.h"
#include "../core/trial.h"
#include "../memory/memory.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TRIES = 64,     /* of a process; each takes as long as the kernel and a fork. Not tuned. */
    PATIENCE = 10,  /* seconds after which the copy gives up; not tuned */
    POLLS = 1 << 14 /* accesses without progress that count as waiting; not tuned */
};

static _Noreturn void try(simt_operation *launch)
{
    simt_begin_trial(PATIENCE);
    simt_options.hang = POLLS;
    launch->run(launch);
    _exit(simt_sticky != cudaSuccess || m.suspended != NULL);
}

/* There is no copy while memory is registered: other processes may share it. */
bool simt_ends_alone(simt_operation *launch)
{
    static unsigned tries;
    int status = 1;
    pid_t child;

    if (simt_any_registered() || ++tries > TRIES)
        return false;
    child = fork();
    if (child == 0)
        try(launch);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && status == 0;
}
