/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Strategies of search=, recorded and replayed schedules, and the digest of a schedule. While one of them is in use, every choice of a
 * thread comes here, and but for the digest every access too. The drawn order takes its choices as it does otherwise.
 */
#include "search.h"

#include "../core/options.h"
#include "../core/shrink.h"
#include "../report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPIN = 32,   /* volatile or atomic accesses in which nothing changes, before others go on: not tuned */
    ACCOUNT = 16 /* such accesses between two looks at whether the launch still gets on (stuck.c) */
};

bool simt_searching;
uint64_t simt_schedule_digest;

static const simt_strategy *const strategies[] = {[SEARCH_WALK] = &simt_walk,
                                                  [SEARCH_PCT] = &simt_pct,
                                                  [SEARCH_POS] = &simt_pos,
                                                  [SEARCH_PLACE] = &simt_place,
                                                  [SEARCH_SURW] = &simt_surw};
static const simt_strategy *strategy; /* NULL: the drawn order, or a replayed one */

static bool every;                   /* every access is an event */
static bool chooses;                 /* the running thread could go on, and another one may */
static bool spins;                   /* nothing has changed for some time */
static bool listed;                  /* a switch of the replayed schedule is due */
static uint64_t leave;               /* m.leave, which is 0 so that all choices come here */
static int64_t accesses;             /* before the drawn order stops a thread at one: simt_attention otherwise */
static int64_t syncs;                /* likewise before it yields: simt_countdown otherwise */
static unsigned idle;                /* volatile and atomic accesses since something changed */
static uint64_t started[MAX_BLOCKS]; /* the blocks that the strategy knows of: numbers + 1 */
static uint64_t launch_number;
static simt_switched due;

static struct {
    uint64_t thread; /* of the grid, + 1 */
    uint32_t events;
    const void *place; /* of the last one that was an access */
} of[SIMT_SLOTS];

/* --- threads of the grid */

static uint64_t block_number(const block *b)
{
    return b->index.x + gridDim.x * (b->index.y + (uint64_t)gridDim.y * b->index.z);
}

static uint64_t number_of(const thread *t)
{
    const block *b = t->warp->block;
    uint64_t size = (uint64_t)blockDim.x * blockDim.y * blockDim.z;

    return block_number(b) * size + simt_slot(t) - simt_slot(b->warp->threads);
}

/* NULL: it is not resident, or cannot run. */
static thread *ready_thread(uint64_t number)
{
    uint64_t size = (uint64_t)blockDim.x * blockDim.y * blockDim.z;

    for (unsigned i = 0; i < m.resident; i++)
        if (m.slots[i].live && block_number(&m.slots[i]) == number / size) {
            thread *t = &m.slots[i].warp->threads[number % size];

            return t->warp->ready >> t->lane & 1 ? t : NULL;
        }
    return NULL;
}

/* Counts an event of the running thread. */
static uint32_t count(const void *place)
{
    unsigned slot = simt_slot(simt_current);
    uint64_t number = number_of(simt_current) + 1;

    if (of[slot].thread != number) { /* another block has begun there */
        of[slot].thread = number;
        of[slot].events = 0;
        of[slot].place = NULL;
    }
    if (place)
        of[slot].place = place;
    return ++of[slot].events;
}

/* The lanes that can run, and those that preempt.c holds: in a replay nobody is held. */
static uint32_t ready_or_held(const warp *w)
{
    uint32_t lanes = *w->ready_word & w->ready_bit ? w->ready : 0;

    for (unsigned i = 0; i < m.preempt.held; i++)
        if (m.preempt.thread[i]->warp == w)
            lanes |= 1u << m.preempt.thread[i]->lane;
    return lanes;
}

/* The next one in the order of a schedule without switches, if the running one does not go on. */
static thread *in_turn(void)
{
    const thread *self = simt_current;
    uint64_t warps[WARP_WORDS] = {m.ready[0], m.ready[1]};
    const warp *w = self->warp;

    for (unsigned i = 0; i < m.preempt.held; i++)
        warps[m.preempt.thread[i]->warp->number / 64] |= m.preempt.thread[i]->warp->ready_bit;
    if (!ready_or_held(w))
        w = &m.warps[simt_warp_in_turn(warps, w->number)];
    else if (spins && !(ready_or_held(w) >> self->lane >> 1)) /* it is the last of its warp */
        w = &m.warps[simt_warp_in_turn(warps, w->number + 1)];
    return &w->threads[simt_in_turn(ready_or_held(w), w == self->warp ? self->lane + 1 : 0)];
}

