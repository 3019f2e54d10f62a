/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shuffled values that CUDA leaves undefined: the source lane is not in the mask, has exited or does not exist. The lane
 * gets a random value of its own, its *poison*. Nothing is wrong as long as nobody uses the value, so a finding
 * `warp-mask` is made only when the same thread
 *
 *   stores it            to memory other than its own stack, unchanged, in 4 or 8 bytes
 *   accesses memory      that does not exist, at an address that is the value, or at an element with that index
 *
 * A shuffle of such a value passes it on. Half of the poison of a float or double is a NaN: sums and products keep its
 * bits, while the other half shows what minimum and maximum hide. What integer arithmetic makes of a poison is not
 * recognised here, nor is a branch on it: outside.c compares the results. In the checking build.
 *
 * No chance hits: a program may compute 32 bits that equal a poison. Each comparison of a stored word with a poison does
 * so with probability 2^-32. A thread's stores are compared only for a while after the shuffle; and a finding needs one
 * hit for each 2^16 comparisons that the process has made. The first 2^16 give a false finding with probability 2^-16;
 * later more hits are needed than chance makes.
 */
#include "detect.h"

#include "../memory/memory.h"

#include <stdio.h>
#include <string.h>

enum {
    KEPT = 4,      /* poisons of a thread; a further one replaces the oldest. Not tuned. */
    STORES = 64,   /* of a thread that are compared with a poison: more cost time. Not tuned. */
    NEAR = 1 << 20 /* bytes: an address this close to a poisoned pointer was made from it */
};

typedef struct poison {
    uint64_t value;
    const char *file, *operation;
    int line;
    uint32_t mask;
    uint8_t source;
    bool wide, exited;
    unsigned stores; /* left; 0: no longer of interest */
} poison;

static struct poisons {
    poison kept[KEPT];
    unsigned next; /* modulo KEPT: the oldest */
} poisons[SIMT_SLOTS];

bool simt_poisoned;

static unsigned live; /* poisons of interest */
static poison first;  /* of the launch */
static bool reported; /* one of the launch */
static uint64_t state, comparisons, hits;

static struct {
    thread *self; /* NULL: no store is pending */
    const void *place;
    uintptr_t address;
    size_t size;
} stored;

static struct poisons *poisons_of(const thread *t)
{
    return &poisons[t->warp->number * LANES + t->lane];
}

static void forget(poison *p)
{
    live -= p->stores > 0;
    p->stores = 0;
    simt_poisoned = live > 0;
}

static void add(const thread *t, const poison *p)
{
    struct poisons *all = poisons_of(t);
    poison *mine = &all->kept[all->next++ % KEPT], copy = *p; /* which may be the one that is replaced */

    forget(mine);
    *mine = copy;
    mine->stores = STORES;
    live++;
    simt_poisoned = true;
    simt_settle_later(); /* so that the next access takes no short cut */
}

uint64_t simt_poison_new(thread *to, const simt_undefined_source *from)
{
    poison p = {.file = from->file,
                .operation = from->operation,
                .line = from->line,
                .mask = from->mask,
                .source = (uint8_t)from->lane,
                .wide = from->wide,
                .exited = from->exited};

    if (simt_outside_begin(NULL))
        state = ~state;
    if (!first.file) {
        first = p;
        reported = false;
    }
    state = simt_mix(state);
    p.value = p.wide ? state & ~(uint64_t)15 : (uint32_t)(state >> 32); /* a multiple of 16: not misaligned as well */
    if (from->floating && state & 16)
        p.value = p.wide ? p.value | 0x7ff8000000000000 : p.value | 0x7fc00000;
    add(to, &p);
    return p.value;
}

void simt_poison_pass(const thread *from, thread *to, uint64_t value)
{
    const poison *p = poisons_of(from)->kept;

    for (unsigned i = 0; i < KEPT; i++)
        if (p[i].stores > 0 && p[i].value == value && from != to) {
            add(to, &p[i]);
            return;
        }
}

/* --- use */

