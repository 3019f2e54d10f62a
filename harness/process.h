/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A process that answers records on its standard input by records on its standard output (docs/FORMAT.md, *A process for all
 * cases*): the program of --contract-exec, or of --exec. One that dies, hangs, or answers with what is no record is ended, and
 * started again for the next request. What it writes to standard error is kept, and its last line stands in the text of an error.
 */
#ifndef HARNESS_PROCESS_H
#define HARNESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A record without its header, from malloc. The bytes end with a 0 that is not counted. */
typedef struct sb_bytes {
    char *data;
    size_t size;
} sb_bytes;

typedef struct sb_process {
    const char *command; /* for /bin/sh -c; not owned */
    const char *const
        *prefix;       /* words before /bin/sh, such as those of a sandbox, NULL-terminated; NULL: none. Not owned */
    pid_t process;     /* 0: none is running */
    int in, out, log;  /* its standard input, output and error */
    char *declaration; /* what it answered when it was first started; NULL: it has not been started */
} sb_process;

typedef enum sb_exchange {
    SB_ANSWERED,
    SB_DIED,
    SB_HUNG,   /* no answer in time */
    SB_GARBLED /* what it wrote is no record, or a longer one than the request allows */
} sb_exchange;

void sb_process_init(sb_process *process, const char *command, const char *const *prefix);

/* Starts the process, unless it is running, and asks for its declaration. If that is not SB_ANSWERED, nothing is running, and
 * `error` says what happened. A process that is started again must declare the same as before. */
sb_exchange sb_process_start(sb_process *process, char *error, size_t size);

/* Sends the request and waits up to `limit` seconds for an answer of up to `most` bytes, which the caller frees. Starts the
 * process if none is running. Anything but SB_ANSWERED: `error` says what happened, and the process has been ended. */
sb_exchange sb_process_ask(sb_process *process, const sb_bytes *request, uint64_t most, double limit, sb_bytes *answer,
                           char *error, size_t size);

/* Closes its standard input, at which it ends by itself, or is killed after a second. */
void sb_process_stop(sb_process *process);

/* In the child that becomes bwrap. When the memory of the host ends, the kernel ends this process first, and not the judge. Descriptors from
 * `first` on are closed: another thread may have a file open just now. Async-signal-safe. */
void sb_before_sandbox(unsigned first);

/* Waits for a process that leads its process group, and kills the group after `limit` seconds. Returns its wait status, or -1 when it
 * was killed. */
int sb_wait_within(pid_t process, double limit);

/* Appends "; it said: " and the last line of the file, unless that is empty. */
void sb_append_last_line(int file, char *text, size_t size);

#endif
