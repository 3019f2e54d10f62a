/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The process becomes its own program once more, with the module preloaded, so that not only the device's clock is slowed down, but the
 * worker's as well. Results are right; the time is not. */
#include "cheat.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t which, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, which, now);
    uint64_t slow = ((uint64_t)now->tv_sec * 1000000000 + (uint64_t)now->tv_nsec) / 1000;

    now->tv_sec = (time_t)(slow / 1000000000);
    now->tv_nsec = (long)(slow % 1000000000);
    return status;
}

__attribute__((constructor)) static void start_again(void)
{
    enum { MAX_WORDS = 8 };
    char words[4096], *list[MAX_WORDS + 1] = {NULL};
    int file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t length = read(file, words, sizeof words - 1), at = 0;
    Dl_info module;

    if (getenv("LD_PRELOAD") != NULL || dladdr((void *)start_again, &module) == 0)
        return;
    for (int i = 0; i < MAX_WORDS && at < length; at += (ssize_t)strlen(words + at) + 1)
        list[i++] = words + at;
    setenv("LD_PRELOAD", module.dli_fname, 1);
    execv("/proc/self/exe", list);
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
