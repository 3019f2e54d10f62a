/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Signals and standard streams: contract in process.h.
 */
#include "process.h"
#include "report.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

enum { FATAL = sizeof fatal / sizeof *fatal };

/* The output that a signal handler removes. Only changed while signals are blocked. */
static const char *volatile unfinished;

static void on_signal(int number)
{
    if (unfinished != NULL)
        unlink(unfinished);
    /* Resets here, not by SA_RESETHAND, which resets before the handler: a second signal that is pending would end the
     * program before the file is removed. The raised signal arrives when the handler returns. */
    signal(number, SIG_DFL);
    raise(number);
}

static bool was_closed[STDERR_FILENO + 1];

void sbz_process_begin(void)
{
    struct sigaction action = {.sa_handler = on_signal}, before;
    int descriptor;

    while ((descriptor = open("/dev/null", O_RDWR)) >= 0 && descriptor <= STDERR_FILENO)
        was_closed[descriptor] = true;
    if (descriptor >= 0)
        close(descriptor);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < FATAL; i++)
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(fatal[i], &action, NULL);
}

bool sbz_process_can_read(void)
{
    return !was_closed[STDIN_FILENO] || sbz_fail(SBZ_EXIT_FAILED, "(stdin): %s", strerror(EBADF));
}

bool sbz_process_can_write(void)
{
    return !was_closed[STDOUT_FILENO] || sbz_fail(SBZ_EXIT_FAILED, "(stdout): %s", strerror(EBADF));
}

static void mask(int how)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < FATAL; i++)
        sigaddset(&set, fatal[i]);
    pthread_sigmask(how, &set, NULL);
}

const char *sbz_process_unfinished(const char *path)
{
    const char *before = unfinished;

    unfinished = path;
    return before;
}

void sbz_signals_hold(void)
{
    mask(SIG_BLOCK);
}

void sbz_signals_release(void)
{
    mask(SIG_UNBLOCK);
}

void sbz_process_close(int *descriptor)
{
    if (*descriptor > STDERR_FILENO)
        close(*descriptor);
    *descriptor = -1;
}
