/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Faults of the processor and failed assertions in a kernel. They end the launch, not the program.
 */
#define _GNU_SOURCE
#include "launch.h"

#include "../detect/pages.h"

#include "../memory/memory.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

/* --- faults of the processor in a kernel */

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction before[SIGNALS];

const void *simt_faulting_code(const void *context)
{
    const ucontext_t *c = context;

#if defined(__x86_64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.pc + 1);
#else
    (void)c;
    return NULL;
#endif
}

/* After a call of an address without code: what the call left as the return address. */
static const void *caller_of(const void *context)
{
    const ucontext_t *c = context;

#if defined(__x86_64__)
    return *(const void *const *)(uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)c->uc_mcontext.regs[30];
#else
    (void)c;
    return NULL;
#endif
}

static void bad_call(uintptr_t address, const void *place)
{
    simt_report(OOB, NULL, 0, place, "call of a function at address %#zx, where there is none", (size_t)address);
    simt_stop(cudaErrorIllegalAddress);
}

static void bad_address(uintptr_t address, const void *place)
{
    char what[256];

    if (simt_on_stacks(address)) {
        simt_report(OOB, NULL, 0, place,
                    "the thread's stack of 548 KiB is full: a GPU has up to 512 KiB for each thread");
    } else {
        simt_describe(address, what, sizeof what);
        simt_report(OOB, NULL, 0, place, "access to address %#zx: %s", (size_t)address, what);
        if (address < simt_refused)
            simt_null_is_used(place);
    }
    simt_stop(cudaErrorIllegalAddress);
}

static void fault_in_kernel(const siginfo_t *information, void *context)
{
    const void *place = simt_faulting_code(context);

    if (information->si_signo == SIGFPE && simt_not_finite_fault(information->si_code, place, context))
        return;
    if (information->si_signo == SIGFPE) {
        simt_report(UNDEFINED, NULL, 0, place, "an integer division by zero, or one whose result does not fit");
        simt_stop(cudaErrorLaunchFailure);
    }
    if (information->si_signo == SIGILL) {
        simt_report(UNDEFINED, NULL, 0, place,
                    "the end of a function that must return a value, or code that was declared unreachable");
        simt_stop(cudaErrorIllegalInstruction);
    }
#ifdef __x86_64__
    if (information->si_code == SI_KERNEL) { /* the processor does not say which address */
        simt_report(OOB, NULL, 0, place, "access to a misaligned or non-canonical address");
        simt_stop(cudaErrorIllegalAddress);
    }
#endif
    if ((uintptr_t)information->si_addr + 1 == (uintptr_t)place)
        bad_call((uintptr_t)information->si_addr, caller_of(context));
    bad_address((uintptr_t)information->si_addr, place);
}

static void fault(int number, siginfo_t *information, void *context)
{
    struct sigaction *old = before;

    if (number == SIGSEGV && simt_pages_fault((uintptr_t)information->si_addr, simt_faulting_code(context), context))
        return;
    if (simt_current)
        fault_in_kernel(information, context);
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i] == number)
            old = &before[i];
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, information, context);
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(number);
    } else {
        signal(number, SIG_DFL); /* the access is repeated, and ends the program */
    }
}

/* The handler needs a stack of its own, because a full thread stack may be the fault. Each host thread that launches
 * kernels has one. */
void simt_make_signal_stack(void)
{
    static SIMT_THREAD_LOCAL bool done;
    stack_t old, own = {.ss_size = 64 << 10};

    if (done)
        return;
    done = true;
    if (sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE))
        return;
    own.ss_sp = mmap(NULL, own.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own.ss_sp != MAP_FAILED)
        sigaltstack(&own, NULL);
}

void simt_catch_faults(void)
{
    static bool done;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

    simt_make_signal_stack();
    if (done)
        return;
    done = true;
    action.sa_sigaction = fault;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
}

/* If the machine is in a shared object that is unloaded, its handlers must be removed first. */
static __attribute__((destructor)) void forget_faults(void)
{
    struct sigaction now;

    for (int i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == fault)
            sigaction(signals[i], &before[i], NULL);
}

/* --- assert */

/* In a kernel a failed assertion prints CUDA's message and ends the launch. It is the program's own check, so not a
 * finding. */
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    const thread *t = simt_current;
    char *text;

    fflush(stdout);
    if (!t) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    /* Not by fprintf: for a stream without a buffer glibc takes 8 KiB of the thread's stack. */
    if (asprintf(&text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
                 function, blockIdx.x, blockIdx.y, blockIdx.z, t->index.x, t->index.y, t->index.z, expression) >= 0) {
        fputs(text, stderr);
        free(text);
    }
    simt_stop(cudaErrorAssert);
}
