/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `__restrict__` parameters of a kernel that overlap. C (6.7.3.1) and CUDA ("__restrict__"): what is accessed through such a parameter and
 * written in the same launch must be accessed through no other one; the compiler may keep and reorder values as if that were so.
 *
 * Two parameters that point into one allocation may be sound: what they reach may not overlap, or nobody writes. So the process
 * forks before the launch. In the child each `__restrict__` parameter points into a copy of the allocation of its own. When
 * the launch has ended there, the cells (race.c) tell which bytes of which copy were read and written. If that is forbidden,
 * the parent has a finding, `undefined`. Then it runs the launch.
 *
 * A kernel is looked at once for each set of distances between its parameters, and for a few sets only, since kernels that get parts of one
 * large allocation would take twice as long. Nothing is looked for while memory is registered (outside.c says why), in allocations that are
 * larger than SIZE, and in parameters that are themselves const.
 */
#include "pair.h"
#include "origin.h"
#include "span.h"

#include "../core/options.h"
#include "../core/trial.h"
#include "../memory/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PARAMETERS = 32,
    SETS = 8,         /* of distances, of each kernel; not tuned */
    KERNELS = 256,    /* with so many sets at most */
    SIZE = 256 << 20, /* bytes of an allocation: a copy takes a tenth of a second */
    PATIENCE = 60     /* seconds after which the child gives up; not tuned */
};

static struct {
    const char *name;
    uintptr_t address, allocation; /* its start; 0: of none, or of one that no other parameter points into */
    uintptr_t moved;               /* what is added in the child */
    bool restricted, writable;
} parameter[PARAMETERS];
static unsigned parameters;

/* A byte that two parameters reach, as the child says it. */
typedef struct overlap {
    unsigned one, other;
    uintptr_t address;
    const void *place, *other_place;
    bool writes, other_writes;
} overlap;

static uint64_t seen[KERNELS * SETS]; /* hashes of a kernel and a set, and of a kernel's number of sets */
static int to_parent = -1;            /* in the child: a pipe */
int simt_moved_any;

void simt_parameter(unsigned number, const char *name, const volatile void *value, int restricted, int writable)
{
    if (number < PARAMETERS) {
        memset(&parameter[number], 0, sizeof parameter[number]);
        parameter[number].name = name;
        parameter[number].address = (uintptr_t)value;
        parameter[number].restricted = restricted;
        parameter[number].writable = writable;
        parameters = number + 1;
    }
}

uintptr_t simt_moved(unsigned number)
{
    return number < parameters ? parameter[number].moved : 0;
}

/* Which parameters share an allocation so that it matters? Returns a hash of the kernel and their distances; 0: none. */
static uint64_t find_shared(const simt_kernel *kernel)
{
    uint64_t hash = 0;

    for (unsigned i = 0; i < parameters; i++) {
        const allocation *a = parameter[i].address ? simt_allocation_at(parameter[i].address) : NULL;

        parameter[i].allocation =
            a && !a->freed && a->size <= SIZE && parameter[i].address - a->start < a->size ? a->start : 0;
    }
    for (unsigned i = 0; i < parameters; i++)
        for (unsigned k = i + 1; parameter[i].allocation && k < parameters; k++)
            if (parameter[k].allocation == parameter[i].allocation &&
                (parameter[i].restricted || parameter[k].restricted) &&
                (parameter[i].writable || parameter[k].writable))
                hash = simt_mix(simt_mix(hash ^ (uintptr_t)kernel) ^ (parameter[k].address - parameter[i].address) ^
                                (uint64_t)(i * PARAMETERS + k) << 48);
    return hash;
}

/* Is it in the table, or is the table full? Otherwise it is now. */
static bool is_seen(uint64_t hash)
{
    uint64_t at = hash % (KERNELS * SETS), tries = 0;

    for (; seen[at] && seen[at] != hash && tries < KERNELS * SETS; tries++)
        at = (at + 1) % (KERNELS * SETS);
    if (seen[at])
        return true;
    seen[at] = hash;
    return false;
}

static bool has_had_enough(const simt_kernel *kernel)
{
    for (uint64_t set = 0; set < SETS; set++)
        if (!is_seen(simt_mix((uintptr_t)kernel + set)))
            return false;
    return true;
}

