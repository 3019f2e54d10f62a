/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Proxies. Bulk and tensor copies, and the products of warp groups, access memory by the async proxy, everything else by the generic one.
 * PTX: a write by one proxy and an access by the other are ordered only if a proxy fence stands on the path of causality between
 * the two, whichever thread makes it. (PTX ISA, memory consistency model, proxy-preserved base causality order.)
 *
 * Who writes by the generic proxy is found in the cells of the recorded accesses; those of the async proxy are told apart by their places in
 * the code. Each thread's last FENCES fences are remembered with what the thread knew at each. A write needs a fence that it happens
 * before, and that happens before the access.
 *
 * The completion of an asynchronous access is followed by an implicit fence, so what comes after a wait for it needs none: that
 * direction is found as an access to pending memory (async_copy.c). Nor does a write by the async proxy after a read by the
 * generic one: a program that reads a buffer, arrives at a barrier, and lets another thread fill it again is as NVIDIA's libraries
 * are.
 *
 * Finding `race`. Missed: a write whose thread made more than FENCES fences since, of which none happens before the access.
 */
#include "happens_before.h"
#include "origin.h"
#include "pair.h"

#include <string.h>

enum {
    FENCES = 8,   /* of a thread; a pipeline of more stages may run further ahead, and misses */
    PLACES = 1024 /* in the code, of asynchronous writes; of more, generic writes count as asynchronous. A power of 2 */
};

typedef struct fence {
    simt_known known;
    unsigned spaces;
} fence;

static struct ring {
    uint64_t count; /* fences that were made */
    fence fence[FENCES];
} rings[SIMT_THREADS];

static bool used;
static const void *places[PLACES];
static unsigned place_count;

void simt_proxy_forget(void)
{
    for (unsigned i = 0; used && i < SIMT_THREADS; i++) {
        for (unsigned k = 0; k < FENCES; k++)
            simt_hb_forget(&rings[i].fence[k].known);
        rings[i].count = 0;
    }
    used = false;
}

void simt_proxy_fence(unsigned spaces)
{
    struct ring *r;
    fence *f;

    if (!simt_cells || !simt_current)
        return;
    r = &rings[thread_of(simt_current->epoch)];
    f = &r->fence[r->count++ % FENCES];
    simt_hb_forget(&f->known);
    simt_hb_remember(&f->known);
    f->spaces = spaces;
    used = true;
}

/* --- places */

static const void **entry_of(const void *place)
{
    size_t i = simt_mix((uintptr_t)place) % PLACES;

    while (places[i] && places[i] != place)
        i = (i + 1) % PLACES;
    return &places[i];
}

static void add_place(const void *place)
{
    const void **entry = entry_of(place);

    if (*entry || place_count == PLACES - 1)
        return;
    *entry = place;
    place_count++;
}

static bool is_asynchronous(simt_cell word, unsigned byte)
{
    const void *place = simt_origin_place(word, 1u << byte);

    return !place || place_count == PLACES - 1 || *entry_of(place);
}

/* --- is a write fenced? */

static bool helps(const fence *f, simt_cell write, unsigned space)
{
    return f->spaces & space && simt_hb_knew(&f->known, write) && simt_hb_knows(f->known.moment);
}

static bool any_helps(const struct ring *r, simt_cell write, unsigned space)
{
    for (uint64_t i = r->count; i > 0 && i + FENCES > r->count; i--)
        if (helps(&r->fence[(i - 1) % FENCES], write, space))
            return true;
    return false;
}

static bool is_fenced(simt_cell write, unsigned space)
{
    const struct ring *of_writer = &rings[thread_of(write)];

    if (any_helps(of_writer, write, space) || any_helps(&rings[thread_of(simt_current->epoch)], write, space))
        return true;
    for (unsigned i = 0; used && i < SIMT_THREADS; i++)
        if (rings[i].count && any_helps(&rings[i], write, space))
            return true;
    return of_writer->count > FENCES &&
           clock_of(write) < clock_of(of_writer->fence[of_writer->count % FENCES].known.moment);
}

/* --- the check */

static void report(simt_cell write, uintptr_t address, unsigned byte, bool writes, const void *place)
{
    char name[256];
    simt_pair p = simt_pair_of(write, address + byte, 1, writes, place, 1u << byte);

    simt_describe_element(address + byte, 1, name, sizeof name);
    simt_report_spot(
        RACE,
        &(simt_spot){.place = place,
                     .other = p.other,
                     .other_block = p.other_block,
                     .other_thread = p.other_thread,
                     .address = name,
                     .object = address},
        "an asynchronous access %s %s, which block (%u,%u,%u) thread (%u,%u,%u) wrote by the generic proxy: no "
        "fence.proxy.async stands between the two",
        writes ? "writes to" : "reads from", name, p.other_block.x, p.other_block.y, p.other_block.z, p.other_thread.x,
        p.other_thread.y, p.other_thread.z);
}

/* Is this byte's write one of this launch that happens before the access? Otherwise it needs no fence, or is a race anyway. */
static bool counts(simt_cell write, bool shared)
{
    if (write < after(simt_launch_clock) || (shared && write < simt_warp_clocks[thread_of(write) / LANES].start))
        return false;
    return simt_hb_knows(write);
}

/* True: reported. */
static bool check_granule(const granule *g, uintptr_t address, unsigned bytes, unsigned space, bool writes,
                          const void *place, simt_cell *good)
{
    for (unsigned i = 0; i < ALL_CELLS && (i < CELLS || g->cells[0] & SIMT_CELL_MORE); i++) {
        simt_cell word = *simt_cell_at(g->cells, g->more, i);

        if (!(kind_of(word) & SIMT_IS_WRITE))
            continue;
        for (unsigned left = bytes_of(word) & bytes; left; left &= left - 1) {
            unsigned byte = (unsigned)__builtin_ctz(left);
            simt_cell write = cell_of_byte(word, byte);

            if ((write ^ *good) >> SIMT_THREAD_SHIFT == 0)
                continue;
            if (is_asynchronous(word, byte))
                continue;
            if (counts(write, space == SIMT_SHARED_SPACE) && !is_fenced(write, space)) {
                report(write, address, byte, writes, place);
                return true;
            }
            *good = write;
        }
    }
    return false;
}

void simt_proxy_access(uintptr_t address, size_t size, bool writes, const void *place)
{
    unsigned space = simt_is_shared(address) ? SIMT_SHARED_SPACE : SIMT_GLOBAL_SPACE;
    simt_cell good = 0; /* the last epoch that was found to be fenced */

    if (!simt_cells || !simt_current)
        return;
    if (writes)
        add_place(place);
    for (uintptr_t at = address & ~(uintptr_t)(GRANULE - 1); at < address + size; at += GRANULE) {
        granule g = simt_granule_at(at);
        unsigned bytes = ALL_BYTES;

        if (!g.cells)
            return;
        if (at < address)
            bytes &= ALL_BYTES << (address - at);
        if (address + size - at < GRANULE)
            bytes &= (1u << (address + size - at)) - 1;
        if (check_granule(&g, at, bytes, space, writes, place, &good))
            return;
    }
}
