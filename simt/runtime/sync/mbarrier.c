/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Barriers in memory: PTX's mbarrier, on which cuda::barrier and the pipelines of libcu++ stand. An mbarrier is 8 bytes of shared
 * memory. It counts arrivals and bytes of copies, and completes a phase when none of either is missing; the next phase begins in
 * the same moment. A thread waits for a phase by its state, which an arrival returned, or by the phase's parity, and only ever for
 * the current phase or the one before.
 *
 * The counts stand in a table beside the memory, which keeps a word that no program writes by chance. So an operation on memory
 * that is no mbarrier is found in every build, and what overwrites an mbarrier too; in the checking build the line of that access
 * is named, because the memory is watched.
 *
 *   state    phase 24 | arrivals that were missing 20 | offset in the block's shared memory 20
 *
 * Order: an arrival publishes what its thread did, and a wait that succeeds acquires it, as by a fence and an atomic of the cluster,
 * unless they are .relaxed. The two halves of the mbarrier take turns as the address of that, so a thread that is late does not
 * acquire what was published for the phase after the one that it waited for. init is a plain write: an operation without order to it
 * is a race. inval counts as an operation like the others, because the pipelines of libcu++ end their barriers by one lane for all
 * lanes that __match_any_sync has gathered, which orders nothing; who comes too late is found as an operation after inval.
 *
 * Findings `barrier`: an operation before init or after inval; init of an mbarrier that is valid; a count that is out of range; an
 * arrival past the expected count; an arrival that must not complete the phase and would; a state of another mbarrier or of an
 * older phase; an access to the memory, as long as it is an mbarrier.
 */
#include "sync.h"

#include "../../include/simt_mbarrier.h"
#include "../detect/detect.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 256,             /* of the table; not tuned */
    MAX_COUNT = (1 << 20) - 1, /* arrivals, and bytes: PTX's limit */
    OFFSET_BITS = 20,          /* SIMT_ARENA is 2^20 bytes */
    PHASE_BITS = 24
};

/* Of every operation but init. */
static unsigned kind_of_operation(void)
{
    return SIMT_IS_ATOMIC | (m.cluster_blocks > 1 ? 0 : SIMT_IS_BLOCK_SCOPE);
}

typedef struct mbarrier {
    simt_watch watch; /* its address is that of the mbarrier */
    struct mbarrier *next;
    bool valid;
    uint64_t phase;
    int64_t expected, pending; /* arrivals of every phase; those that the current one lacks */
    int64_t bytes;             /* that copies were announced for and have not brought; below 0: brought before */
} mbarrier;

static void *of_workers[SIMT_WORKERS];

static struct state {
    mbarrier *buckets[BUCKETS];
    bool operates[SIMT_SLOTS]; /* threads whose access is an operation of this file */
} * own(void)
{
    return simt_of_worker(of_workers, sizeof(struct state));
}

static mbarrier **link_of(uintptr_t address)
{
    mbarrier **link = &own()->buckets[address / SIMT_MBARRIER % BUCKETS];

    while (*link && (*link)->watch.address != address)
        link = &(*link)->next;
    return link;
}

/* What the memory of a valid mbarrier has. */
static uint64_t word_of(const mbarrier *b)
{
    return simt_mix(b->watch.address - simt_base + 0x6d626172); /* "mbar" */
}

static void describe_wait(uintptr_t address, char *text, size_t size)
{
    const mbarrier *b = *link_of(address);
    char arrivals[64] = "", bytes[64] = "";

    if (!b || !b->valid)
        return;
    if (b->pending)
        snprintf(arrivals, sizeof arrivals, " %lld of %lld arrivals", (long long)b->pending, (long long)b->expected);
    if (b->bytes)
        snprintf(bytes, sizeof bytes, "%s %lld bytes of copies", b->pending ? " and" : "", (long long)b->bytes);
    snprintf(text, size, ", an mbarrier whose phase %llu lacks%s%s", (unsigned long long)b->phase, arrivals, bytes);
}

