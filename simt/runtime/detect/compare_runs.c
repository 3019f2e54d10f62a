/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Results that change from seed to seed. In a series of runs (core/series.h) the bytes that each run copies to the host are
 * compared with the first run's, copy by copy, by a digest. Bytes that nobody has written do not count. If they differ, both seeds
 * run again, and device memory is compared after each launch: that names the launch, the allocation and the byte that differ
 * first, and who wrote it last in either run. A program of which several host threads copy is not compared.
 *
 * Only what reaches the host makes a finding: a scratch buffer in another order is no result.
 */
#include "detect.h"

#include "../core/series.h"
#include "../memory/memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t HASHED = (uint64_t)32
                               << 30; /* bytes that a run hashes at launches at most, about 20 seconds; not tuned */

static uint64_t copies, launches, digests, hashed;
static bool several_threads; /* of the host copy: their order, and so the number of a copy, is not the seed's */

/* All ones in the bytes that are initialised; variables always are. */
static uint64_t mask_of(uintptr_t address)
{
    uint64_t state;

    if (!simt_shadow || address - simt_base >= simt_size)
        return ~(uint64_t)0;
    memcpy(&state, simt_shadow + (address - simt_base), sizeof state);
    return (state / INITIALISED & 0x0101010101010101) * 0xff;
}

static uint64_t masked_byte(uintptr_t address)
{
    bool written = !simt_shadow || address - simt_base >= simt_size || simt_shadow[address - simt_base] & INITIALISED;

    return written ? 1u + *(const unsigned char *)address : 0;
}

static uint64_t hash_of(uintptr_t start, size_t size)
{
    uint64_t hash = size, word;
    size_t at = 0;

    for (; at + sizeof word <= size; at += sizeof word) {
        uint64_t mask = mask_of(start + at);

        memcpy(&word, (const void *)(start + at), sizeof word);
        hash = simt_mix(hash ^ (word & mask) ^ ~mask << 1);
    }
    for (; at < size; at++)
        hash = simt_mix(hash ^ masked_byte(start + at));
    return hash;
}

/* The same for bytes in any order: whole words if there are only such. */
static uint64_t hash_of_values(uintptr_t start, size_t size)
{
    size_t step = size % 4 ? 1 : 4;
    uint64_t hash = size;

    for (size_t at = 0; at < size; at += step) {
        uint64_t value = 0;

        for (size_t i = 0; i < step; i++)
            value = value << 9 | masked_byte(start + at + i);
        hash += simt_mix(value);
    }
    return hash;
}

/* --- after a launch */

static bool keep_digest(uintptr_t start, size_t size)
{
    simt_series_shared *s = simt_series;

    if (s->digests == SIMT_DIGESTS || (hashed += size) > HASHED)
        return false;
    s->digest[s->digests].launch = launches;
    s->digest[s->digests].start = start;
    s->digest[s->digests].size = size;
    s->digest[s->digests++].hash = hash_of(start, size);
    return true;
}

/* Keeps the bytes, two for each: the value, or 0, and whether it was written. */
static void keep_bytes(uintptr_t start, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint64_t byte = masked_byte(start + i);

        simt_series->bytes[2 * i] = byte ? (char)(byte - 1) : 0;
        simt_series->bytes[2 * i + 1] = byte != 0;
    }
}

/* The first digest that differs ends the run. So does memory that the other run allocated otherwise. */
static bool compare_digest(uintptr_t start, size_t size)
{
    simt_series_shared *s = simt_series;

    if (digests == s->digests)
        _exit(0);
    if (s->digest[digests].launch != launches || s->digest[digests].start != start || s->digest[digests].size != size)
        _exit(0);
    if (s->digest[digests++].hash == hash_of(start, size))
        return true;
    if (size <= simt_size) {
        s->launch = launches;
        s->start = start;
        s->size = size;
        keep_bytes(start, size);
    }
    _exit(0);
}

static void locate(void)
{
    simt_series_shared *s = simt_series;

    for (size_t i = 0; i < s->size; i++) {
        uint64_t byte = masked_byte(s->start + i);

        if (byte == (s->bytes[2 * i + 1] ? 1u + (unsigned char)s->bytes[2 * i] : 0))
            continue;
        if (s->count++ == 0)
            s->offset = i;
    }
    simt_race_writer(s->start + s->offset, s->writer[0], sizeof s->writer[0]);
    _exit(0);
}

/* The launch has ended, and its cells are still there. */
void simt_compare_launch(void)
{
    simt_series_shared *s = simt_series;

    if (!s || simt_series_role <= OTHER)
        return;
    launches++;
    if (simt_series_role == FIRST_AGAIN && simt_visit_allocations(keep_digest))
        simt_visit_variables(keep_digest);
    if (simt_series_role == OTHER_AGAIN && simt_visit_allocations(compare_digest))
        simt_visit_variables(compare_digest);
    if (s->launch != launches)
        return;
    if (simt_series_role == LOCATE)
        locate();
    if (simt_series_role == REPORT)
        simt_race_writer(s->start + s->offset, s->writer[1], sizeof s->writer[1]);
}

void simt_compare_float_sum(uintptr_t address)
{
    simt_series_shared *s = simt_series;

    if (launches + 1 == s->launch && address - 7 <= s->start + s->offset && s->start + s->offset < address + 8)
        s->sum = true;
}

/* --- at a copy to the host */

/* Of a run: 0 is the one under the first seed. */
static const char *writer(unsigned run)
{
    const char *text = simt_series->writer[run];

    return *text ? text : "before that launch"; /* or by none that has cells */
}

