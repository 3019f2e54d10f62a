/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Named barriers: bar.sync, bar.red and bar.arrive with a number and a count, __barrier_sync. A block has 16 of them. A barrier is
 * complete when the threads that came make up its count: threads that arrive go on at once, threads that synchronise wait for
 * that. It is then empty again. A warp counts as 32 when all its lanes that have not exited came, so the last warp of a block
 * may be a partial one. Barrier 0 of the whole block is that of __syncthreads, which barrier.c has.
 *
 * Each thread that comes publishes what it did, as by a fence and an atomic of its block, and each that waited acquires that. Two
 * addresses take turns, so a thread that is late to continue does not acquire what was published for the next round.
 *
 * bar.red combines the predicates of the threads that came. PTX leaves undefined what happens if other threads come to the same
 * barrier by bar.sync, bar.arrive or another reduction.
 *
 * Findings `barrier`: counts that differ, that are no multiple of 32 or that the block does not have; instructions that differ
 * where one is a reduction; a thread that comes again
 * before the barrier is complete; a barrier that is complete with a part of a warp, though its instruction is for whole
 * warps (bar.*, barrier.*.aligned); threads that wait when no thread can run.
 */
#include "sync.h"

#include "../detect/detect.h"
#include "../report/report.h"
#include "../schedule/schedule.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 16, BLOCK_WARPS = MAX_THREADS / LANES };

typedef struct named_barrier {
    uint32_t threads; /* that it waits for; or SIMT_WHOLE_BLOCK */
    bool aligned;
    simt_barrier_operation operation;               /* SIMT_BARRIER: none */
    unsigned round, count;                          /* completed rounds; predicates that are true */
    uint32_t came[BLOCK_WARPS], waits[BLOCK_WARPS]; /* sets of lanes; who waits has come */
    char published[2];                              /* only the addresses matter */
    const char *file;                               /* where the last thread came */
    int line;
} named_barrier;

static void *of_workers[SIMT_WORKERS];

static named_barrier *barrier_of(const block *b, unsigned number)
{
    named_barrier(*barriers)[NAMED] = simt_of_worker(of_workers, MAX_BLOCKS * sizeof *barriers);

    return &barriers[b->warp[0].number / m.warps_each][number];
}

static bool is_whole(const warp *w, uint32_t came)
{
    return (came | w->exited | ~w->exists) == 0xffffffff;
}

static unsigned threads_at(const block *b, const named_barrier *at)
{
    unsigned count = 0;

    for (unsigned i = 0; i < b->warps; i++)
        count += (unsigned)__builtin_popcount(at->came[i]);
    return count;
}

static bool is_complete(const block *b, const named_barrier *at)
{
    unsigned count = 0;

    if (at->threads == SIMT_WHOLE_BLOCK)
        return threads_at(b, at) == b->live;
    for (unsigned i = 0; i < b->warps; i++)
        if (at->came[i])
            count += is_whole(&b->warp[i], at->came[i]) ? LANES : (unsigned)__builtin_popcount(at->came[i]);
    return count >= at->threads;
}

static bool has_part_of_warp(const block *b, const named_barrier *at, uint32_t *lanes)
{
    for (unsigned i = 0; i < b->warps; i++)
        if (at->came[i] && !is_whole(&b->warp[i], at->came[i])) {
            *lanes = at->came[i];
            return true;
        }
    return false;
}

/* What a thread that waited gets: from bit 0, 1 + twice the barrier + its round; from bit 8, the reduction; and bit 32, so that it
 * is none of the results of the block's own barrier. */
static uint64_t result_of(const block *b, const named_barrier *at, unsigned number)
{
    uint64_t reduction = at->operation == SIMT_BARRIER_COUNT ? at->count
                         : at->operation == SIMT_BARRIER_AND ? at->count == threads_at(b, at)
                                                             : at->count != 0;

    return 1ull << 32 | reduction << 8 | (1 + 2 * number + at->round % 2);
}

static void complete(block *b, unsigned number)
{
    named_barrier *at = barrier_of(b, number);
    const uint64_t result = result_of(b, at, number);

    for (unsigned i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];

        for (uint32_t left = at->waits[i]; left; left &= left - 1)
            w->threads[__builtin_ctz(left)].context.result = result;
        if (at->waits[i])
            simt_wake(w, at->waits[i]);
    }
    at->round++;
    b->named &= ~(1u << number);
    m.polls = m.steps = m.warp_steps = 0;
}

static const char *in_words(uint32_t threads, char text[32])
{
    if (threads == SIMT_WHOLE_BLOCK)
        return "the whole block";
    snprintf(text, 32, "%u threads", threads);
    return text;
}

static const char *name_of(simt_barrier_operation operation)
{
    static const char *const names[] = {"bar.sync or bar.arrive", "bar.red.popc", "bar.red.and", "bar.red.or"};

    return names[operation];
}

