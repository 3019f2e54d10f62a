/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A finding is noted where the bug is met, on whatever stack that is, and made into text when the launch is over: code
 * addresses become file and line then. The same bug is noted once while its finding has not been taken.
 */
#define _GNU_SOURCE
#include "machine.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { QUEUE = 64, STATUS = 86 };

typedef struct finding {
    finding_kind kind;
    char who[320], what[768], where[512];
    uint64_t seed;
    const void *place, *other; /* other: of a second thread */
    char other_where[512];
    bool printed;
} finding;

options simt_options = {.seed = 1,
                        .max_reports = 32,
                        .hang = 1 << 24,
                        .memory = (uint64_t)4 << 30,
                        .race = 1,
                        .uninit = 1,
                        .preempt = UINT64_MAX,
                        .weak = UINT64_MAX};
uint64_t simt_current_seed;
bool simt_checking;

static const char *const kinds[] = {
    [OOB] = "oob",   [RACE] = "race", [UNINIT] = "uninit", [BARRIER] = "barrier", [WARP_MASK] = "warp-mask",
    [HANG] = "hang", [API] = "api"};
static finding queue[QUEUE];
static unsigned first, count;
static uint64_t reported;
static bool keeping;

/* --- start */

static void read_option(const char *word, size_t length)
{
    static const struct {
        const char *name;
        uint64_t *value;
    } known[] = {{"seed=", &simt_options.seed},
                 {"resident=", &simt_options.resident},
                 {"max_reports=", &simt_options.max_reports},
                 {"hang=", &simt_options.hang},
                 {"memory=", &simt_options.memory},
                 {"race=", &simt_options.race},
                 {"uninit=", &simt_options.uninit},
                 {"preempt=", &simt_options.preempt},
                 {"weak=", &simt_options.weak}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(word, known[i].name, strlen(known[i].name)) == 0) {
            *known[i].value = strtoull(word + strlen(known[i].name), NULL, 0);
            return;
        }
    fprintf(stderr, "simt: SIMT_OPTIONS: unknown option %.*s\n", (int)length, word);
}

static void end_of_program(void)
{
    if (reported && !keeping) {
        fflush(NULL);
        _exit(STATUS);
    }
}

void simt_start(void)
{
    static bool started;
    const char *text = getenv("SIMT_OPTIONS");

    if (started)
        return;
    started = true;
    while (text && *text) {
        size_t length = strcspn(text, " ,:");

        if (length)
            read_option(text, length);
        text += length + (text[length] != 0);
    }
    simt_new_order(simt_options.seed);
    atexit(end_of_program);
    if (!simt_memory_start()) {
        fputs("simt: no room for the device's memory\n", stderr);
        exit(1);
    }
}

void simt_set_checking(void)
{
    simt_checking = true;
}

int simt_is_checking(void)
{
    return simt_checking;
}

void simt_seed(uint64_t seed)
{
    simt_start();
    simt_new_order(seed);
    simt_clear_errors();
    count = 0;
}

/* --- noting */

static bool known(const finding *new)
{
    for (unsigned i = 0; i < count; i++) {
        const finding *old = &queue[(first + i) % QUEUE];

        if (old->kind == new->kind && old->place == new->place &&
            old->other == new->other &&strcmp(old->where, new->where) == 0 &&
            (new->place || new->where[0] || strcmp(old->what, new->what) == 0))
            return true;
    }
    return false;
}

static void name_thread(finding *f)
{
    const thread *t = simt_current;
    const block *b = t ? t->warp->block : m.block;

    if (!m.request)
        return;
    if (t)
        snprintf(f->who, sizeof f->who, "kernel %.200s, block (%u,%u,%u) thread (%u,%u,%u)", m.request->name,
                 b->index.x, b->index.y, b->index.z, t->index.x, t->index.y, t->index.z);
    else if (b)
        snprintf(f->who, sizeof f->who, "kernel %.200s, block (%u,%u,%u)", m.request->name, b->index.x, b->index.y,
                 b->index.z);
    else
        snprintf(f->who, sizeof f->who, "kernel %.200s", m.request->name);
}

