/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The finding of two accesses that race, once for each pair of places in the code and launch. Whether two writes store the same
 * value is known only when the second one is done.
 */
#include "pair.h"
#include "happens_before.h"
#include "origin.h"

#include "../core/options.h"

#include <stdio.h>
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

void simt_launched_thread(const simt_launched *l, simt_cell word, uint3 *in_block, uint3 *by)
{
    unsigned each = l->warps_each * LANES, place = thread_of(word) / each, unit = thread_of(word) % each;
    uint64_t number = simt_block_at(&simt_slots[place], clock_of(word));

    *in_block = simt_index_of(number, l->blocks, l->first, l->stride, l->grid, l->cluster);
    *by = (uint3){unit % l->block.x, unit / l->block.x % l->block.y, unit / l->block.x / l->block.y};
}

/* Pairs of writes whose second one follows. Whether both write the same value is known at the next access. */
static simt_pair pending[ALL_CELLS * 4]; /* a write of 16 bytes can race with as many recorded ones */
static unsigned pending_count;

enum { LAUNCH_TEXT = 3 * SIMT_TEXT + 100 };

/* What is said of a recorded access of another launch. */
static void describe_launches(const simt_launched *l, char *text, char *missing)
{
    const simt_launched *this = simt_this_launch;
    char name[40];

    text[0] = missing[0] = 0;
    if (!l)
        return;
    snprintf(text, LAUNCH_TEXT, " of kernel %s, launched at %s:%d in %s,", l->name, l->file, l->line,
             simt_operation_name(l->actor, l->node, name, sizeof name));
    if (this->programmatic && l->actor == this->actor) {
        snprintf(missing, LAUNCH_TEXT, ": no griddepcontrol.wait of %s, launched at %s:%d, stands before the access",
                 this->name, this->file, this->line);
        return;
    }
    if (this->parent == l->number) {
        snprintf(missing, LAUNCH_TEXT, ": %s knows of its parent %s only what the launching thread knew", this->name,
                 l->name);
        return;
    }
    snprintf(missing, LAUNCH_TEXT, ": no event orders %s before %s, launched at %s:%d in %s", l->name, this->name,
             this->file, this->line, simt_operation_name(this->actor, this->node, name, sizeof name));
}

static char *report(const simt_pair *p, bool note)
{
    uint3 b = p->other_block, t = p->other_thread;
    char what[256], launch[LAUNCH_TEXT], missing[LAUNCH_TEXT];

    simt_describe_element(p->address, p->size, what, sizeof what);
    describe_launches(p->launch, launch, missing);
    return simt_report_spot(
        RACE,
        &(simt_spot){.place = p->place,
                     .other = p->other,
                     .other_block = b,
                     .other_thread = t,
                     .address = what,
                     .object = p->address,
                     .note = note},
        "%s of %zu byte%s %s %s and %s%s by block (%u,%u,%u) thread (%u,%u,%u)%s are not ordered%s%s", name_of(p->kind),
        p->size, p->size == 1 ? "" : "s", p->kind & SIMT_IS_WRITE ? "to" : "from", what,
        (p->kind | p->other_kind) & SIMT_IS_BLOCK_SCOPE && p->kind & p->other_kind & SIMT_IS_ATOMIC ? "narrow-scope "
                                                                                                    : "",
        name_of(p->other_kind), b.x, b.y, b.z, t.x, t.y, t.z, launch, missing,
        note ? "; an atomicCAS compares what was read" : "");
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
    const simt_launched *l = simt_launched_at(clock_of(word));
    simt_pair p = {.place = place,
                   .other = simt_origin_place(word, bytes),
                   .in_block = simt_current->warp->block->index,
                   .by_thread = simt_current->index,
                   .launch = l == simt_this_launch ? NULL : l,
                   .address = address,
                   .size = size,
                   .kind = kind,
                   .other_kind = kind_of(word)};

    simt_launched_thread(l ? l : simt_this_launch, word, &p.other_block, &p.other_thread);
    return p;
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

/* --- the last writer, for compare_runs.c */

static granule granule_at(uintptr_t address)
{
    uintptr_t i = (address - simt_base) / GRANULE;

    if (simt_cells && address - simt_base < simt_size)
        return (granule){simt_cells_of(i), simt_more_cells + i * MORE_CELLS, simt_chains + i};
    return simt_variable_granule(address, 1);
}

/* The write to the byte with the latest clock in this launch, or 0. */
static simt_cell last_write(uintptr_t address)
{
    granule g = granule_at(address);
    unsigned byte = address & (GRANULE - 1);
    simt_cell bit = (simt_cell)1 << (SIMT_BYTES_SHIFT + byte), last = 0;

    for (unsigned i = 0; g.cells && i < ALL_CELLS && (i < CELLS || g.cells[0] & SIMT_CELL_MORE); i++) {
        simt_cell word = *simt_cell_at(g.cells, g.more, i);

        if (word & bit && kind_of(word) & SIMT_IS_WRITE && word >= after(simt_launch_clock) && word > last)
            last = cell_of_byte(word, byte);
    }
    return last;
}

void simt_race_writer(uintptr_t address, char *text, size_t size)
{
    simt_cell word = last_write(address);
    uint3 b, t;

    *text = 0;
    if (!word)
        return;
    simt_launched_thread(simt_this_launch, word, &b, &t);
    snprintf(text, size, "by block (%u,%u,%u) thread (%u,%u,%u) (%s)", b.x, b.y, b.z, t.x, t.y, t.z,
             name_of(kind_of(word)));
    simt_add_line(text, size, simt_origin_place(word, bytes_of(word)));
}
