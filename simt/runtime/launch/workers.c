/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Blocks on every core. A launch of the plain build is done by as many workers as SIMT_OPTIONS=threads says: the thread of the host that
 * launches, and helpers, which sleep between launches. Each takes blocks in the order in which they start and runs them as the machine
 * does on one thread: a block stays on its worker, and a cluster is on one. What a program without races computes does not depend on
 * how many there are.
 *
 * Progress: a block that polls waits for one that started before it, which is on the same worker, whose threads take turns, or on
 * another, which runs beside it. Only when no other worker can change what is polled (simt_others_may_help) does stuck.c see a worker
 * that polls as it sees the whole machine. One worker does a launch alone if it is cooperative, because all of its blocks
 * wait for each other, and if an option wants one order.
 */
#define _GNU_SOURCE
#include "../core/workers.h"
#include "launch.h"

#include "../core/lock.h"
#include "../core/options.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"
#include "../sync/sync.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t left;
    unsigned inside, made; /* helpers that work; that exist */
    bool open, end;
    void (*work)(void);
    bool again; /* the launch goes on that has waited for the host */
    struct helper {
        pthread_t thread;
        sem_t wake;
        bool called; /* the semaphore is not 0 */
        bool took_part;
    } helper[SIMT_WORKERS]; /* of the same number as the worker */
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER};

/* To wake a helper and to wait for it takes 5 to 10 us of processor time, so a launch gets none as long as it takes less than this, if the last
 * one of the same kernel, with as many blocks, did. With 16 cores, blocks of 1 us could be done 20 us earlier at most. */
enum { SHORT = 20000 /* ns */ };

static struct {
    void (*call)(void *); /* the kernel's */
    uint64_t blocks;
    int64_t start, time; /* ns; time: that of all its workers together */
} last;

/* What a helper's state begins with: that of worker 0 at the beginning of the launch. */
static char state_of_launch[offsetof(machine, worker)];

/* --- how many */

unsigned simt_max_workers(void)
{
    static unsigned cores;
    const unsigned capacity = simt_arenas_capacity();
    unsigned count;
    cpu_set_t set;

#ifdef SIMT_UCONTEXT
    return 1;
#endif
    if (simt_checking)
        return 1;
    if (!cores)
        cores = sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
    count = simt_options.threads ? (unsigned)simt_options.threads : cores;
    count = count < SIMT_WORKERS ? count : SIMT_WORKERS;
    return count < capacity ? count : capacity;
}

/* Why one worker does the launch alone; NULL: it does not. */
static const char *alone(void)
{
    return simt_checking               ? "the checking build"
           : simt_options.threads == 1 ? "threads=1"
           : !simt_options.threads && simt_options.seed_is_named
               ? "a seed was named, and its order is one of one worker"
           : simt_searching                 ? "its order is searched, replayed or recorded"
           : simt_options.kinds[NOT_FINITE] ? "nan=1 looks for the first operation"
           : m.request->cooperative         ? "a cooperative launch"
           : m.blocks == m.cluster_blocks   ? "there is one block, or one cluster"
           : simt_max_workers() == 1        ? "there is one core"
                                            : NULL;
}

/* Chooses the workers of the launch, once it is set up. */
void simt_share_blocks(void)
{
    const char *why = alone();
    uint64_t clusters = m.blocks / m.cluster_blocks, each;
    unsigned count = why ? 1 : simt_max_workers();

    count = count < clusters ? count : (unsigned)clusters;
    each = (clusters + count - 1) / count * m.cluster_blocks;
    if (count > 1 && m.resident > each)
        m.resident = (unsigned)each;
    m.next_block = 0;
    m.end_block = count > 1 ? 0 : m.blocks;
    m.takes_part = true;
    m.quiet.times = 0;
    simt_workers.next_block = 0;
    simt_workers.stopped = simt_workers.polls = false;
    m.share = 1;
    simt_workers.count = count;
    simt_workers.worker[0] = &m;
    for (unsigned i = 1; i < SIMT_WORKERS && simt_workers.worker[i]; i++) {
        simt_workers.worker[i]->suspended = NULL;
        pool.helper[i].took_part = false;
    }
    if (simt_options.show_threads && why)
        fprintf(stderr, "simt: %s:%d: %s: 1 worker: %s\n", m.request->file, m.request->line, m.request->name, why);
    else if (simt_options.show_threads)
        fprintf(stderr, "simt: %s:%d: %s: %u workers\n", m.request->file, m.request->line, m.request->name, count);
}

/* --- helpers */

static void call(unsigned number)
{
    struct helper *h = &pool.helper[number];

    if (number < simt_workers.count && number <= pool.made && !__atomic_exchange_n(&h->called, true, __ATOMIC_ACQ_REL))
        sem_post(&h->wake);
}

static int64_t nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

/* Called by worker 0, which runs alone. */
static void wake(bool anyway)
{
    if (!anyway && nanoseconds() - last.start < SHORT)
        return;
    simt_workers.wake = NULL;
    call(1);
}

/* Is the launch that begins like the last one, and was that short? */
static bool seems_short(void)
{
    const bool is_short = last.call == m.request->call && last.blocks == m.blocks && last.time < SHORT;

    last.call = m.request->call;
    last.blocks = m.blocks;
    last.start = nanoseconds();
    return is_short;
}

static void leave(void)
{
    if (m.stop != SUSPENDED)
        simt_blocks_of_primitives_end();
    simt_set_lock_depth(0);
    simt_current = NULL;
    __atomic_store_n(&m.takes_part, false, __ATOMIC_RELEASE);
}

