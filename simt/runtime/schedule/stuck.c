/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What happens when threads run but only poll: they read volatile or atomic values again and again, and change none.
 *
 *   after 2^16 accesses     if memory that the host sees is polled, the launch goes back to the host, and goes on when the
 *                           host synchronises (deferred.c)
 *   after simt_options.hang blocks that have not started become resident, as many as fit. If one of them then writes what
 *                           was polled, the program relies on residency; that is a finding, and the launch goes on.
 *   after a quarter more    a hang, if every thread comes back to the same state again and again (recur.c); a loop that counts may
 *                           end by itself, and is a hang after 2^6 times as many
 *
 * These are counts of accesses, not times, so a run can be repeated. On several workers the second and third begin when no other
 * worker can change what is polled.
 */
#include "schedule.h"

#include "../core/options.h"
#include "../core/lock.h"
#include "../core/upcalls.h"
#include "../core/workers.h"
#include "../memory/memory.h"

#include <stdio.h>

enum {
    PATIENCE = 1 << 16, /* accesses before the host may go on; not tuned: 1 to 5 ms */
    BOUNDED = 6         /* log2: loops of 2^30 accesses may end by themselves. Twice as many are a minute more */
};

void simt_be_patient(void)
{
    m.polls = m.steps = m.warp_steps = 0;
    m.patience = simt_options.hang < PATIENCE ? simt_options.hang : PATIENCE;
}

/* For some time nothing has changed: is this memory that the host sees? */
void simt_notice_poll(uintptr_t address)
{
    SIMT_CALL;
    const allocation *a = simt_allocation_at(address);

    if (a && !a->freed && (a->kind == HOST_MEMORY || a->kind == MANAGED_MEMORY)) {
        m.poll.host_clock = m.clock;
        m.poll.of_host = true;
    }
}

static bool host_is_awaited(void)
{
    return m.poll.of_host && m.clock - m.poll.host_clock < m.polls;
}

static void block_name(const block *b, char *text, size_t size)
{
    if (m.request->grid.y == 1 && m.request->grid.z == 1)
        snprintf(text, size, "%u", b->index.x);
    else
        snprintf(text, size, "(%u,%u,%u)", b->index.x, b->index.y, b->index.z);
}

/* As a finding of the thread that polled last. */
void simt_report_hang(const void *place)
{
    thread *self = simt_current;
    char what[256] = "", polls[300] = "", waits[200] = "", missing[128] = "";

    if (m.poll.self) {
        simt_describe_element(m.poll.address, m.poll.size, what, sizeof what);
        snprintf(polls, sizeof polls, "; it polls %s", what);
        simt_up.describe_wait(m.poll.address, waits, sizeof waits);
        place = m.poll.place;
        simt_current = m.poll.self;
    }
    if (simt_not_started())
        snprintf(missing, sizeof missing,
                 "; %llu blocks have not started, and only a cooperative launch promises that all run at once",
                 (unsigned long long)simt_not_started());
    simt_report_spot(HANG, &(simt_spot){.place = place, .address = what, .object = m.poll.self ? m.poll.address : 0},
                     "no progress: no thread has changed anything that others read for %llu accesses%s%s%s",
                     (unsigned long long)(m.polls > simt_options.hang ? m.polls : m.steps), polls, waits, missing);
    simt_current = self;
}

/* The polled word is written for the first time since more blocks were started. */
void simt_awaited_is_written(void)
{
    thread *self = simt_current;
    const block *writer = self->warp->block, *waiting = m.awaited.self->warp->block;
    char what[256], one[48], other[48];

    if (writer->warp[0].number / m.warps_each >= m.awaited.residents) {
        simt_describe_element(m.awaited.address, m.awaited.size, what, sizeof what);
        block_name(waiting, one, sizeof one);
        block_name(writer, other, sizeof other);
        simt_current = m.awaited.self;
        simt_report_spot(HANG, &(simt_spot){.place = m.awaited.place, .address = what, .object = m.awaited.address},
                         "block %s waits for block %s, which has not started; only a cooperative launch promises that; "
                         "it polls %s",
                         one, other, what);
        simt_current = self;
    }
    m.awaited.address = 0;
}

/* Makes missing blocks resident. True: there were some, and at least one fitted. */
bool simt_try_more_blocks(void)
{
    unsigned before = m.resident;

    if (!simt_up.start_missing_blocks())
        return false;
    if (m.poll.self)
        m.awaited = (struct awaited){m.poll.address, m.poll.size, m.poll.place, m.poll.self, before};
    return true;
}

/* Called in a yield, after so many accesses that changed nothing. No next thread: the launch goes on. */
simt_turn simt_stuck(const void *place)
{
    bool too_many_steps = m.steps > simt_options.hang << 8;

    if (simt_workers.wake) {
        simt_workers.wake(true);
        m.patience = m.polls + PATIENCE;
        return (simt_turn){NULL, NULL};
    }
    if (!too_many_steps && host_is_awaited())
        return simt_suspend();
    if (simt_in_parallel() && simt_others_may_help()) {
        if (simt_is_suspended_elsewhere())
            return simt_suspend();
        m.steps = 0;
        m.patience = m.polls + PATIENCE;
        return (simt_turn){NULL, NULL};
    }
    if (!too_many_steps && m.polls <= simt_options.hang) {
        m.patience = simt_options.hang;
        return (simt_turn){NULL, NULL};
    }
    if (!too_many_steps && simt_try_more_blocks()) {
        m.polls = m.patience - m.patience / 4;
        return (simt_turn){NULL, NULL};
    }
    if (!too_many_steps && m.polls >> BOUNDED <= simt_options.hang)
        switch (simt_recurs(place)) {
        case SIMT_RECURS:
            break;
        case SIMT_GOES_ON:
            m.patience = 2 * m.polls;
            return (simt_turn){NULL, NULL};
        case SIMT_UNDECIDED:
            return (simt_turn){NULL, NULL};
        }
    simt_report_hang(place);
    return simt_stop_turn(cudaErrorLaunchTimeout);
}
