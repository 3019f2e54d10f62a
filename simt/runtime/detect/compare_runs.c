/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Results that change from seed to seed. In a series of runs (core/series.h) the bytes that each run copies to the host are
 * compared with the first run's, copy by copy, by a digest. Bytes that nobody has written do not count. If they differ, both seeds
 * run again, and device memory is compared after each launch: that names the launch, the allocation and the byte that differ
 * first, and who wrote it last in either run.
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

static void describe_writers(char *text, size_t size)
{
    const simt_series_shared *s = simt_series;
    char where[256];

    *text = 0;
    if (!s->launch)
        return;
    simt_describe(s->start + s->offset, where, sizeof where);
    snprintf(text, size, "; memory differs first after launch %llu, from %s on, written %s, under seed %llu %s",
             (unsigned long long)s->launch, where, s->writer[1], (unsigned long long)s->first_seed, s->writer[0]);
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

/* An algorithm that is free to take its steps in any order may tell the host of each step, and have the same result. So a copy from
 * memory that is copied again later does not count, if the last copies are the same. */
static uint64_t find_last(const simt_lasts *l, uint64_t start, uint64_t size)
{
    uint64_t at = simt_mix(start ^ size << 40) % SIMT_LASTS;

    while (l->of[at].size && (l->of[at].start != start || l->of[at].size != size))
        at = (at + 1) % SIMT_LASTS;
    return at;
}

static void keep_last(simt_lasts *l, uint64_t start, uint64_t size, uint64_t hash)
{
    uint64_t at = find_last(l, start, size);

    if (!size || l->count == SIMT_LASTS / 2)
        return;
    l->count += !l->of[at].size;
    l->of[at].start = start;
    l->of[at].size = size;
    l->of[at].hash = hash;
}

static simt_lasts mine;

void simt_compare_last_copies(void)
{
    simt_series_shared *s = simt_series;
    bool same = s && mine.count < SIMT_LASTS / 2 && mine.count == s->lasts.count;

    for (unsigned i = 0; same && i < SIMT_LASTS; i++)
        if (mine.of[i].size)
            same = s->lasts.of[find_last(&s->lasts, mine.of[i].start, mine.of[i].size)].hash == mine.of[i].hash;
    if (same && simt_series_role == OTHER)
        simt_this_run->differs = 0;
}

static void compare(uint64_t hash, const char *call, uintptr_t from, size_t size)
{
    simt_series_shared *s = simt_series;
    bool known = copies <= s->copies, same = known && s->copy[copies - 1].hash == hash;

    if (simt_series_role == OTHER && !simt_this_run->differs && known && !same) {
        simt_this_run->differs = copies;
        simt_this_run->permuted = s->copy[copies - 1].values == hash_of_values(from, size);
    }
    if (simt_series_role == FIRST_AGAIN && !same)
        s->strays = true;
    if (copies != s->differs || simt_series_role < FIRST_AGAIN)
        return;
    if (simt_series_role == REPORT && !same)
        report(call, from, size);
    _exit(0);
}

void simt_compare_copy(const char *call, const void *from, size_t size)
{
    simt_series_shared *s = simt_series;
    uint64_t hash;

    if (!s || m.suspended || ++copies > SIMT_COPIES)
        return;
    hash = hash_of((uintptr_t)from, size);
    if (simt_series_role <= OTHER)
        keep_last(simt_series_role == FIRST ? &s->lasts : &mine, (uintptr_t)from, size, hash);
    if (simt_series_role != FIRST) {
        compare(hash, call, (uintptr_t)from, size);
        return;
    }
    s->copy[s->copies].hash = hash;
    s->copy[s->copies++].values = hash_of_values((uintptr_t)from, size);
}
