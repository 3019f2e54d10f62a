/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Unless outside=follow: do the results of a launch depend on undefined values, whatever was computed with them? When a
 * launch gets the first such value, of a shuffle (poison.c) or of a read (partly.c), the process forks. The child gets other undefined values from there on; all else
 * is the same: memory, schedule, seed. At the end of the launch it sends a hash for each 256 bytes of device memory and of
 * `__device__` variables. Where the parent's differ, an undefined value made the difference: a finding `warp-mask`. A lane
 * that only computes with the value and then selects another one makes none.
 *
 * A word that differs counts even if nobody reads it. A child that does not end its launch, or in another way, gives no
 * finding, nor do two values that happen to lead to the same result. There is no child while memory is registered
 * (cudaHostRegister): other processes may share it, and would see what the child writes.
 */
#include "detect.h"

#include "../core/options.h"
#include "../core/trial.h"
#include "../memory/memory.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PIECE = 256,   /* bytes of a hash: the sum of all hashes is a 32nd of the memory, and the place is still told */
    PATIENCE = 120 /* seconds after which the child gives up; not tuned */
};

static struct {
    bool begun;  /* in this launch */
    pid_t child; /* of the parent; 0: none */
    bool is_child;
    FILE *stream; /* from the child to the parent */
    uint64_t (*hash)(const char *memory, size_t size);
    uintptr_t differs; /* the first address; 0: none so far */
} outside;

static uint64_t hash_of(const char *memory, size_t size)
{
    uint64_t hash = size, word;

    for (; size >= sizeof word; memory += sizeof word, size -= sizeof word) {
        memcpy(&word, memory, sizeof word);
        hash = simt_mix(hash ^ word);
    }
    word = 0;
    memcpy(&word, memory, size);
    return simt_mix(hash ^ word);
}

/* True: this is the child. */
bool simt_outside_begin(uint64_t (*hash)(const char *memory, size_t size))
{
    int ends[2];

    if (!simt_options.compare_outside || outside.begun || outside.is_child || simt_any_registered() || pipe(ends) < 0)
        return false;
    outside.begun = true;
    outside.hash = hash ? hash : hash_of;
    outside.differs = 0;
    outside.child = fork();
    if (outside.child == 0) {
        simt_begin_trial(PATIENCE);
        outside.is_child = true;
        close(ends[0]);
        outside.stream = fdopen(ends[1], "w");
        return true;
    }
    close(ends[1]);
    outside.stream = fdopen(ends[0], "r");
    if (outside.child < 0)
        outside.child = 0;
    return false;
}

/* False: no more is needed. */
static bool visit(uintptr_t start, size_t size)
{
    for (size_t at = 0; at < size; at += PIECE) {
        uint64_t mine = outside.hash((const char *)start + at, size - at < PIECE ? size - at : PIECE), theirs;

        if (outside.is_child) {
            if (fwrite(&mine, sizeof mine, 1, outside.stream) != 1)
                return false;
        } else if (fread(&theirs, sizeof theirs, 1, outside.stream) != 1) {
            return false;
        } else if (mine != theirs) {
            outside.differs = start + at;
            return false;
        }
    }
    return true;
}

static void end_of_child(void)
{
    if (outside.stream) {
        if (fwrite(&m.error, sizeof m.error, 1, outside.stream) == 1 && simt_visit_allocations(visit))
            simt_visit_variables(visit);
        fclose(outside.stream);
    }
    _exit(0);
}

/* The launch has ended, or is suspended, which ends the comparison. The address at which memory differs, or 0. */
uintptr_t simt_outside_end(void)
{
    cudaError_t error;

    if (outside.is_child && m.stop == SUSPENDED)
        _exit(0);
    if (outside.is_child)
        end_of_child();
    outside.begun = false;
    if (!outside.child)
        return 0;
    if (m.stop != SUSPENDED && outside.stream && fread(&error, sizeof error, 1, outside.stream) == 1 &&
        error == m.error && simt_visit_allocations(visit))
        simt_visit_variables(visit);
    if (outside.stream)
        fclose(outside.stream);
    kill(outside.child, SIGKILL);
    while (waitpid(outside.child, NULL, 0) < 0 && errno == EINTR)
        continue;
    outside.child = 0;
    return outside.differs;
}