/* Takes part in the launch, unless it is over or there is nothing for this helper to go on with. */
static void help(struct helper *self)
{
    bool enters;

    pthread_mutex_lock(&pool.mutex);
    enters = pool.open && m.worker < simt_workers.count && (pool.again ? m.suspended != NULL : !self->took_part);
    pool.inside += enters;
    pthread_mutex_unlock(&pool.mutex);
    if (!enters)
        return;
    if (!self->took_part) {
        memcpy(&m, state_of_launch, sizeof state_of_launch);
        m.random = simt_mix(m.random + m.worker);
        m.quiet.times = 0;
        simt_new_countdown();
    }
    self->took_part = true;
    __atomic_store_n(&m.takes_part, true, __ATOMIC_RELEASE);
    if (!pool.again) { /* wakes two more, so that all are awake soon */
        call(2 * m.worker);
        call(2 * m.worker + 1);
    }
    m.busy = nanoseconds();
    pool.work();
    m.busy = nanoseconds() - m.busy;
    leave();
    pthread_mutex_lock(&pool.mutex);
    if (--pool.inside == 0)
        pthread_cond_signal(&pool.left);
    pthread_mutex_unlock(&pool.mutex);
}

static void *live(void *own)
{
    struct helper *self;

    simt_worker = own;
    self = &pool.helper[m.worker];
    simt_make_signal_stack();
    simt_watch_thread();
    while (!pool.end) {
        while (sem_wait(&self->wake) != 0)
            ;
        __atomic_store_n(&self->called, false, __ATOMIC_RELEASE);
        help(self);
    }
    return NULL;
}

static machine *new_machine(unsigned number)
{
    machine *own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (own == MAP_FAILED)
        return NULL;
    own->worker = number;
    own->arenas = simt_arenas_of_worker(number);
    if (own->arenas)
        return own;
    munmap(own, sizeof *own);
    return NULL;
}

/* Signals of the program go to its own threads; faults go to the thread that has them. */
static bool make_helper(unsigned number)
{
    struct helper *h = &pool.helper[number];
    sigset_t all, before;
    bool good;

    if (!simt_workers.worker[number])
        simt_workers.worker[number] = new_machine(number);
    if (!simt_workers.worker[number])
        return false;
    sem_init(&h->wake, 0, 0);
    h->called = false;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGTRAP);
    sigdelset(&all, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    good = pthread_create(&h->thread, NULL, live, simt_workers.worker[number]) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* A child process has no helpers. */
static void forget_helpers(void)
{
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.left, NULL);
    pool.made = pool.inside = 0;
    pool.open = false;
}

static void make_helpers(void)
{
    static bool done;

    if (!done)
        pthread_atfork(NULL, NULL, forget_helpers);
    done = true;
    while (pool.made + 1 < simt_workers.count && make_helper(pool.made + 1))
        pool.made++;
}

/* If the machine is in a shared object that is unloaded, its threads must end first. */
static __attribute__((destructor)) void end_helpers(void)
{
    pthread_mutex_lock(&pool.mutex);
    pool.end = pool.inside == 0;
    pthread_mutex_unlock(&pool.mutex);
    for (unsigned i = 1; pool.end && i <= pool.made; i++) {
        sem_post(&pool.helper[i].wake);
        pthread_join(pool.helper[i].thread, NULL);
    }
    if (pool.end)
        pool.made = 0;
}

/* --- the launch */

/* What the workers ended with becomes what worker 0 ended with. */
static void join(void)
{
    for (unsigned i = 1; i < simt_workers.count && simt_workers.worker[i]; i++) {
        machine *other = simt_workers.worker[i];

        if (!pool.helper[i].took_part)
            continue;
        last.time += other->busy;
        if (other->error != cudaSuccess && m.error == cudaSuccess)
            m.error = other->error;
        if (other->stop == STOPPED)
            m.stop = STOPPED;
        if (other->clock > m.clock)
            m.clock = other->clock;
        if (!other->suspended || m.stop == STOPPED)
            continue;
        m.polls = m.stop == SUSPENDED && m.polls > other->polls ? m.polls : other->polls;
        m.stop = SUSPENDED;
        if (!m.suspended)
            m.suspended = other->suspended;
    }
}

void simt_work(void (*work)(void), bool again)
{
    const unsigned depth = simt_lock_depth();

    if (!simt_in_parallel()) {
        work();
        return;
    }
    make_helpers();
    memcpy(state_of_launch, &m, sizeof state_of_launch);
    pthread_mutex_lock(&pool.mutex);
    pool.work = work;
    pool.again = again;
    pool.open = true;
    pthread_mutex_unlock(&pool.mutex);
    simt_workers.wake = NULL;
    if (!again && seems_short())
        simt_workers.wake = wake;
    else if (!again)
        call(1);
    else
        for (unsigned i = 1; i < simt_workers.count; i++)
            if (simt_workers.worker[i] && simt_workers.worker[i]->suspended)
                call(i);
    __atomic_store_n(&m.takes_part, true, __ATOMIC_RELEASE);
    work();
    simt_set_lock_depth(depth); /* a thread that ended the launch may have had the kernels' lock */
    last.time = nanoseconds() - last.start;
    __atomic_store_n(&m.takes_part, false, __ATOMIC_RELEASE);
    pthread_mutex_lock(&pool.mutex);
    pool.open = false;
    while (pool.inside)
        pthread_cond_wait(&pool.left, &pool.mutex);
    pthread_mutex_unlock(&pool.mutex);
    join();
}