static void block_ends(const block *b)
{
    for (unsigned i = 0; i < BUCKETS; i++)
        for (mbarrier **link = &own()->buckets[i], *gone; *link;) {
            gone = *link;
            if (gone->watch.address - (uintptr_t)b->arena >= SIMT_ARENA) {
                link = &gone->next;
                continue;
            }
            simt_watch_remove(&gone->watch);
            *link = gone->next;
            free(gone);
        }
}

static simt_primitive primitive = {.block_ends = block_ends, .describe_wait = describe_wait};

static char *name_of(uintptr_t address, char text[256])
{
    simt_describe_element(address, SIMT_MBARRIER, text, 256);
    return text;
}

static void touched(const simt_watch *w, unsigned kind, const void *place)
{
    char name[256];

    if (!own()->operates[simt_current - m.threads])
        simt_report_spot(BARRIER, &(simt_spot){.place = place, .address = name, .object = w->address},
                         "%s %s, which is an mbarrier until mbarrier.inval",
                         kind & SIMT_IS_WRITE ? "writes to" : "reads from", name_of(w->address, name));
}

#define COMPLAIN(b, place, ...)                                                                                        \
    simt_report_spot(BARRIER, &(simt_spot){.place = place, .address = name_of(b, (char[256]){0}), .object = b},        \
                     __VA_ARGS__)

/* Where an mbarrier may stand: other blocks of a cluster arrive at it, or announce bytes, and do nothing else. The launch stops if it
 * may not. */
static void check_place(uintptr_t address, bool remote, const char *operation, const void *place)
{
    char name[256];

    simt_use(&primitive);
    simt_check_alignment((void *)address, SIMT_MBARRIER, kind_of_operation(), place);
    if (address - (uintptr_t)m.block->arena < SIMT_ARENA ||
        (remote && address - (uintptr_t)simt_cluster_of(m.block)->arena < (uintptr_t)SIMT_ARENA * m.cluster_blocks))
        return;
    COMPLAIN(address, place, "%s at %s: an mbarrier is in the block's shared memory%s", operation,
             name_of(address, name), remote ? ", or in that of its cluster" : "");
    simt_stop(cudaErrorLaunchFailure);
}

/* The valid mbarrier at the address, on which the running thread does this; or NULL after a finding. */
static mbarrier *use(uintptr_t address, bool remote, const char *operation, bool writes, const void *place)
{
    char name[256];
    mbarrier *b;
    uint64_t word;

    check_place(address, remote, operation, place);
    if (simt_checking) { /* before the table is read: other threads may run first */
        own()->operates[simt_current - m.threads] = true;
        simt_access((void *)address, SIMT_MBARRIER, kind_of_operation() | writes, place);
        own()->operates[simt_current - m.threads] = false;
    }
    b = *link_of(address);
    if (!b || !b->valid) {
        COMPLAIN(address, place, "%s at %s, which %s", operation, name_of(address, name),
                 b ? "mbarrier.inval has ended" : "no mbarrier.init has made an mbarrier");
        return NULL;
    }
    memcpy(&word, (void *)address, sizeof word);
    if (word != word_of(b)) {
        COMPLAIN(address, place, "%s at %s, which was overwritten since mbarrier.init", operation,
                 name_of(address, name));
        b->valid = false;
        simt_watch_remove(&b->watch);
        return NULL;
    }
    return b;
}

