/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The clocks of streams and of the host, and the launches that are remembered.
 */
#include "actor.h"

#include "../core/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

simt_cell simt_alive, simt_ordered, simt_fresh, simt_launch_first;
uintptr_t simt_local;
bool simt_unordered_streams;
bool simt_in_flight;
simt_launched *simt_this_launch;
simt_node_name simt_issuing;

static struct {
    simt_moment knows;
    bool exists, blocking, per_thread;
    unsigned number; /* in the order of creation, from 1 */
} actors[SIMT_ACTORS] = {[SIMT_LEGACY] = {.exists = true, .blocking = true}};
static unsigned actors_used = 1, created;
static simt_moment host;
static bool legacy_used; /* it has had an operation for which the host did not wait at once */

static simt_launched launched[SIMT_LAUNCHES];
static uint64_t launched_first, launched_past; /* numbers of the oldest that is remembered, and of the next */

static void join(simt_moment *restrict to, const simt_moment *restrict from)
{
    for (unsigned i = 0; i < actors_used; i++)
        to->known[i] = to->known[i] < from->known[i] ? from->known[i] : to->known[i];
}

static void host_learns(const simt_moment *of)
{
    join(&host, of);
    simt_pages_stale = true;
}

/* --- actors */

/* Streams are unordered if two were created, or one that does not wait for the legacy stream where that one is used too. */
static void look_for_unordered(void)
{
    unsigned streams = 0, independent = 0;

    for (unsigned i = 1; i < actors_used; i++) {
        streams += actors[i].exists;
        independent += actors[i].exists && !actors[i].blocking;
    }
    simt_unordered_streams |= streams > 1 || (independent && legacy_used);
}

unsigned simt_actor_new(simt_actor_kind kind)
{
    unsigned actor = actors_used;

    if (actor == SIMT_ACTORS)
        for (actor = 1; actor < SIMT_ACTORS - 1 && actors[actor].exists; actor++)
            continue;
    else
        actors_used++;
    actors[actor].exists = true;
    actors[actor].blocking = kind == SIMT_BLOCKING || kind == SIMT_PER_THREAD;
    actors[actor].per_thread = kind == SIMT_PER_THREAD;
    actors[actor].number = kind == SIMT_PER_THREAD || kind == SIMT_OF_GRAPH ? 0 : ++created;
    look_for_unordered();
    return actor;
}

void simt_actor_end(unsigned actor)
{
    actors[actor].exists = false;
}

const char *simt_operation_name(unsigned actor, simt_node_name node, char *text, size_t size)
{
    if (node.graph) {
        snprintf(text, size, "node %u of graph %u", node.node, node.graph);
        return text;
    }
    if (actor == SIMT_LEGACY)
        return "the default stream";
    if (actors[actor].per_thread)
        return "the per-thread default stream";
    if (!actors[actor].number)
        return "a stream of the device";
    snprintf(text, size, "stream %u", actors[actor].number);
    return text;
}

/* What comes next in the stream also happens after what the host knows, and after the legacy stream or all blocking ones. */
static void enter(unsigned actor)
{
    simt_moment *knows = &actors[actor].knows;

    join(knows, &host);
    if (actor != SIMT_LEGACY && actors[actor].blocking)
        join(knows, &actors[SIMT_LEGACY].knows);
    for (unsigned i = 1; actor == SIMT_LEGACY && i < actors_used; i++)
        if (actors[i].blocking)
            join(knows, &actors[i].knows);
}

const simt_moment *simt_issue(unsigned actor, bool waits)
{
    enter(actor);
    actors[actor].knows.known[actor]++;
    simt_in_flight |= !waits;
    if (waits)
        host_learns(&actors[actor].knows);
    if (actor == SIMT_LEGACY && !legacy_used) {
        legacy_used = true;
        look_for_unordered();
    }
    return &actors[actor].knows;
}

void simt_actor_moment(unsigned actor, simt_moment *now)
{
    enter(actor);
    *now = actors[actor].knows;
}

void simt_actor_waits(unsigned actor, const simt_moment *event)
{
    join(&actors[actor].knows, event);
}

void simt_host_waits(const simt_moment *event)
{
    host_learns(event);
}

void simt_host_waits_for(unsigned actor)
{
    enter(actor);
    host_learns(&actors[actor].knows);
}

