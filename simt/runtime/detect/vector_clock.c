/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Vector clocks: contract in vector_clock.h.
 */
#define _GNU_SOURCE
#include "vector_clock.h"

#include <string.h>
#include <sys/mman.h>

/* Each thread has three at most, each location one; a few more are in use while clocks are joined. */
enum { CLOCKS = 3 * SIMT_THREADS + SIMT_LOCATIONS + 8 };

static vector_clock *clocks, *free_clocks;
static unsigned clocks_made;

bool simt_clocks_start(void)
{
    void *got =
        mmap(NULL, sizeof *clocks * CLOCKS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    clocks = got == MAP_FAILED ? NULL : got;
    return clocks != NULL;
}

static vector_clock *new_clock(void)
{
    vector_clock *v = free_clocks;

    if (v)
        free_clocks = v->next_free;
    else
        v = &clocks[clocks_made++];
    memset(v, 0, sizeof *v);
    v->uses = 1;
    return v;
}

void simt_clock_drop_one(vector_clock **v)
{
    if (--(*v)->uses == 0) {
        (*v)->next_free = free_clocks;
        free_clocks = *v;
    }
    *v = NULL;
}

vector_clock *simt_clock_share(vector_clock *v)
{
    if (v)
        v->uses++;
    return v;
}

vector_clock *simt_clock_own(vector_clock **v)
{
    vector_clock *copy;

    if (*v && (*v)->uses == 1)
        return *v;
    copy = new_clock();
    if (*v) {
        memcpy(copy->floor, (*v)->floor, sizeof copy->floor);
        memcpy(copy->single, (*v)->single, sizeof copy->single);
        memcpy(copy->warp, (*v)->warp, sizeof copy->warp);
        simt_clock_drop(v);
    }
    return *v = copy;
}

static unsigned single_index(uint32_t unit)
{
    return (unit * 2654435761u) >> 25;
}

void simt_clock_raise_block(vector_clock *v, uint32_t unit, uint32_t clock)
{
    uint32_t *floor = &v->floor[(unit >> SIMT_UNIT_BITS) % BLOCKS_KNOWN];

    if (*floor < clock)
        *floor = clock;
}

/* The unit of the warp to which a unit belongs. */
static uint32_t warp_of(uint32_t unit)
{
    uint32_t member = unit & ((1u << SIMT_UNIT_BITS) - 1);

    return member >= SIMT_WARP_UNIT ? unit : unit - member + SIMT_WARP_UNIT + member / LANES;
}

static unsigned warp_index(uint32_t unit)
{
    return ((unit >> SIMT_UNIT_BITS) * (SIMT_WARP_UNIT / LANES) + unit % (SIMT_WARP_UNIT / LANES)) % WARPS_KNOWN;
}

/* The entry is for this unit from now on, if that is newer than what it has. Of two units, the older one is given back. */
static struct known enter(struct known *entry, struct known new)
{
    struct known old = *entry;

    if (old.clock >= new.clock)
        return old.unit == new.unit ? (struct known){0} : new;
    *entry = new;
    return old.unit == new.unit ? (struct known){0} : old;
}

void simt_clock_raise(vector_clock *v, uint32_t unit, uint32_t clock)
{
    struct known rest = enter(&v->single[single_index(unit)], (struct known){unit, clock});

    if (!rest.clock)
        return;
    rest.unit = warp_of(rest.unit);
    rest = enter(&v->warp[warp_index(rest.unit)], rest);
    if (rest.clock)
        simt_clock_raise_block(v, rest.unit, rest.clock);
}

void simt_clock_join(vector_clock **to, vector_clock *from)
{
    vector_clock *v;

    if (!from || *to == from)
        return;
    if (!*to) {
        *to = simt_clock_share(from);
        return;
    }
    v = simt_clock_own(to);
    for (unsigned i = 0; i < BLOCKS_KNOWN; i++)
        v->floor[i] = v->floor[i] < from->floor[i] ? from->floor[i] : v->floor[i];
    for (unsigned i = 0; i < UNITS_KNOWN; i++)
        if (from->single[i].clock)
            simt_clock_raise(v, from->single[i].unit, from->single[i].clock);
    for (unsigned i = 0; i < WARPS_KNOWN; i++) {
        struct known rest = enter(&v->warp[i], from->warp[i]);

        if (rest.clock)
            simt_clock_raise_block(v, rest.unit, rest.clock);
    }
}

static bool has_single(const vector_clock *v, uint32_t unit, uint32_t clock)
{
    unsigned i = single_index(unit);

    return v->single[i].unit == unit && v->single[i].clock >= clock;
}

bool simt_vector_clock_has(const vector_clock *v, uint32_t unit, uint32_t clock)
{
    uint32_t its_warp = warp_of(unit);
    const struct known *whole;

    if (!v)
        return false;
    whole = &v->warp[warp_index(its_warp)];
    return v->floor[(unit >> SIMT_UNIT_BITS) % BLOCKS_KNOWN] >= clock || has_single(v, unit, clock) ||
           has_single(v, its_warp, clock) || (whole->unit == its_warp && whole->clock >= clock);
}