void simt_mbarrier_init(void *at, uint32_t count)
{
    const void *place = __builtin_return_address(0);
    const uintptr_t address = (uintptr_t)at;
    char name[256];
    mbarrier *b;
    uint64_t word;

    check_place(address, false, "mbarrier.init", place);
    b = *link_of(address);
    if (b && b->valid)
        COMPLAIN(address, place, "mbarrier.init at %s, which is an mbarrier already", name_of(address, name));
    if (count == 0 || count > MAX_COUNT)
        COMPLAIN(address, place, "mbarrier.init of %u arrivals: they are 1 to %d", count, MAX_COUNT);
    if (b)
        simt_watch_remove(&b->watch);
    if (simt_checking)
        simt_access(at, SIMT_MBARRIER, SIMT_IS_WRITE, place);
    b = *link_of(address);
    if (!b && (b = calloc(1, sizeof *b)) != NULL)
        *link_of(address) = b;
    if (!b)
        simt_stop(cudaErrorMemoryAllocation);
    b->watch.address = address;
    b->watch.size = SIMT_MBARRIER;
    b->watch.touched = touched;
    b->valid = true;
    b->phase = 0;
    b->expected = b->pending = count;
    b->bytes = 0;
    word = word_of(b);
    memcpy(at, &word, sizeof word);
    if (!b->watch.watching)
        simt_watch_add(&b->watch);
    simt_changed(at);
}

void simt_mbarrier_inval(void *at)
{
    const void *place = __builtin_return_address(0);
    mbarrier *b = use((uintptr_t)at, false, "mbarrier.inval", true, place);

    if (!b)
        return;
    b->valid = false;
    simt_watch_remove(&b->watch);
    if (simt_checking)
        simt_set_state((uintptr_t)at, SIMT_MBARRIER, ACCESSIBLE); /* and uninitialised */
}

static uint64_t state_of(const mbarrier *b)
{
    return (b->phase & ((1u << PHASE_BITS) - 1)) << 40 | (uint64_t)b->pending << OFFSET_BITS |
           (b->watch.address - simt_base) % SIMT_ARENA;
}

/* The address through which a phase orders its arrivals before its waits. */
static const void *order_of(const mbarrier *b, uint64_t phase)
{
    return (const char *)b->watch.address + phase % 2 * (SIMT_MBARRIER / 2);
}

static void publish(const mbarrier *b, simt_scope scope)
{
    if (!simt_checking)
        return;
    simt_fence(scope);
    simt_hb_atomic(order_of(b, b->phase), false, true, scope);
}

static void acquire(const mbarrier *b, uint64_t phase, simt_scope scope)
{
    if (!simt_checking)
        return;
    simt_hb_atomic(order_of(b, phase), true, false, scope);
    simt_fence(scope);
}

static simt_scope scope_of(unsigned how)
{
    return how & SIMT_MBARRIER_BLOCK ? SIMT_BLOCK : simt_cluster_scope();
}

static void complete(mbarrier *b)
{
    simt_changed((void *)b->watch.address);
    if (b->pending || b->bytes)
        return;
    b->phase++;
    b->pending = b->expected;
}

static void count_bytes(mbarrier *b, int64_t bytes, const void *place)
{
    b->bytes += bytes;
    if (b->bytes > MAX_COUNT || b->bytes < -MAX_COUNT)
        COMPLAIN(b->watch.address, place, "an mbarrier that waits for %lld bytes: at most %d are permitted",
                 (long long)b->bytes, MAX_COUNT);
}

static void take(mbarrier *b, int64_t count, bool completes, const void *place)
{
    char name[256];

    if (count > b->pending) {
        COMPLAIN(b->watch.address, place, "%lld arrival%s at %s, whose phase %llu lacks %lld of %lld", (long long)count,
                 count == 1 ? "" : "s", name_of(b->watch.address, name), (unsigned long long)b->phase,
                 (long long)b->pending, (long long)b->expected);
        count = b->pending;
    }
    if (!completes && count == b->pending)
        COMPLAIN(b->watch.address, place, "%lld arrival%s without completion at %s, whose phase %llu lacks no more",
                 (long long)count, count == 1 ? "" : "s", name_of(b->watch.address, name),
                 (unsigned long long)b->phase);
    b->pending -= count;
}