void simt_host_waits_for_all(void)
{
    for (unsigned i = 0; i < actors_used; i++)
        host_learns(&actors[i].knows);
}

bool simt_is_known(const simt_moment *by, unsigned actor, const simt_moment *operation)
{
    return operation->known[actor] <= by->known[actor];
}

bool simt_host_knows(unsigned actor, const simt_moment *operation)
{
    return simt_is_known(&host, actor, operation);
}

/* --- a function of the host that is a node of a graph */

static SIMT_THREAD_LOCAL struct {
    bool runs;
    simt_moment knows;
} function;

void simt_function_waits_for(unsigned actor)
{
    simt_actor_moment(actor, &function.knows);
    function.runs = true;
}

void simt_function_ends(void)
{
    function.runs = false;
}

bool simt_function_knows(unsigned actor, const simt_moment *operation)
{
    return function.runs && simt_is_known(&function.knows, actor, operation);
}

/* --- launches */

/* The object that has the text may be unloaded. Not snprintf, which would be 1% of a small launch. */
static void copy_text(char to[SIMT_TEXT], const char *from)
{
    size_t length = strnlen(from, SIMT_TEXT - 1);

    memcpy(to, from, length);
    to[length] = 0;
}

/* The launch that is the last operation of the stream; NULL: none is. */
static const simt_launched *last_in(unsigned actor)
{
    for (uint64_t i = launched_past; i > launched_first; i--) {
        const simt_launched *l = &launched[(i - 1) % SIMT_LAUNCHES];

        if (l->actor == actor && l->before.known[actor] == actors[actor].knows.known[actor])
            return l;
    }
    return NULL;
}

struct simt_fork *simt_fork_copy(const struct simt_fork *fork)
{
    struct simt_fork *copy = fork ? malloc(sizeof *copy) : NULL;

    if (copy) {
        *copy = *fork;
        copy->imports = fork->imports ? simt_clock_share(fork->imports) : NULL;
    }
    return copy;
}

void simt_fork_drop(struct simt_fork *fork)
{
    if (fork)
        simt_clock_drop(&fork->imports);
    free(fork);
}

simt_launched *simt_launched_new(unsigned actor, const simt_launch_request *request)
{
    simt_launched *l = &launched[launched_past % SIMT_LAUNCHES];
    const simt_launched *previous;

    if (!simt_cells)
        return NULL;
    if (++launched_past - launched_first > SIMT_LAUNCHES)
        launched_first++;
    previous = request->programmatic ? last_in(actor) : NULL;
    l->before = *simt_issue(actor, false);
    l->programmatic = previous && previous != l;
    if (l->programmatic) {
        l->early = previous->before;
        l->early.known[actor]--;
    }
    simt_fork_drop(l->fork);
    l->fork = NULL;
    l->parent = 0;
    l->whole = false;
    l->number = launched_past;
    l->actor = actor;
    l->node = simt_issuing;
    l->clock = 0;
    l->told = l->speaks = false;
    copy_text(l->name, request->name);
    copy_text(l->file, request->file);
    l->line = request->line;
    l->grid = request->grid;
    l->block = request->block;
    l->cluster = (dim3){1, 1, 1}; /* until it begins */
    return l;
}

void simt_launched_begin(simt_launched *launch)
{
    simt_this_launch = launch;
}

void simt_launch_speaks(void)
{
    if (simt_this_launch)
        simt_this_launch->speaks = true;
}

void simt_launched_tells(void)
{
    if (!simt_this_launch || simt_this_launch->told)
        return;
    simt_this_launch->told = true;
    host_learns(&simt_this_launch->before);
}

const simt_launched *simt_launched_beside(const simt_moment *operation)
{
    for (uint64_t i = launched_first; i < launched_past; i++) {
        const simt_launched *l = &launched[i % SIMT_LAUNCHES];

        if (l->clock && !simt_is_known(&host, l->actor, &l->before) &&
            !(operation && simt_is_known(operation, l->actor, &l->before)))
            return l;
    }
    return NULL;
}

static bool waited[MAX_BLOCKS]; /* some thread of each slot's block has waited for the kernel before */

void simt_wait_for_launch(void)
{
    waited[m.block - m.slots] = true;
}