/* --- recording and replaying */

static uint64_t *table; /* hash table of the replayed switches: indices + 1 */
static uint64_t table_mask;

static uint64_t hash(uint64_t launch, uint64_t number, uint32_t event)
{
    return simt_mix(simt_mix(launch ^ number << 20) ^ event);
}

static void make_table(void)
{
    for (table_mask = 64; table_mask < 2 * simt_replayed_count; table_mask *= 2)
        continue;
    table = calloc(table_mask--, sizeof *table);
    if (!table) {
        fputs("simt: no memory to replay a schedule\n", stderr);
        exit(2);
    }
    for (uint64_t i = 0; i < simt_replayed_count; i++) {
        const simt_switched *s = &simt_replayed[i];
        uint64_t at = hash(s->launch, s->thread, s->event);

        while (table[at & table_mask])
            at++;
        table[at & table_mask] = i + 1;
    }
}

/* Is there a switch at this event of the running thread? Then it is due. */
static bool find(uint32_t event)
{
    uint64_t number = number_of(simt_current), at = hash(launch_number, number, event);

    for (; table[at & table_mask]; at++) {
        const simt_switched *s = &simt_replayed[table[at & table_mask] - 1];

        if (s->launch == launch_number && s->thread == number && s->event == event) {
            due = *s;
            return true;
        }
    }
    return false;
}

static void record(const thread *next)
{
    unsigned slot = simt_slot(simt_current);

    if (simt_shrink->recorded < SIMT_SWITCHES)
        simt_shrink->switches[simt_shrink->recorded] =
            (simt_switched){number_of(simt_current), number_of(next), (uint32_t)launch_number, of[slot].events};
    simt_shrink->recorded++;
}

static void add_thread(char *text, size_t size, const thread *t)
{
    uint3 b = t->warp->block->index, i = t->index;
    size_t length = strlen(text);

    snprintf(text + length, size - length, "block (%u,%u,%u) thread (%u,%u,%u)", b.x, b.y, b.z, i.x, i.y, i.z);
}

static void say(const thread *next, bool waits)
{
    const thread *self = simt_current;
    char line[SIMT_SWITCH_TEXT], *text = line;
    const size_t size = sizeof line;

    if (simt_shrink && simt_shrink->saying == SIMT_SWITCHES_SAID)
        return;
    if (simt_shrink)
        text = simt_shrink->said[simt_shrink->saying++];
    snprintf(text, size, "kernel %.100s: ", m.request->name);
    add_thread(text, size, self);
    snprintf(text + strlen(text), size - strlen(text), waits ? " waits or ends" : " stops before an access");
    if (!waits)
        simt_add_line(text, size, of[simt_slot(self)].place);
    snprintf(text + strlen(text), size - strlen(text), "; ");
    add_thread(text, size, next);
    if (of[simt_slot(next)].thread != number_of(next) + 1) {
        snprintf(text + strlen(text), size - strlen(text), " begins");
    } else {
        snprintf(text + strlen(text), size - strlen(text), " goes on");
        simt_add_line(text, size, of[simt_slot(next)].place);
    }
    if (!simt_shrink)
        fprintf(stderr, "simt:   %s\n", text);
}

/* --- events */

simt_stopping simt_search_stops(uintptr_t address, bool write, const void *place)
{
    uint32_t event;

    if (!every)
        return SIMT_AS_DRAWN;
    event = count(place);
    spins = false;
    if (!strategy && !simt_replayed)
        return --accesses < 0 ? SIMT_AS_DRAWN : SIMT_STAYS;
    if (simt_replayed)
        chooses = listed = find(event);
    else
        chooses = !simt_on_stacks(address) && strategy->stops(SIMT_AT_ACCESS, address, write);
    return chooses ? SIMT_STOPS : SIMT_STAYS;
}

bool simt_search_looks_at_each(void)
{
    return every && accesses >= 0;
}

int simt_search_distance(int drawn)
{
    accesses = drawn;
    return every ? 0 : drawn;
}

bool simt_search_holds_nobody(void)
{
    return strategy || simt_replayed;
}

/* Has preempt.c just stopped the running thread? */
static bool is_held(const thread *self)
{
    return m.preempt.held && m.preempt.thread[m.preempt.held - 1] == self;
}

/* Something has changed since the last call if m.polls is 0. */
static bool nothing_changes(void)
{
    if (m.polls == 0) {
        idle = 0;
        simt_search_changes++;
    }
    m.polls += m.polls == 0;
    if (++idle < SPIN)
        return false;
    idle = 0;
    return true;
}