static void report(const poison *p, const char *use, const void *place)
{
    char text[600];

    reported = true;
    snprintf(text, sizeof text, "%s with mask 0x%08x gets the value of lane %u, which %s, and the value is %s",
             p->operation, p->mask, p->source,
             !(p->mask >> p->source & 1) ? "is not in the mask"
             : p->exited                 ? "has exited"
                                         : "does not exist",
             use);
    simt_report_spot(WARP_MASK, &(simt_spot){.file = p->file, .line = (unsigned)p->line, .other = place}, "%s", text);
}

void simt_poison_store(uintptr_t address, size_t size, const void *place)
{
    if (simt_on_stacks(address) || size < 4 || size > 16)
        return;
    stored.self = simt_current;
    stored.place = place;
    stored.address = address;
    stored.size = size;
    simt_settle_later();
}

static bool hit(const poison *p)
{
    uint64_t wide;
    uint32_t narrow;

    for (size_t at = 0; at + (p->wide ? 8 : 4) <= stored.size; at += p->wide ? 8 : 4) {
        if (p->wide) {
            memcpy(&wide, (const void *)(stored.address + at), sizeof wide);
            if (wide == p->value)
                return true;
            continue;
        }
        comparisons++;
        memcpy(&narrow, (const void *)(stored.address + at), sizeof narrow);
        if (narrow == (uint32_t)p->value && ++hits << 16 > comparisons)
            return true;
    }
    return false;
}

/* The store is done: memory holds the value. */
void simt_poison_settle(void)
{
    thread *now = simt_current;

    if (!stored.self)
        return;
    for (poison *p = poisons_of(stored.self)->kept, *end = p + KEPT; p < end; p++) {
        if (p->stores == 0)
            continue;
        if (hit(p)) {
            simt_current = stored.self;
            report(p, "stored", stored.place);
            simt_current = now;
            forget(p);
        } else if (p->stores == 1) {
            forget(p);
        } else {
            p->stores--;
        }
    }
    stored.self = NULL;
}

static bool is_known(uintptr_t address)
{
    const allocation *a = simt_allocation_at(address);

    return (a && !a->freed && address - a->start < a->size) || simt_is_shared(address) || simt_on_stacks(address) ||
           simt_variable_at((const void *)address);
}

/* Is the address an element, with this index, of something that exists? */
static bool is_index(uint64_t index, uintptr_t address)
{
    for (unsigned size = 1; size <= 16; size *= 2)
        if (is_known(address - (uintptr_t)index * size))
            return true;
    return false;
}

/* The running thread is about to access an address at which there is nothing. Reports a finding if that comes from its
 * poison. */
bool simt_poison_address(uintptr_t address, const void *place)
{
    if (!simt_current)
        return false;
    for (poison *p = poisons_of(simt_current)->kept, *end = p + KEPT; p < end; p++) {
        bool pointer = p->wide && address - p->value + NEAR < 2 * NEAR;

        if (p->stores == 0)
            continue;
        if (pointer || is_index(p->value, address) || (!p->wide && is_index((uint64_t)(int32_t)p->value, address))) {
            report(p, pointer ? "used as an address" : "used as an index", place);
            return true;
        }
    }
    return false;
}

void simt_poison_compare(void)
{
    char use[400], what[256];
    uintptr_t differs = simt_outside_end();

    if (simt_partly_report(differs) || !differs || reported)
        return;
    simt_describe_element(differs, 4, what, sizeof what);
    snprintf(use, sizeof use, "used, or that of a later shuffle: with others %s or what follows differs", what);
    report(&first, use, NULL);
}

/* --- starts and ends */

void simt_poison_launch(uint64_t launch)
{
    if (simt_poisoned)
        memset(poisons, 0, sizeof poisons);
    simt_poisoned = false;
    live = 0;
    first.file = NULL;
    stored.self = NULL;
    state = simt_mix(simt_current_seed + simt_mix(~launch));
}

bool simt_poison_is_pending(const thread *t)
{
    return stored.self == t;
}

void simt_poison_thread_ends(const thread *t)
{
    for (unsigned i = 0; i < KEPT; i++)
        forget(&poisons_of(t)->kept[i]);
}