static void describe_writers(char *text, size_t size)
{
    const simt_series_shared *s = simt_series;
    char where[256];

    *text = 0;
    if (!s->launch)
        return;
    simt_describe(s->start + s->offset, where, sizeof where);
    snprintf(text, size, "; memory differs first after launch %llu, from %s on, written %s, under seed %llu %s",
             (unsigned long long)s->launch, where, writer(1), (unsigned long long)s->first_seed, writer(0));
}

/* Two ways of being different are the choice of many programs, and only a note: sums of floats in the order that atomics happen to
 * have, and lists in the order in which a counter gave out their places. */
static void report(const char *call, uintptr_t from, size_t size)
{
    const simt_series_shared *s = simt_series;
    bool note = s->sum || s->permuted;
    char writers[SIMT_WRITER * 3], where[256];

    simt_series_be_loud();
    describe_writers(writers, sizeof writers);
    simt_describe(from, where, sizeof where);
    simt_report_spot(NONDETERMINISM, &(simt_spot){.note = note, .object = from},
                     "%s: %zu bytes from %s %s under seed %llu%s%s", call, size, where,
                     s->permuted ? "are in another order than" : "differ from those", (unsigned long long)s->first_seed,
                     writers, s->sum ? "; an atomicAdd of floats rounds in another order" : "");
    simt_report_findings(true); /* ends the program, unless this is a note or known */
    fflush(NULL);
    _exit(0);
}

/* An algorithm that is free to take its steps in any order may tell the host of each step, and have the same result. So a copy is only
 * a step if a later one replaces it: one from the same memory, or one of a single number to the same variable by the same line. Two
 * lists that change places after each step need the second rule: how often they do may differ. If a step differs, and the copies that
 * nothing replaces are the same in their order, the results are. */

enum { NUMBER = 8 }; /* bytes of a number by which a host may steer its loop */

static struct {
    uint64_t key, copy; /* copy: from 1; 0: free */
} last[SIMT_LASTS];
static unsigned lasts;
static simt_copy_digest other[SIMT_COPIES]; /* of this run, unless it is the first */

static simt_copy_digest *own_copies(void)
{
    return simt_series_role == FIRST ? simt_series->copy : other;
}

static void replace(uint64_t key)
{
    uint64_t at = key % SIMT_LASTS;

    while (last[at].copy && last[at].key != key)
        at = (at + 1) % SIMT_LASTS;
    if (last[at].copy)
        own_copies()[last[at].copy - 1].replaced = true;
    else if (++lasts > SIMT_LASTS / 2)
        return; /* too many places: nothing is replaced any more */
    last[at].key = key;
    last[at].copy = copies;
}

uint64_t simt_compare_issued(const void *to, const void *from, size_t size)
{
    static SIMT_THREAD_LOCAL bool has_copied;
    static bool one_has;
    const void *callers[2] = {NULL, NULL};

    if (!simt_series || m.suspended || several_threads || ++copies > SIMT_COPIES)
        return 0;
    if (!has_copied && one_has) {
        several_threads = true;
        simt_this_run->differs = 0;
        return 0;
    }
    has_copied = one_has = true;
    if (simt_series_role == FIRST)
        simt_series->copies = copies;
    if (lasts > SIMT_LASTS / 2)
        return copies;
    replace(simt_mix(simt_mix((uintptr_t)from) ^ size));
    if (size > NUMBER)
        return copies;
    simt_callers(callers, 2);
    replace(simt_mix(simt_mix(simt_mix((uintptr_t)to) ^ (uintptr_t)callers[0]) ^ (uintptr_t)callers[1]) + size);
    return copies;
}

static uint64_t next_result(const simt_copy_digest *c, uint64_t i, uint64_t end)
{
    while (i < end && c[i].replaced)
        i++;
    return i;
}

/* The first result that differs; one that has the same values in another order only if there is no other. */
void simt_compare_results(void)
{
    simt_series_shared *s = simt_series;
    uint64_t i = 0, j = 0, step;

    if (!s || copies > SIMT_COPIES || several_threads)
        return;
    if (simt_series_role == FIRST)
        s->ended = true;
    if (simt_series_role != OTHER || !simt_this_run->differs || !s->ended)
        return;
    step = simt_this_run->differs;
    simt_this_run->differs = 0;
    for (;; i++, j++) {
        const simt_copy_digest *a = &s->copy[i = next_result(s->copy, i, s->copies)];
        const simt_copy_digest *b = &other[j = next_result(other, j, copies)];
        bool first_ends = i == s->copies, this_ends = j == copies;

        if (first_ends && this_ends)
            return;
        if (first_ends || this_ends) { /* the step that sent the host another way is the better place to begin */
            simt_this_run->differs = step;
            return;
        }
        if (a->hash == b->hash || (a->values == b->values && simt_this_run->differs))
            continue;
        simt_this_run->differs = j + 1;
        simt_this_run->permuted = a->values == b->values;
        if (!simt_this_run->permuted)
            return;
    }
}

void simt_compare_copy(uint64_t number, const char *call, const void *from, size_t size)
{
    simt_series_shared *s = simt_series;
    simt_copy_digest *copy = &own_copies()[number - 1];
    const simt_copy_digest *first = number <= s->copies ? &s->copy[number - 1] : NULL;
    bool same;

    copy->hash = hash_of((uintptr_t)from, size);
    copy->values = hash_of_values((uintptr_t)from, size);
    same = first && first->hash == copy->hash;
    if (simt_series_role == OTHER && !simt_this_run->differs && !same && !several_threads) {
        simt_this_run->differs = number;
        simt_this_run->permuted = first && first->values == copy->values;
    }
    if (simt_series_role == FIRST_AGAIN && !same)
        s->strays = true;
    if (number != s->differs || simt_series_role < FIRST_AGAIN)
        return;
    if (simt_series_role == REPORT)
        report(call, (uintptr_t)from, size);
    _exit(0);
}
