/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The idiom of the CUDA Programming Guide for an atomic that CUDA does not have:
 *
 *     old = *p;
 *     do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (old != assumed);
 *
 * The plain load races with the atomics of other threads by the letter of PTX. Yet a value that is too old, or torn, only makes the
 * first CAS fail. So a race of a plain load with a read-modify-write is a note, not a finding, if what the thread of the load does
 * next with that address is a CAS that compares with the value that it read.
 *
 *     thread A   load p -> 5        CAS p, 5                        its load is forgotten
 *     thread B   load p -> 5        CAS of A: a suspect, with 5     CAS p, 5      a note
 *     thread C   load p -> 5        CAS of A: a suspect, with 5     uses it       a race, at the end of the launch
 *     thread D   load p -> 5        CAS of A: a suspect, with 5     CAS p, 0      a race
 *
 * While a load is recorded and no suspect, nobody has written since, unless in order: memory then holds the value that it read.
 */
#include "pair.h"

#include "../core/options.h"

#include <string.h>

enum {
    SUSPECTS = 64 /* one for each pair of places in the code; as many as a launch reports */
};

typedef struct reader {
    uint3 block, thread;
} reader;

static struct {
    simt_pair pair;
    reader by;
    uint64_t value; /* that it loaded */
} suspects[SUSPECTS];

static unsigned suspect_count;

static uint64_t value_at(uintptr_t address, size_t size)
{
    uint64_t value = 0;

    memcpy(&value, (const void *)address, size);
    return value;
}

static bool is_update(unsigned kind)
{
    return (kind & (SIMT_IS_ATOMIC | SIMT_IS_WRITE | SIMT_IS_VOLATILE)) == (SIMT_IS_ATOMIC | SIMT_IS_WRITE);
}

/* May the pair turn out to be a note? Then it is kept, or the same two lines are being looked at. */
static bool may_be_compared(const simt_pair *p)
{
    bool loads_now = p->kind == 0;

    if (simt_options.report_compared || p->launch ||
        !(loads_now ? is_update(p->other_kind) : !p->other_kind && is_update(p->kind)) ||
        !(p->size == 2 || p->size == 4 || p->size == 8))
        return false;
    for (unsigned i = 0; i < suspect_count; i++)
        if (suspects[i].pair.place == p->place && suspects[i].pair.other == p->other)
            return true; /* the same two lines are being looked at */
    if (suspect_count == SUSPECTS)
        return false;
    suspects[suspect_count].pair = *p;
    suspects[suspect_count].by =
        loads_now ? (reader){p->in_block, p->by_thread} : (reader){p->other_block, p->other_thread};
    suspects[suspect_count++].value = value_at(p->address, p->size);
    return true;
}

bool simt_judge_pair(simt_cell recorded, uintptr_t address, size_t size, unsigned kind, const void *place,
                     unsigned bytes)
{
    simt_pair p = simt_pair_of(recorded, address, size, kind, place, bytes);

    if (may_be_compared(&p))
        return p.other_kind == 0;
    simt_pair_report(&p);
    return false;
}

/* Did the pair's thread load what the CAS compares, or a part of it? 16 bytes may be loaded as two words. */
static bool is_part(const simt_pair *p, uint64_t value, uintptr_t address, size_t size, unsigned __int128 compare)
{
    return p->address - address + p->size <= size && (p->size == size || size == sizeof compare) &&
           memcmp(&value, (const char *)&compare + (p->address - address), p->size) == 0;
}

void simt_compared(const void *at, size_t size, unsigned __int128 compare)
{
    uintptr_t address = (uintptr_t)at;
    bool suspect = false, note = true;
    reader by;

    if (!simt_current || simt_options.report_compared)
        return;
    by = (reader){simt_current->warp->block->index, simt_current->index};
    for (unsigned i = suspect_count; i-- > 0;)
        if (suspects[i].pair.address - address < size && memcmp(&suspects[i].by, &by, sizeof by) == 0) {
            suspect = true;
            note = is_part(&suspects[i].pair, suspects[i].value, address, size, compare);
            simt_pair_late(&suspects[i].pair, note);
            suspects[i] = suspects[--suspect_count];
        }
    if (suspect ? note : memcmp(at, &compare, size) == 0)
        simt_cells_forget_read(address, size);
}

void simt_compared_launch(void)
{
    suspect_count = 0;
}

void simt_compared_end(void)
{
    for (unsigned i = 0; i < suspect_count; i++)
        simt_pair_late(&suspects[i].pair, false);
    suspect_count = 0;
}