static finding *note(finding *f)
{
    finding *place = &queue[(first + count) % QUEUE];

    if (count == QUEUE || known(f))
        return NULL;
    count++;
    *place = *f;
    return place;
}

char *simt_report_two(finding_kind kind, const void *place, const void *other, const char *format, ...)
{
    finding f = {.kind = kind, .seed = simt_current_seed, .place = place, .other = other}, *noted;
    va_list arguments;

    name_thread(&f);
    va_start(arguments, format);
    vsnprintf(f.what, sizeof f.what - 64, format, arguments); /* room for what is added */
    va_end(arguments);
    noted = note(&f);
    return noted ? noted->what : NULL;
}

void simt_report(finding_kind kind, const char *file, int line, const void *place, const char *format, ...)
{
    finding f = {.kind = kind, .seed = simt_current_seed, .place = place};
    va_list arguments;

    name_thread(&f);
    va_start(arguments, format);
    vsnprintf(f.what, sizeof f.what, format, arguments);
    va_end(arguments);
    if (file)
        snprintf(f.where, sizeof f.where, "%s:%d", file, line);
    note(&f);
}

/* --- code addresses */

static void run_addr2line(const char *object, uintptr_t offset, char *text, size_t size)
{
    char address[32];
    int ends[2];
    ssize_t got = 0;
    size_t length = 0;
    pid_t child;

    snprintf(address, sizeof address, "%#lx", (unsigned long)offset);
    text[0] = 0;
    if (pipe(ends) != 0)
        return;
    child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(2);
        execlp("addr2line", "addr2line", "-i", "-e", object, address, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    while (child > 0 && length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    text[length] = 0;
    if (child > 0)
        waitpid(child, NULL, 0);
}

static bool is_own_header(const char *line)
{
    const char *name = strrchr(line, '/');

    name = name ? name + 1 : line;
    return strncmp(name, "simt_", 5) == 0 && strstr(name, ".h:");
}

/* Of the inlined frames the innermost that is not in the machine's own headers. */
static void take_line(char *lines, char *where, size_t size)
{
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        char *note = strstr(line, " (discriminator");

        if (note)
            *note = 0;
        if (line[0] == '?' || strstr(line, ":?") || is_own_header(line))
            continue;
        snprintf(where, size, "%s", line);
        return;
    }
}

static void find_line(const void *place, char *where, size_t size)
{
    static struct {
        const void *place;
        char where[512];
    } cache[16];
    static unsigned turn;
    char lines[4096];
    Dl_info object;

    if (!place || where[0])
        return;
    for (unsigned i = 0; i < 16; i++)
        if (cache[i].place == place) {
            snprintf(where, size, "%s", cache[i].where);
            return;
        }
    if (!dladdr(place, &object) || !object.dli_fname)
        return;
    /* a program at a fixed address has its addresses as they are, others from where they were loaded */
    run_addr2line(object.dli_fname, (uintptr_t)place - 1 - (uintptr_t)object.dli_fbase, lines, sizeof lines);
    take_line(lines, where, size);
    if (!where[0]) {
        run_addr2line(object.dli_fname, (uintptr_t)place - 1, lines, sizeof lines);
        take_line(lines, where, size);
    }
    cache[turn].place = place;
    snprintf(cache[turn++].where, sizeof cache[0].where, "%s", where);
    turn %= 16;
}

/* --- telling */

static void find_lines(finding *f)
{
    find_line(f->place, f->where, sizeof f->where);
    find_line(f->other, f->other_where, sizeof f->other_where);
}

/* Of a race or the like in the same lines: code that is unrolled or inlined has several addresses a line. */
static bool told_before(const finding *f, unsigned before)
{
    for (unsigned i = 0; i < before && f->where[0]; i++) {
        const finding *old = &queue[(first + i) % QUEUE];

        if (old->kind == f->kind &&
            ((strcmp(old->where, f->where) == 0 && strcmp(old->other_where, f->other_where) == 0) ||
             (strcmp(old->where, f->other_where) == 0 && strcmp(old->other_where, f->where) == 0)))
            return true;
    }
    return false;
}

static void as_text(finding *f, char *text, size_t size)
{
    find_lines(f);
    snprintf(text, size, "%s: %s%s%s%s%s%s%s; seed %llu", kinds[f->kind], f->who, f->who[0] ? ": " : "", f->what,
             f->where[0] ? ", " : "", f->where, f->other_where[0] ? " and " : "", f->other_where,
             (unsigned long long)f->seed);
}

int simt_finding(char *text, size_t size)
{
    keeping = true;
    if (count == 0 || size == 0)
        return 0;
    as_text(&queue[first], text, size);
    first = (first + 1) % QUEUE;
    count--;
    return 1;
}

/* Printed findings stay in the queue, so that the same bug is not printed again. */
void simt_report_findings(bool launch_stopped)
{
    char text[2048];

    for (unsigned i = 0; i < count && !keeping; i++) {
        finding *f = &queue[(first + i) % QUEUE];

        if (f->printed)
            continue;
        f->printed = true;
        find_lines(f);
        if ((f->kind == RACE || f->kind == UNINIT) && told_before(f, i))
            continue;
        if (reported++ < simt_options.max_reports) {
            as_text(f, text, sizeof text);
            fflush(stdout);
            fprintf(stderr, "simt: error: %s\n", text);
        }
        launch_stopped |= reported >= simt_options.max_reports;
    }
    if (launch_stopped && reported && !keeping)
        exit(STATUS);
}

/* --- faults of the processor in a kernel */

static struct sigaction before[2];

/* The address after the instruction's first byte, as if it were a call. */
static const void *faulting_code(const void *context)
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

static void fault_in_kernel(uintptr_t address, const void *place)
{
    char what[256];

    if (simt_on_stacks(address)) {
        simt_report(OOB, NULL, 0, place, "the thread's stack of 64 KiB is full");
    } else {
        simt_describe(address, what, sizeof what);
        simt_report(OOB, NULL, 0, place, "access to address %#zx: %s", (size_t)address, what);
    }
    simt_stop(cudaErrorIllegalAddress);
}

static void fault(int number, siginfo_t *information, void *context)
{
    struct sigaction *old = &before[number == SIGBUS];
    uintptr_t address = (uintptr_t)information->si_addr;

    if (simt_current)
        fault_in_kernel(address, faulting_code(context));
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, information, context);
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(number);
    } else {
        signal(number, SIG_DFL); /* the access is tried again, and kills */
    }
}

/* The handler cannot run on the stack of a thread, which may be what is full. */
void simt_catch_faults(void)
{
    static bool done;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    stack_t old, own = {.ss_size = 64 << 10};

    if (done)
        return;
    done = true;
    if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE)) {
        own.ss_sp = mmap(NULL, own.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (own.ss_sp == MAP_FAILED || sigaltstack(&own, NULL) != 0)
            return;
    }
    action.sa_sigaction = fault;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
}

/* The machine may be in a shared object that is unloaded: its handlers go with it. */
static __attribute__((destructor)) void forget_faults(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS};
    struct sigaction now;

    for (int i = 0; i < 2; i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == fault)
            sigaction(numbers[i], &before[i], NULL);
}

/* --- assert */

/* In a kernel a failed assertion says so and ends the launch, as on a GPU. Not a finding: the program's own check. */
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    const thread *t = simt_current;

    fflush(stdout);
    if (!t) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function,
            blockIdx.x, blockIdx.y, blockIdx.z, t->index.x, t->index.y, t->index.z, expression);
    simt_stop(cudaErrorAssert);
}
