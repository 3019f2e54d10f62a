/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Accesses of host code that simtcc has not instrumented, such as memcpy's: pages that operations use for which the host has not
 * waited are protected, and the fault of an access there is judged as host.c says. Pages that are only read stay readable.
 *
 * The list of pages is made anew at the end of a runtime call after which it may have changed. An access that is no race is done
 * by one step of the processor, after which the page is protected again; elsewhere than on x86-64 it stays open until the next
 * call. The machine's own accesses open all pages.
 *
 * Whether such an access is volatile is not known, so it counts as one. A system call that is given a protected address fails with EFAULT:
 * host_calls.c replaces the frequent ones.
 */
#define _GNU_SOURCE
#include "pages.h"
#include "span.h"

#include "../core/upcalls.h"
#include "../core/lock.h"
#include "../core/options.h"
#include "../report/report.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
    PAGE = 4096,   /* bytes; where pages are larger, mprotect refuses, and nothing is seen */
    RANGES = 1024, /* that are protected; more are not looked at. The kernel permits 65530 mappings. */
    OPEN = 64,     /* pages opened since the list was made; if there are more, all are open */
    STEPS = 64     /* accesses of a page that are done by a step, 5 us each; then it stays open until the next call */
};

static const size_t SCANNED = 16 << 20; /* bytes of which the cells are looked at for launches: 8 ms at most */

typedef struct range {
    uintptr_t begin, end; /* whole pages */
    bool written;         /* so that no access is permitted */
} range;

static range ranges[RANGES], next[RANGES];
static unsigned count, next_count;

static struct {
    uintptr_t page;
    unsigned steps;
} opened[OPEN];
static unsigned opened_count;

/* --- which pages */

static void add(uintptr_t begin, uintptr_t end, bool written)
{
    range *last = next_count ? &next[next_count - 1] : NULL;

    begin &= ~(uintptr_t)(PAGE - 1);
    end = (end + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    if (last && last->end == begin && last->written == written)
        last->end = end;
    else if (next_count < RANGES)
        next[next_count++] = (range){begin, end, written};
}

/* Pages that hold nothing else: beside pageable memory there may be anything of the program, or of the C library. */
static void add_pageable(uintptr_t begin, uintptr_t end, bool written)
{
    begin = (begin + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    end &= ~(uintptr_t)(PAGE - 1);
    if (begin < end)
        add(begin, end, written);
}

static void add_span(const simt_span *s, bool written)
{
    const allocation *a = simt_allocation_at(s->begin);
    const void *memory = (const void *)s->begin;
    bool pageable = !a && !simt_registered_at(memory) && !simt_variable_at(memory) && !simt_in_range(memory);

    if (a && (!simt_host_reaches(a->kind) || a->freed))
        return;
    for (size_t i = 0; (a || pageable || simt_registered_at(memory)) && i < s->rows; i++)
        (pageable ? add_pageable : add)(s->begin + i * s->pitch, s->begin + i * s->pitch + s->size, written);
}

/* Is it an access that host code may race with? The search ends at a write. */
static bool counts(const simt_launched *l, simt_cell word, const void *state)
{
    bool *any = (bool *)(uintptr_t)state;

    if (simt_host_knows(l->actor, &l->before))
        return false;
    *any = true;
    return kind_of(word) & SIMT_IS_WRITE;
}

static size_t scanned;

static bool add_allocation(uintptr_t start, size_t size)
{
    const simt_launched *l = simt_launched_beside(NULL);

    if (!simt_host_reaches(simt_allocation_at(start)->kind) || !l)
        return l != NULL;
    scanned += size;
    for (size_t at = 0; at < size && scanned <= SCANNED; at += PAGE) {
        simt_span page = {.begin = start + at, .size = size - at < PAGE ? size - at : PAGE, .rows = 1};
        bool any = false, written;
        simt_hit h;

        written = simt_search_span(&page, true, after(l->clock), counts, &any, &h);
        if (written || any)
            add(page.begin, page.begin + page.size, written);
    }
    return scanned <= SCANNED;
}

/* --- protection */

/* Of ranges that overlap, those that are written come last. */
static void protect(const range *list, unsigned size, int written, int read)
{
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < size; i++)
            if (list[i].written == pass)
                mprotect((void *)list[i].begin, list[i].end - list[i].begin, list[i].written ? written : read);
}

void simt_pages_open(void)
{
    if (!count)
        return;
    protect(ranges, count, PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE);
    count = opened_count = 0;
    simt_pages_stale = true;
}

void simt_pages_update(void)
{
    uint64_t at = 0;

    simt_pages_stale = false;
    if (!simt_host_shares || !simt_cells || simt_options.ignore_host)
        return;
    next_count = 0;
    scanned = 0;
    simt_visit_allocations(add_allocation);
    for (const simt_transferred *t; (t = simt_next_transfer(&at)) != NULL;)
        for (unsigned i = 0; i < SPANS; i++)
            add_span(&t->span[i], i == WRITTEN);
    if (next_count == count && memcmp(next, ranges, count * sizeof *ranges) == 0 && !opened_count)
        return;
    simt_pages_open();
    simt_pages_stale = false;
    memcpy(ranges, next, next_count * sizeof *ranges);
    count = next_count;
    if (count) /* no kernel may have been launched yet */
        simt_up.catch_faults();
    protect(ranges, count, PROT_NONE, PROT_READ);
}

/* --- faults */

/* Returns what is permitted there; PROT_READ | PROT_WRITE: it is not protected. */
static int permitted(uintptr_t page)
{
    int result = PROT_READ | PROT_WRITE;

    for (unsigned i = 0; i < count; i++)
        if (ranges[i].begin <= page && page < ranges[i].end)
            result &= ranges[i].written ? PROT_NONE : PROT_READ;
    return result;
}

bool simt_pages_protect(uintptr_t address, size_t size, bool write)
{
    for (unsigned i = 0; i < count; i++)
        if (address < ranges[i].end && ranges[i].begin < address + size && (write || ranges[i].written))
            return true;
    return false;
}

/* Opens the page. How often it was before. */
static unsigned open_page(uintptr_t page)
{
    unsigned i = 0;

    mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE);
    while (i < opened_count && opened[i].page != page)
        i++;
    if (i == OPEN) {
        simt_pages_open();
        return STEPS;
    }
    if (i == opened_count) {
        opened[i].page = page;
        opened[i].steps = 0;
        opened_count++;
    }
    return opened[i].steps++;
}