/* Is it wrong to come? Then a finding has said so. */
static bool is_wrong(const block *b, uint32_t number, uint32_t threads, simt_barrier_operation operation,
                     const char *file, int line)
{
    const named_barrier *at = number < NAMED ? barrier_of(b, number) : NULL;
    const bool used = at && b->named >> number & 1;
    char mine[32], theirs[32];

    if (number >= NAMED)
        simt_report(BARRIER, file, line, NULL, "barrier %u: a block has barriers 0 to 15", number);
    else if (threads != SIMT_WHOLE_BLOCK && (threads == 0 || threads % LANES != 0))
        simt_report(BARRIER, file, line, NULL, "barrier %u of %u threads: not a multiple of 32", number, threads);
    else if (threads != SIMT_WHOLE_BLOCK && threads > b->warps * LANES)
        simt_report(BARRIER, file, line, NULL, "barrier %u of %u threads, more than the block has", number, threads);
    else if (number == 0 && b->arrived)
        simt_report(BARRIER, file, line, NULL,
                    "barrier 0 of %u threads while %u threads wait at __syncthreads of %s:%u", threads, b->arrived,
                    b->file, (unsigned)b->line);
    else if (used && at->threads != threads)
        simt_report(BARRIER, file, line, NULL, "barrier %u of %s, while %u threads wait there for %s since %s:%d",
                    number, in_words(threads, mine), threads_at(b, at), in_words(at->threads, theirs), at->file,
                    at->line);
    else if (used && at->operation != operation)
        simt_report(BARRIER, file, line, NULL, "comes to barrier %u by %s, while %u threads came by %s since %s:%d",
                    number, name_of(operation), threads_at(b, at), name_of(at->operation), at->file, at->line);
    else if (used && at->came[m.warp - b->warp] >> m.lane & 1)
        simt_report(BARRIER, file, line, NULL, "comes to barrier %u of %s again, to which only %u have come", number,
                    in_words(threads, mine), threads_at(b, at));
    else
        return false;
    return true;
}

static bool come(uint32_t number, uint32_t threads, bool aligned, bool waits, simt_barrier_operation operation,
                 bool predicate, const char *file, int line)
{
    block *b = m.block;
    named_barrier *at;
    unsigned i;

    if (is_wrong(b, number, threads, operation, file, line))
        return false;
    at = barrier_of(b, number);
    i = (unsigned)(m.warp - b->warp);
    if (!(b->named >> number & 1)) { /* an earlier block may have ended while threads waited for nobody */
        b->named |= 1u << number;
        memset(at->came, 0, sizeof at->came);
        memset(at->waits, 0, sizeof at->waits);
        at->threads = threads;
        at->aligned = false;
        at->operation = operation;
        at->count = 0;
    }
    if (simt_checking) {
        simt_fence(SIMT_BLOCK);
        simt_hb_atomic(&at->published[at->round % 2], false, true, SIMT_BLOCK);
    }
    at->aligned |= aligned;
    at->count += predicate;
    at->came[i] |= 1u << m.lane;
    if (waits)
        at->waits[i] |= 1u << m.lane;
    at->file = file;
    at->line = line;
    return true;
}

/* Completes the barrier if enough threads came. False: a finding. */
static bool settle(block *b, unsigned number)
{
    named_barrier *at = barrier_of(b, number);
    uint32_t lanes;

    if (!(b->named >> number & 1) || !is_complete(b, at))
        return true;
    if (at->aligned && has_part_of_warp(b, at, &lanes)) {
        simt_report(BARRIER, at->file, at->line, NULL,
                    "barrier %u is complete with lanes 0x%08x of a warp: bar.sync and bar.arrive need all of its lanes",
                    number, lanes);
        return false;
    }
    complete(b, number);
    return true;
}

simt_turn simt_named_sync(uint32_t number, uint32_t threads, int aligned, simt_barrier_operation operation,
                          int predicate, const char *file, uint64_t line)
{
    block *b = m.block;

    if (number == 0 && (threads == SIMT_WHOLE_BLOCK || threads == b->warps * LANES))
        return simt_barrier(operation, predicate, file, line);
    if (!come(number, threads, aligned, true, operation, predicate != 0, file, (int)line))
        return simt_stop_turn(cudaErrorLaunchFailure);
    simt_block_lane(m.warp, 1u << m.lane);
    if (!settle(b, number))
        return simt_stop_turn(cudaErrorLaunchFailure);
    return simt_next();
}

void simt_named_arrive(uint32_t number, uint32_t threads, int aligned, const char *file, uint64_t line)
{
    if (!come(number, threads, aligned, false, SIMT_BARRIER, false, file, (int)line) || !settle(m.block, number))
        simt_stop(cudaErrorLaunchFailure);
}

/* The reduction, from the result of the switch in which the thread waited: at the barrier of the block it is the reduction itself,
 * and the barrier orders by itself. */
uint64_t simt_named_pass(uint64_t result)
{
    const unsigned place = (result & 0xff) - 1;

    if (!(result >> 32))
        return result;
    if (simt_checking) {
        simt_hb_atomic(&barrier_of(m.block, place / 2)->published[place % 2], true, false, SIMT_BLOCK);
        simt_fence(SIMT_BLOCK);
    }
    return (result & 0xffffffff) >> 8;
}

/* A thread of the block has exited: barriers may wait for nobody else. False: a finding. */
bool simt_named_after_exit(block *b)
{
    for (uint32_t left = b->named; left; left &= left - 1)
        if (!settle(b, (unsigned)__builtin_ctz(left)))
            return false;
    return true;
}

/* No thread can run: names a barrier at which one waits. */
bool simt_report_named(const block *b)
{
    char text[32];

    for (unsigned number = 0; number < NAMED; number++) {
        const named_barrier *at = barrier_of(b, number);

        for (unsigned i = 0; b->named >> number & 1 && i < b->warps; i++) {
            if (!at->waits[i])
                continue;
            simt_current = &b->warp[i].threads[__builtin_ctz(at->waits[i])];
            simt_report(BARRIER, at->file, at->line, NULL,
                        "waits at barrier %u of %s, to which only %u have come, and no thread can run", number,
                        in_words(at->threads, text), threads_at(b, at));
            return true;
        }
    }
    return false;
}
