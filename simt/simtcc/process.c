/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Child programs and temporary files: contract in process.h. The signal handler uses only async-signal-safe functions,
 * and variables that are written before the signal can matter.
 */
#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_TEMPORARIES = 2048 }; /* a translation and an object for each source of one command */

static char *temporary[MAX_TEMPORARIES];
static volatile sig_atomic_t temporary_count;
static volatile sig_atomic_t child; /* 0 when none runs */

static const int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};

void cc_remove_temporaries(void)
{
    for (int i = 0; i < temporary_count; i++)
        unlink(temporary[i]);
    temporary_count = 0;
}

static void end_by_signal(int number)
{
    if (child)
        kill(-(pid_t)child, number);
    cc_remove_temporaries();
    signal(number, SIG_DFL); /* raised again below, after the handler */
    raise(number);
}

void cc_process_start(void)
{
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        struct sigaction action = {0}, old;

        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue; /* nohup */
        action.sa_handler = end_by_signal;
        sigaction(ending_signals[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN); /* a reader of messages that ends must not leave temporary files behind */
}

/* A signal that came between the making of a file or a child and the note of it would leave it behind. */
static void hold_signals(sigset_t *before)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
        sigaddset(&set, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

static void release_signals(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

const char *cc_temporary(const char *suffix)
{
    const char *directory = getenv("TMPDIR");
    cc_text name = {0};
    sigset_t before;
    int file;

    if (temporary_count == MAX_TEMPORARIES)
        cc_fatal("more than %d files in one command", MAX_TEMPORARIES / 2);
    cc_text_printf(&name, "%s/simtcc-XXXXXX%s", directory && *directory ? directory : "/tmp", suffix);
    hold_signals(&before);
    file = mkstemps(name.data, (int)strlen(suffix));
    if (file < 0)
        cc_fatal("%s: %s", name.data, strerror(errno));
    temporary[temporary_count] = name.data; /* kept to the end */
    temporary_count = temporary_count + 1;
    release_signals(&before);
    close(file);
    return name.data;
}

static void read_all(int file, cc_text *text)
{
    char chunk[65536];
    ssize_t now;

    while ((now = read(file, chunk, sizeof chunk)) > 0 || (now < 0 && errno == EINTR))
        if (now > 0)
            cc_text_add(text, chunk, (size_t)now);
}

static int wait_for(pid_t process)
{
    int status;

    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "simtcc: the compiler was ended by signal %d\n", WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}

/* The child gets the signal handling from before cc_process_start. It also gets a process group, so that a signal can
 * be sent to the compiler driver and the compiler that it runs. */
static void set_attributes(posix_spawnattr_t *attributes, const sigset_t *mask)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    posix_spawnattr_setsigdefault(attributes, &set);
    posix_spawnattr_setsigmask(attributes, mask);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

int cc_run(const cc_words *command, cc_text *output, cc_text *messages)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    FILE *said = messages ? tmpfile() : NULL; /* a second pipe could fill while the first one is read */
    int ends[2] = {-1, -1};
    int error;
    pid_t process;
    sigset_t before;

    hold_signals(&before);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    set_attributes(&attributes, &before);
    if (output) {
        if (pipe2(ends, O_CLOEXEC))
            cc_fatal("cannot make a pipe: %s", strerror(errno));
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    }
    if (said)
        posix_spawn_file_actions_adddup2(&actions, fileno(said), 2);
    fflush(NULL);
    error = posix_spawnp(&process, command->word[0], &actions, &attributes, command->word, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (!error)
        child = process;
    release_signals(&before);
    if (ends[0] >= 0)
        close(ends[1]);
    if (!error && output)
        read_all(ends[0], output);
    if (ends[0] >= 0)
        close(ends[0]);
    if (error) {
        fprintf(stderr, "simtcc: cannot run %s: %s\n", command->word[0], strerror(error));
        return 127;
    }
    error = wait_for(process);
    child = 0;
    if (said) {
        lseek(fileno(said), 0, SEEK_SET);
        read_all(fileno(said), messages);
        fclose(said);
    }
    return error;
}