#ifdef __x86_64__
enum { TRAP_FLAG = 0x100, WRITE_FAULT = 2 };

static SIMT_THREAD_LOCAL struct {
    uintptr_t page[4]; /* an instruction accesses two operands, each in two pages */
    unsigned pages;
} stepping;

static struct sigaction trap_before;

static void stepped(int number, siginfo_t *information, void *context)
{
    ucontext_t *c = context;

    if (!stepping.pages) {
        if (trap_before.sa_flags & SA_SIGINFO)
            trap_before.sa_sigaction(number, information, context);
        else if (trap_before.sa_handler != SIG_DFL && trap_before.sa_handler != SIG_IGN)
            trap_before.sa_handler(number);
        else
            signal(number, SIG_DFL);
        return;
    }
    c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    while (stepping.pages) {
        uintptr_t page = stepping.page[--stepping.pages];
        int now = permitted(page);

        if (now != (PROT_READ | PROT_WRITE))
            mprotect((void *)page, PAGE, now);
    }
}

static void step(uintptr_t page, ucontext_t *c)
{
    static bool done;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};

    action.sa_sigaction = stepped;
    sigemptyset(&action.sa_mask);
    if (!done && sigaction(SIGTRAP, &action, &trap_before) != 0)
        return;
    done = true;
    if (stepping.pages == sizeof stepping.page / sizeof *stepping.page)
        return;
    stepping.page[stepping.pages++] = page;
    c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static bool is_write(const ucontext_t *c, int now)
{
    (void)now;
    return c->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT;
}
#else
static void step(uintptr_t page, ucontext_t *c)
{
    (void)page;
    (void)c;
}

static bool is_write(const ucontext_t *c, int now)
{
    (void)c;
    return now & PROT_READ;
}
#endif

bool simt_pages_fault(uintptr_t address, const void *place, void *context)
{
    static SIMT_THREAD_LOCAL bool judging;
    uintptr_t page = address & ~(uintptr_t)(PAGE - 1);
    int now = permitted(page);
    bool write, found;
    unsigned steps;

    if (now == (PROT_READ | PROT_WRITE))
        return false;
    if (judging) { /* memory of the machine's own is on that page; were all opened here, they would be protected again at the end, for ever */
        open_page(page);
        return true;
    }
    if (simt_current || simt_lock_depth() > 0) {
        simt_pages_open();
        return true;
    }
    write = is_write(context, now);
    if (!simt_try_lock()) { /* to wait could be a deadlock: this may be an access of malloc, which has a lock of its own */
        mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE);
        return true;
    }
    judging = true;
    found = simt_host_faults(address, write, place);
    judging = false;
    steps = open_page(page);
    if (!found && steps < STEPS) /* a race is reported once: then the page stays open */
        step(page, context);
    simt_unlock();
    return true;
}