/* In the child: a copy for each of them. */
static void move(void)
{
    for (unsigned i = 0; i < parameters; i++) {
        const allocation *a = parameter[i].restricted ? simt_allocation_at(parameter[i].allocation) : NULL;
        uintptr_t start = a ? a->start : 0, size = a ? a->size : 0, copy;

        if (!start)
            continue;
        copy = (uintptr_t)simt_allocate(size, DEVICE_MEMORY);
        if (!copy)
            _exit(0);
        memcpy((void *)copy, (const void *)start, size);
        memcpy(simt_shadow + (copy - simt_base), simt_shadow + (start - simt_base), size);
        simt_pages_change(copy, size);
        parameter[i].moved = copy - start;
    }
    simt_moved_any = 1;
}

static bool is_this_launch(const simt_launched *l, simt_cell word, const void *state)
{
    (void)word;
    (void)state;
    return l == simt_this_launch;
}

static bool accessed(uintptr_t begin, uintptr_t size, bool reads_too, simt_hit *h)
{
    return simt_search_span(&(simt_span){.begin = begin, .size = size, .rows = size != 0}, reads_too,
                            after(simt_this_launch->clock), is_this_launch, NULL, h);
}

/* Looks for a byte that parameter i accesses (or writes, if `writes`), and parameter k writes (or accesses). */
static bool overlaps(unsigned i, unsigned k, bool writes, overlap *o)
{
    const allocation *a = simt_allocation_at(parameter[i].allocation);
    uintptr_t start = a->start, size = a->size, at = 0;
    simt_hit one, other;

    for (; accessed(start + parameter[i].moved + at, size - at, !writes, &one); at++) {
        at = one.address - start - parameter[i].moved;
        if (accessed(start + parameter[k].moved + at, 1, writes, &other)) {
            *o = (overlap){i,
                           k,
                           start + at,
                           simt_origin_place(one.word, bytes_of(one.word)),
                           simt_origin_place(other.word, bytes_of(other.word)),
                           kind_of(one.word) & SIMT_IS_WRITE,
                           kind_of(other.word) & SIMT_IS_WRITE};
            return true;
        }
    }
    return false;
}

static bool any_overlaps(overlap *o)
{
    for (unsigned i = 0; i < parameters; i++)
        for (unsigned k = 0; parameter[i].moved && k < parameters; k++)
            if (k != i && parameter[k].allocation == parameter[i].allocation &&
                (overlaps(i, k, true, o) || overlaps(i, k, false, o)))
                return true;
    return false;
}

static void report(const overlap *o)
{
    char what[256];

    simt_describe_element(o->address, 1, what, sizeof what);
    simt_report_spot(UNDEFINED,
                     &(simt_spot){.place = o->place, .other = o->other_place, .address = what, .object = o->address},
                     "a byte of %s is %s through the parameter %s, which is __restrict__, and %s through %s", what,
                     o->writes ? "written" : "read", parameter[o->one].name, o->other_writes ? "written" : "read",
                     parameter[o->other].name);
}

/* Runs the launch in a child. True: this is the child. */
static bool run_child(overlap *o)
{
    int ends[2];
    pid_t child;
    ssize_t got;

    if (pipe(ends) < 0)
        return false;
    child = fork();
    if (child == 0) {
        simt_begin_trial(PATIENCE);
        simt_options.compare_outside = false;
        close(ends[0]);
        to_parent = ends[1];
        return true;
    }
    close(ends[1]);
    while ((got = read(ends[0], o, sizeof *o)) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    if (child > 0 && got == sizeof *o)
        report(o);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

void simt_restricted_begin(void)
{
    simt_kernel *kernel = NULL;
    overlap o;
    uint64_t hash;

    if (!simt_options.kinds[UNDEFINED] || to_parent >= 0)
        return;
    parameters = 0;
    simt_probe = &kernel;
    m.request->call(m.closure);
    simt_probe = NULL;
    hash = parameters > 1 ? find_shared(kernel) : 0;
    if (hash && !simt_any_registered() && !is_seen(hash) && !has_had_enough(kernel) && run_child(&o))
        move();
}

void simt_restricted_end(void)
{
    overlap o;

    if (to_parent < 0)
        return;
    if (m.stop == DONE && simt_this_launch->clock && any_overlaps(&o) && write(to_parent, &o, sizeof o) < 0)
        _exit(1);
    _exit(0);
}
