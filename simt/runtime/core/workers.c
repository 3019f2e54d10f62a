/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the workers of a launch tell each other: which blocks are taken, and who only polls.
 */
#include "workers.h"

#include <stdio.h>
#include <stdlib.h>

simt_workers_state simt_workers = {.count = 1};

enum {
    SHARES =
        4, /* of the blocks that are left, each worker takes one of so many: the last ones end at about the same time */
    MAX_SHARE = 64 /* clusters: with small blocks, one in 64 takes the word that all workers write */
};

static bool take_share(void)
{
    uint64_t next = __atomic_load_n(&simt_workers.next_block, __ATOMIC_RELAXED), share;

    if (!simt_in_parallel() || next >= m.blocks)
        return false;
    if (simt_workers.wake)
        simt_workers.wake(false);
    share = (m.blocks - next) / m.cluster_blocks / (SHARES * simt_workers.count);
    m.share = __atomic_load_n(&simt_workers.polls, __ATOMIC_RELAXED) ? 1
              : m.share < MAX_SHARE                                  ? 2 * m.share
                                                                     : MAX_SHARE; /* first 2: has it polled by then? */
    share = (share < 1 ? 1 : share > m.share ? m.share : share) * m.cluster_blocks;
    next = __atomic_fetch_add(&simt_workers.next_block, share, __ATOMIC_RELAXED);
    if (next >= m.blocks)
        return false;
    m.next_block = next;
    m.end_block = next + share < m.blocks ? next + share : m.blocks;
    return true;
}

bool simt_take_cluster(uint64_t *first)
{
    if (__atomic_load_n(&simt_workers.stopped, __ATOMIC_RELAXED) || (m.next_block == m.end_block && !take_share()))
        return false;
    *first = m.next_block;
    m.next_block += m.cluster_blocks;
    return true;
}

uint64_t simt_not_started(void)
{
    uint64_t next = __atomic_load_n(&simt_workers.next_block, __ATOMIC_RELAXED);

    return m.end_block - m.next_block + (simt_in_parallel() && next < m.blocks ? m.blocks - next : 0);
}

/* A worker calls this again and again while its threads poll. It is quiet when it has changed nothing between two calls. The others may
 * help until each of them has left the launch, or was quiet twice since this one was: then none has anything to say. */
bool simt_others_may_help(void)
{
    const uint64_t since = m.clock - m.polls;
    bool first = since != m.quiet.since || !m.quiet.times;

    m.quiet.since = since;
    __atomic_store_n(&m.quiet.times, first ? 1 : m.quiet.times + 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&m.quiet.calls, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < simt_workers.count; i++) {
        const machine *other = simt_workers.worker[i];
        uint64_t calls;

        if (!other || other == &m)
            continue;
        calls = __atomic_load_n(&other->quiet.calls, __ATOMIC_ACQUIRE);
        if (first)
            m.quiet.seen[i] = calls;
        if (__atomic_load_n(&other->takes_part, __ATOMIC_ACQUIRE) &&
            (calls < m.quiet.seen[i] + 2 || __atomic_load_n(&other->quiet.times, __ATOMIC_ACQUIRE) < 2))
            first = true;
    }
    return first;
}

bool simt_is_suspended_elsewhere(void)
{
    for (unsigned i = 0; i < simt_workers.count; i++)
        if (simt_workers.worker[i] && simt_workers.worker[i] != &m &&
            __atomic_load_n(&simt_workers.worker[i]->suspended, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

void *simt_of_worker(void *all[SIMT_WORKERS], size_t size)
{
    if (!all[m.worker])
        all[m.worker] = calloc(1, size);
    if (!all[m.worker]) {
        fputs("simt: no memory for another worker\n", stderr);
        exit(1);
    }
    return all[m.worker];
}
