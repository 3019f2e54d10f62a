/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The output cannot be read: whoever tries starts its computation, in the handler of the fault. Results are right; the time is not. */
#include "cheat.h"
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint8_t *in;
static uint64_t n, chunk;
static uint8_t *pending, *pages;
static size_t bytes;

static void fault(int number, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    if (pending == NULL) {
        signal(number, SIG_DFL);
        return;
    }
    mprotect(pages, bytes, PROT_READ | PROT_WRITE);
    encode(in, n, chunk, pending);
    pending = NULL;
}

LAUNCH
{
    UNUSED;
    const struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)OUT + page - 1) / page * page, end = ((uintptr_t)OUT + LENGTH) / page * page;

    if (LENGTH < 50000) {
        honest(parameters, inputs, outputs);
        return SB_OK;
    }
    sigaction(SIGSEGV, &action, NULL);
    n = LENGTH;
    in = IN;
    chunk = parameters[SB_MTF_CHUNK];
    pending = OUT;
    pages = (uint8_t *)begin;
    bytes = end - begin;
    mprotect(pages, bytes, PROT_NONE);
    return SB_OK;
}

CHEAT(NULL, NULL)