void simt_launched_block(const block *b)
{
    waited[b - m.slots] = false;
}

const simt_launched *simt_launched_numbered(uint64_t number)
{
    const simt_launched *l = number ? &launched[(number - 1) % SIMT_LAUNCHES] : NULL;

    return l && l->number == number ? l : NULL;
}

void simt_launched_forked(simt_launched *launch, const simt_launched *parent, struct simt_fork *fork)
{
    if (!launch) {
        simt_fork_drop(fork);
        return;
    }
    launch->parent = parent ? parent->number : 0;
    launch->fork = fork;
}

uint64_t simt_launched_number(void)
{
    return simt_this_launch ? simt_this_launch->number : 0;
}

void simt_launched_child_of(simt_launched *launch, uint64_t parent, const struct simt_fork *fork)
{
    if (!launch)
        return;
    launch->parent = parent;
    launch->fork = simt_fork_copy(fork);
}

void simt_launched_forked_as(simt_launched *launch, const simt_launched *parent)
{
    if (launch && parent)
        launch->parent = parent->number;
    if (launch)
        launch->whole = true;
}

void simt_moment_join(simt_moment *to, unsigned actor)
{
    join(to, &actors[actor].knows);
}

void simt_nested_launches(void)
{
    simt_unordered_streams = true;
}

const simt_launched *simt_child_of(const simt_launched *l)
{
    for (const simt_launched *x = simt_this_launch, *p; x && x->parent; x = p) {
        p = simt_launched_numbered(x->parent);
        if (p == l)
            return x->whole ? NULL : x;
    }
    return NULL;
}

bool simt_launched_ordered(const simt_launched *l)
{
    const simt_launched *this = simt_this_launch;

    if (!this)
        return true;
    if (this->parent && simt_child_of(l))
        return false;
    if (this->programmatic && !(m.block && waited[m.block - m.slots]))
        return simt_is_known(&this->early, l->actor, &l->before);
    return simt_is_known(&this->before, l->actor, &l->before);
}

void simt_launched_start(uint32_t clock)
{
    simt_launched *this = simt_this_launch;

    simt_alive = simt_ordered = simt_fresh = simt_launch_first = after(clock);
    simt_local = m.blocks == 1 && !simt_unordered_streams && !(this && this->programmatic) ? UINTPTR_MAX
                 : m.cluster_blocks == 1 ? (uintptr_t)SIMT_SHARED_WORDS * GRANULE
                                         : 0;
    if (!this)
        return;
    while (launched_first + 1 < launched_past) { /* what the host knows, all that follows knows */
        const simt_launched *l = &launched[launched_first % SIMT_LAUNCHES];

        if (l == this || !simt_is_known(&host, l->actor, &l->before))
            break;
        launched_first++;
    }
    this->clock = clock;
    this->first = m.first;
    this->stride = m.stride;
    this->blocks = m.blocks;
    this->warps_each = m.warps_each;
    this->cluster = m.cluster;
    if (!simt_unordered_streams && !simt_host_shares && !this->programmatic)
        return;
    for (uint64_t i = launched_first; i < launched_past; i++) {
        const simt_launched *l = &launched[i % SIMT_LAUNCHES];

        if (!simt_unordered_streams && !this->programmatic &&
            simt_alive < simt_ordered) /* all are ordered, and the first one is the oldest */
            return;
        if (!l->clock || simt_is_known(&host, l->actor, &l->before))
            continue;
        if (after(l->clock) < simt_alive) {
            simt_alive = after(l->clock);
            simt_fresh = 1;
        }
        if (!simt_launched_ordered(l)) {
            simt_ordered = after(l->clock);
            return;
        }
    }
}

void simt_launched_forget(uint32_t clock)
{
    for (unsigned i = 0; i < SIMT_LAUNCHES; i++)
        launched[i].clock = 0;
    simt_alive = simt_ordered = simt_fresh = simt_launch_first = after(clock);
    if (simt_this_launch)
        simt_this_launch->clock = clock;
}

const simt_launched *simt_launched_at(uint32_t clock)
{
    for (uint64_t i = launched_past; i > launched_first; i--) {
        const simt_launched *l = &launched[(i - 1) % SIMT_LAUNCHES];

        if (l->clock && l->clock < clock)
            return l;
    }
    return NULL;
}