uint64_t simt_mbarrier_arrive(void *at, uint32_t count, uint32_t bytes, unsigned how)
{
    const void *place = __builtin_return_address(0);
    const char *operation = how & SIMT_MBARRIER_DROP ? "mbarrier.arrive_drop" : "mbarrier.arrive";
    mbarrier *b = use((uintptr_t)at, true, operation, true, place);
    uint64_t state;

    if (!b)
        return 0;
    state = state_of(b);
    if (count == 0 || count > MAX_COUNT)
        COMPLAIN(b->watch.address, place, "%s of %u arrivals: they are 1 to %d", operation, count, MAX_COUNT);
    if (!(how & SIMT_MBARRIER_RELAXED))
        publish(b, scope_of(how));
    count_bytes(b, bytes, place);
    if (how & SIMT_MBARRIER_DROP)
        b->expected -= count < b->expected ? count : b->expected;
    take(b, count, !(how & SIMT_MBARRIER_NO_COMPLETE), place);
    complete(b);
    return state;
}

void simt_mbarrier_bytes(void *at, uint32_t bytes, int completes)
{
    const void *place = __builtin_return_address(0);
    mbarrier *b = use((uintptr_t)at, true, completes ? "mbarrier.complete_tx" : "mbarrier.expect_tx", true, place);

    if (!b)
        return;
    count_bytes(b, completes ? -(int64_t)bytes : (int64_t)bytes, place);
    complete(b);
}

/* Does the state name a phase that is complete? */
static bool is_complete(const mbarrier *b, uint64_t state, const void *place)
{
    const uint64_t behind = (b->phase - (state >> 40)) & ((1u << PHASE_BITS) - 1);
    char name[256];

    if ((state & (SIMT_ARENA - 1)) != (b->watch.address - (uintptr_t)m.block->arena))
        COMPLAIN(b->watch.address, place, "waits at %s with a state that an arrival at another mbarrier returned",
                 name_of(b->watch.address, name));
    else if (behind > 1)
        COMPLAIN(b->watch.address, place,
                 "waits at %s for phase %llu, but its phase is %llu: a thread may wait for that one or the one before",
                 name_of(b->watch.address, name), (unsigned long long)(state >> 40), (unsigned long long)b->phase);
    return behind != 0;
}

int simt_mbarrier_test(void *at, uint64_t operand, unsigned how)
{
    const void *place = __builtin_return_address(0);
    const char *operation = how & SIMT_MBARRIER_TRY ? "mbarrier.try_wait" : "mbarrier.test_wait";
    const bool parity = how & SIMT_MBARRIER_PARITY;
    mbarrier *b = use((uintptr_t)at, false, operation, false, place);

    if (!b)
        return 1; /* as if it were complete: a thread that waits for nothing does not go on, and hides what follows */
    if (parity && operand > 1)
        COMPLAIN(b->watch.address, place, "%s.parity of %llu: a parity is 0 or 1", operation,
                 (unsigned long long)operand);
    if (parity ? (b->phase & 1) == (operand & 1) : !is_complete(b, operand, place)) {
        simt_poll(at, SIMT_MBARRIER, place);
        simt_progress();
        simt_preempt_waiting((b->watch.address - simt_base) % SIMT_ARENA);
        return 0;
    }
    if (!(how & SIMT_MBARRIER_RELAXED))
        acquire(b, b->phase - 1, scope_of(how));
    simt_waited((uintptr_t)at, b->phase - 1);
    return 1;
}

bool simt_mbarrier_announce(uintptr_t address, bool more, const void *place)
{
    mbarrier *b = use(address, true, "an asynchronous copy", true, place);

    if (!b)
        return false;
    publish(b, simt_cluster_scope());
    b->pending += more;
    if (b->pending > MAX_COUNT)
        COMPLAIN(address, place, "an mbarrier that lacks %lld arrivals: at most %d are permitted",
                 (long long)b->pending, MAX_COUNT);
    return true;
}

uint64_t simt_mbarrier_late_arrival(uintptr_t address, unsigned arrivals, unsigned bytes)
{
    mbarrier *b = *link_of(address);
    uint64_t phase;

    if (!b || !b->valid)
        return 0;
    phase = b->phase;
    take(b, arrivals, true, NULL);
    count_bytes(b, -(int64_t)bytes, NULL);
    complete(b);
    return phase;
}
