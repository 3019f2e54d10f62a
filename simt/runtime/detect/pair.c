/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The finding of two accesses that race, once for each pair of places in the code and launch. Whether two writes store the same
 * value is known only when the second one is done.
 */
#include "pair.h"
#include "happens_before.h"
#include "origin.h"

#include "../core/options.h"

#include <string.h>

enum {
    REPORTED = 64 /* pairs of places in the code that a launch reports at most; finding.c keeps as many findings */
};

static struct {
    const void *a, *b;
} reported[REPORTED]; /* in this launch: the two places in the code, the lower address first */

void simt_pairs_launch(void)
{
    memset(reported, 0, sizeof reported);
}

static const char *name_of(unsigned kind)
{
    switch (kind & (SIMT_IS_WRITE | SIMT_IS_ATOMIC | SIMT_IS_VOLATILE)) {
    case 0:
        return "read";
    case SIMT_IS_WRITE:
        return "write";
    case SIMT_IS_ATOMIC | SIMT_IS_VOLATILE:
        return "volatile read";
    case SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | SIMT_IS_WRITE:
        return "volatile write";
    default:
        return "atomic access";
    }
}

static bool is_new_pair(const void *a, const void *b)
{
    const void *low = a < b ? a : b, *high = a < b ? b : a;
    unsigned i = 0;

    for (; i < REPORTED && reported[i].a; i++)
        if (reported[i].a == low && reported[i].b == high)
            return false;
    if (i == REPORTED)
        return false;
    reported[i].a = low;
    reported[i].b = high;
    return true;
}

static bool is_store(unsigned kind)
{
    return kind & SIMT_IS_WRITE && (!(kind & SIMT_IS_ATOMIC) || kind & SIMT_IS_VOLATILE);
}

/* Pairs of writes whose second one follows. Whether both write the same value is known at the next access. */
static simt_pair pending[ALL_CELLS * 4]; /* a write of 16 bytes can race with as many recorded ones */
static unsigned pending_count;

static char *report(const simt_pair *p, bool note)
{
    uint3 b = p->other_block, t = p->other_thread;
    char what[256];

    simt_describe_element(p->address, p->size, what, sizeof what);
    return simt_report_spot(
        RACE,
        &(simt_spot){.place = p->place,
                     .other = p->other,
                     .other_block = b,
                     .other_thread = t,
                     .address = what,
                     .object = p->address,
                     .note = note},
        "%s of %zu byte%s %s %s and %s%s by block (%u,%u,%u) thread (%u,%u,%u) are not ordered%s", name_of(p->kind),
        p->size, p->size == 1 ? "" : "s", p->kind & SIMT_IS_WRITE ? "to" : "from", what,
        (p->kind | p->other_kind) & SIMT_IS_BLOCK_SCOPE && p->kind & p->other_kind & SIMT_IS_ATOMIC ? "narrow-scope "
                                                                                                    : "",
        name_of(p->other_kind), b.x, b.y, b.z, t.x, t.y, t.z, note ? "; an atomicCAS compares what was read" : "");
}

/* The same when another thread may be running, or none. */
static void report_late(const simt_pair *p, bool note)
{
    static block in;
    static warp of;
    static thread by;
    thread *running = simt_current;

    in.index = p->in_block;
    of.block = &in;
    by.index = p->by_thread;
    by.warp = &of;
    simt_current = &by;
    report(p, note);
    simt_current = running;
}

void simt_pair_late(const simt_pair *p, bool note)
{
    if (note || is_new_pair(p->place, p->other))
        report_late(p, note);
}

void simt_race_settle(void)
{
    for (unsigned i = 0; i < pending_count; i++) {
        simt_pair *p = &pending[i];
        bool same = memcmp(p->before, (const void *)p->address, p->size) == 0;

        if (p->text && same)
            strcat(p->text, ", both of the same value");
        else if (!p->text && !same && is_new_pair(p->place, p->other))
            report_late(p, false);
    }
    pending_count = 0;
}

simt_pair simt_pair_of(simt_cell word, uintptr_t address, size_t size, unsigned kind, const void *place, unsigned bytes)
{
    const slot *r = &simt_slots[simt_warp_clocks[thread_of(word) / LANES].slot];
    unsigned unit = thread_of(word) - r->first_thread;
    const dim3 *d = &m.request->block;
    return (simt_pair){.place = place,
                       .other = simt_origin_place(word, bytes),
                       .in_block = simt_current->warp->block->index,
                       .by_thread = simt_current->index,
                       .other_block = simt_block_index(simt_block_at(r, clock_of(word))),
                       .other_thread = {unit % d->x, unit / d->x % d->y, unit / d->x / d->y},
                       .address = address,
                       .size = size,
                       .kind = kind,
                       .other_kind = kind_of(word)};
}

/* Reports the race, once for each pair of places in the code. */
void simt_pair_report(simt_pair *p)
{
    bool stores = is_store(p->kind) && is_store(p->other_kind) && p->size <= sizeof p->before;

    if (!(stores && simt_options.ignore_same_value)) {
        if (!is_new_pair(p->place, p->other))
            return;
        p->text = report(p, false);
        if (!p->text)
            return;
    }
    if (!stores || pending_count == sizeof pending / sizeof *pending)
        return;
    memcpy(p->before, (const void *)p->address, p->size);
    pending[pending_count++] = *p;
    simt_settle_later();
}
