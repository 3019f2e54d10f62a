/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A host that launches kernels until a number that it copies from the device has some value, which it will never have: a worklist that is
 * never empty, a flag that is set each time. From the device's side that is a hang, too, if memory recurs: the host gets the same bytes
 * from the same places, round after round, and all memory of the device has the same values after each.
 *
 * What the host counts is not known, so a loop with a bound may look like that, and is not a hang before it has done more
 * rounds than loops that measure time do. A round ends with a copy to the host. After copies 1024, 2048, ... the state of memory is kept as
 * a hash, and is looked for after each of the next copies (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
 * If it recurs, the copies must recur for the whole time, and the state must be the same again at its end. Values count in any order,
 * so that a list whose elements come in the order of threads recurs. The number of the round, which many kernels get and keep beside
 * what they have visited, is another each time: so all values that are words of the last launch's arguments count as one.
 */
#include "launch.h"

#include "../core/options.h"
#include "../detect/pages.h"
#include "../memory/memory.h"
#include "../report/report.h"

#include <string.h>

enum {
    EARLIEST = 1024, /* copies before the first look: programs that make fewer pay nothing */
    PERIOD = 8,      /* copies of a round at most; not tuned: loops with one flag have 1, with two lists in turn 2 */
    ARGUMENTS = 64,  /* words; further ones are not looked at */
    BYTES = 64,      /* of a copy that are compared; all of them are in memory of the device, too */
    ROUNDS = 10 /* log2: as many accesses of a hang in a kernel are one round; by default 16,384 rounds. Not tuned */
};

static const uint64_t HASHED = (uint64_t)4 << 30; /* bytes in all, about three seconds; not tuned */

static struct {
    uint64_t copies;
    uint64_t since;            /* the copy after which the state was kept; 0: none is */
    uint64_t state, launch;    /* then */
    uint64_t hashed, previous; /* previous: the launch before the last copy */
    uint64_t keys[2 * PERIOD];
    unsigned recurs; /* bit n: the state was the same after n copies, with launches before */
    unsigned period; /* 0: not known */
} rounds;

static uint64_t sum;

/* Words of the last launch's arguments: those that are as large as the number of a round can be now. */
static uint32_t arguments[ARGUMENTS];
static unsigned argument_count;

void simt_host_launches(const simt_launch_request *request)
{
    if (rounds.copies + 1 < EARLIEST)
        return;
    argument_count = 0;
    for (size_t at = 0; at + 4 <= request->closure_bytes && argument_count < ARGUMENTS; at += 4) {
        uint32_t word;

        memcpy(&word, (const char *)request->closure + at, sizeof word);
        if (word >= EARLIEST / 2)
            arguments[argument_count++] = word;
    }
}

static uint64_t value_of(uint32_t word)
{
    for (unsigned i = 0; word >= EARLIEST / 2 && i < argument_count; i++)
        if (arguments[i] == word)
            return 1;
    return (uint64_t)word << 1;
}

static bool add(uintptr_t start, size_t size)
{
    uint64_t hash = 0;
    size_t at = 0;

    if ((rounds.hashed += size) > HASHED)
        return false;
    for (; at + 4 <= size; at += 4)
        hash += simt_mix(value_of(*(const uint32_t *)(start + at)));
    for (; at < size; at++)
        hash += simt_mix(*(const unsigned char *)(start + at));
    sum = simt_mix(sum ^ start) + hash;
    return true;
}

/* False: that would be too much. */
static bool state_of_memory(uint64_t *state)
{
    bool all;

    sum = 0;
    simt_pages_open();
    all = simt_visit_allocations(add) && simt_visit_variables(add);
    *state = sum;
    return all;
}

static bool recurs(void)
{
    uint64_t state;

    return state_of_memory(&state) && state == rounds.state;
}

/* The shortest one of the state and of the copies, or 0. */
static unsigned find_period(void)
{
    for (unsigned period = 1; period <= PERIOD; period++) {
        unsigned i = 0;

        while (i + period < 2 * PERIOD && rounds.keys[i] == rounds.keys[i + period])
            i++;
        if (i + period == 2 * PERIOD && rounds.recurs >> period & 1)
            return period;
    }
    return 0;
}

static void report(const char *call, const void *from, size_t size)
{
    char where[256];

    simt_describe((uintptr_t)from, where, sizeof where);
    simt_report_spot(
        HANG, &(simt_spot){.object = (uintptr_t)from},
        "no progress: %llu times in a row the host has copied the same %zu bytes from %s, by %s, and the %llu "
        "launches in between have left the same values in memory",
        (unsigned long long)((rounds.copies - rounds.since) / rounds.period), size, where, call,
        (unsigned long long)(simt_launch_number - rounds.launch));
    simt_sticky = cudaErrorLaunchTimeout;
    simt_report_findings(true);
}

void simt_host_copied(const char *call, const void *to, const void *from, size_t size)
{
    uint64_t key = simt_mix((uintptr_t)to) ^ simt_mix((uintptr_t)from + size), nth, word;

    if (m.suspended || simt_current)
        return;
    rounds.copies++;
    key += simt_launch_number - rounds.previous;
    rounds.previous = simt_launch_number;
    if (rounds.since == 0) {
        if (rounds.copies < EARLIEST || (rounds.copies & (rounds.copies - 1)) || !state_of_memory(&rounds.state))
            return;
        rounds.since = rounds.copies;
        rounds.launch = simt_launch_number;
        rounds.recurs = rounds.period = 0;
        return;
    }
    for (size_t at = 0; at < size && at < BYTES; at += sizeof word) {
        word = 0;
        memcpy(&word, (const char *)from + at, size - at < sizeof word ? size - at : sizeof word);
        key = simt_mix(key ^ word);
    }
    nth = rounds.copies - rounds.since;
    if (rounds.period == 0) {
        rounds.keys[nth - 1] = key;
        if (nth <= PERIOD && simt_launch_number > rounds.launch && recurs())
            rounds.recurs |= 1u << nth;
        if (nth < 2 * PERIOD)
            return;
        rounds.period = find_period();
        if (rounds.period == 0)
            rounds.since = 0;
        return;
    }
    if (key != rounds.keys[(nth - 1) % rounds.period]) {
        rounds.since = 0;
        return;
    }
    if (nth % rounds.period || nth / rounds.period < EARLIEST + (simt_options.hang >> ROUNDS))
        return;
    if (recurs())
        report(call, from, size);
    rounds.since = 0;
}