bool simt_search_yields(const void *place, bool pauses)
{
    uint32_t event;

    if (!every)
        return true;
    event = count(place);
    simt_search_place = place;
    spins = nothing_changes() || pauses;
    listed = false;
    if (simt_replayed) {
        listed = find(event);
        chooses = listed || spins;
    } else if (strategy) {
        chooses = strategy->stops(spins ? SIMT_AT_SPIN : SIMT_AT_SYNC, 0, false);
    } else {
        chooses = syncs <= 0 || pauses;
    }
    if (--syncs < 0 || chooses || pauses)
        return true;
    if (simt_recording && spins)
        record(simt_current);
    simt_countdown = 0;
    return false;
}

void simt_search_counts(void)
{
    if (!every)
        return;
    syncs = strategy || simt_replayed ? ACCOUNT - 1 : simt_countdown;
    simt_countdown = 0;
}

uint64_t simt_search_leave(uint64_t bits)
{
    return bits ? bits : leave;
}

/* --- choices */

static void tell_of_blocks(void)
{
    for (unsigned i = 0; i < m.resident; i++) {
        uint64_t number = block_number(&m.slots[i]) + 1;

        if (m.slots[i].live && started[i] != number)
            strategy->starts(&m.slots[i]);
        started[i] = number;
    }
}

static thread *choose(thread *drawn)
{
    thread *self = simt_current, *by_default, *next = drawn;
    bool begins =
        of[simt_slot(self)].thread != number_of(self) + 1; /* it has ended, and one of another block is there */
    bool waits = begins || (!is_held(self) && !(self->warp->ready >> self->lane & 1));

    if (waits) {
        uint32_t event = count(NULL);

        listed = simt_replayed && find(event);
        chooses = true;
        spins = false;
    }
    by_default = waits || spins ? in_turn() : self;
    if (simt_replayed) {
        thread *wanted = listed ? ready_thread(due.next) : NULL;

        next = wanted ? wanted : by_default;
        if (wanted)
            say(wanted, waits);
    } else if (strategy) {
        tell_of_blocks();
        next = chooses ? strategy->next() : self;
    }
    if (simt_recording && next != by_default)
        record(next);
    chooses = listed = spins = false;
    return next;
}

thread *simt_search_choose(thread *drawn)
{
    thread *next = every ? choose(drawn) : drawn;

    /* Threads that are resident have the same place in every run, wherever the memory of the process is. */
    if (simt_options.digest)
        simt_schedule_digest = simt_mix(simt_schedule_digest ^ simt_slot(next) ^ m.clock << 16);
    if (*simt_options.html)
        simt_note_turn(next);
    return next;
}

/* What mixed draws from: the four that found nine of ten bugs in the fewest runs before there was place (docs/MEASUREMENTS.md). */
static const struct {
    simt_search_strategy search;
    unsigned depth;
} mixture[] = {{SEARCH_WALK, 0}, {SEARCH_PCT, 4}, {SEARCH_POS, 0}, {SEARCH_SURW, 0}};

void simt_search_launch(uint64_t launch)
{
    simt_search_strategy search = simt_options.search;
    unsigned depth = (unsigned)simt_options.depth;

    if (search == SEARCH_MIXED) {
        unsigned i = simt_mix(simt_current_seed ^ 0x6d) % (sizeof mixture / sizeof *mixture); /* 0x6d: any number */

        search = mixture[i].search;
        depth = mixture[i].depth;
    }
    strategy = simt_replayed ? NULL : strategies[search];
    every = strategy || simt_replayed || simt_recording;
    simt_searching = every || simt_options.digest || *simt_options.html;
    if (simt_replayed && !table)
        make_table();
    if (!simt_searching)
        return;
    leave = m.leave;
    m.leave = 0;
    launch_number = launch;
    if (!every)
        return;
    memset(of, 0, (m.resident * m.warps_each > MAX_WARPS ? CLUSTER_WARPS : MAX_WARPS) * LANES * sizeof *of);
    chooses = listed = spins = false;
    idle = 0;
    memset(started, 0, sizeof started);
    accesses = strategy || simt_replayed ? 0 : -1;
    if (strategy || simt_replayed) {
        m.sequential = false;
        m.preempt.left = 0;
        m.countdown = ACCOUNT;
    }
    simt_search_counts();
    if (strategy)
        strategy->begin(simt_mix(m.preempt.random), depth);
}
