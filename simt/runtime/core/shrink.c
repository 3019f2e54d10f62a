/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Delta debugging of schedules (A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002): parts of the
 * list of switches are left out as long as the run has the same first finding or, without findings, the same exit status.
 */
#define _GNU_SOURCE
#include "shrink.h"

#include "machine.h"
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { RUNS = 1000 }; /* of the program: a list of 100,000 switches of which two count takes about 80 */

simt_shrink_shared *simt_shrink;
bool simt_recording;
const simt_switched *simt_replayed;
uint64_t simt_replayed_count;

/* --- tokens */

/* Reads a number and the character after it, and moves on. False: there is none, or it is larger than `max`. */
static bool number(const char **text, char after, uint64_t max, uint64_t *value)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    *value = strtoull(*text, &end, 10);
    if (*end != after || *value > max || (size_t)(end - *text) > 20)
        return false;
    *text = end + 1;
    return true;
}

static bool ends_in(const char *text, char want)
{
    size_t digits = strspn(text, "0123456789");

    return digits > 0 && text[digits] == want;
}

static const char *read_switches(const char *text, simt_switched *list, uint64_t *count)
{
    uint64_t launch = 0, event;

    for (*count = 0; *text; ++*count) {
        simt_switched *s = &list[*count];
        uint64_t left = *count;

        if (left == SIMT_SWITCHES_SAID)
            return "more switches than a token has";
        if (ends_in(text, '/') && !number(&text, '/', UINT32_MAX, &launch))
            return "a launch is not a number of 32 bits";
        if (!launch)
            return "a switch without LAUNCH/";
        if (!number(&text, '.', UINT64_MAX, &s->thread) || !number(&text, '-', UINT32_MAX, &event) ||
            !number(&text, ends_in(text, '+') ? '+' : 0, UINT64_MAX, &s->next))
            return "a switch is THREAD.EVENT-NEXT";
        s->launch = (uint32_t)launch;
        s->event = (uint32_t)event;
        if (!text[-1]) {
            ++*count;
            return NULL;
        }
    }
    return *count ? "it ends in +" : NULL;
}

const char *simt_read_schedule(const char *text, uint64_t *seed)
{
    static simt_switched list[SIMT_SWITCHES_SAID];

    if (!number(&text, ':', UINT64_MAX, seed))
        return "it does not begin with SEED:";
    simt_replayed = list;
    return read_switches(text, list, &simt_replayed_count);
}

static void print_token(uint64_t seed, const simt_switched *list, uint64_t count)
{
    uint32_t launch = 0;

    fprintf(stderr, "simt: SIMT_OPTIONS='schedule=%" PRIu64 ":", seed);
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            fputc('+', stderr);
        if (list[i].launch != launch)
            fprintf(stderr, "%" PRIu32 "/", list[i].launch);
        launch = list[i].launch;
        fprintf(stderr, "%" PRIu64 ".%" PRIu32 "-%" PRIu64, list[i].thread, list[i].event, list[i].next);
    }
    fputs("' runs it again\n", stderr);
}

/* --- runs */

typedef enum answer { PASSES, FAILS, IN_RUN } answer; /* IN_RUN: this process is the run */

static simt_run_again *run_again;
static uint64_t seed_of_run, wanted;
static unsigned run_count, seconds;

static uint64_t hash(const char *text)
{
    uint64_t h = 0;

    for (; *text; text++)
        h = simt_mix(h ^ (unsigned char)*text);
    return h;
}

/* The two places in either order. */
void simt_shrink_failed(const char *kind, const char *here, const char *other)
{
    if (simt_shrink && !simt_shrink->failure)
        simt_shrink->failure = simt_mix(hash(kind) ^ (hash(here) + hash(other))) | 1ull << 63;
}

static uint64_t failure(int status)
{
    return simt_shrink->failure ? simt_shrink->failure : (uint64_t)status;
}

static answer run(const simt_switched *list, uint64_t count)
{
    int status;

    simt_shrink->failure = simt_shrink->saying = simt_shrink->recorded = 0;
    simt_replayed = list;
    simt_replayed_count = count;
    run_count++;
    if (run_again(seed_of_run, seconds, &status))
        return IN_RUN;
    if (simt_recording)
        wanted = failure(status);
    return wanted && failure(status) == wanted ? FAILS : PASSES;
}

/* Makes the list of a failing run shorter: to one of `parts` equal parts, or by one. */
static answer reduce(simt_switched *list, uint64_t *count)
{
    simt_switched *rest = malloc(*count * sizeof *rest);
    uint64_t parts = 2, part = 0;
    bool alone = true; /* the part is tried alone, then what is left without it */

    while (rest && *count > 1 && run_count < RUNS) {
        uint64_t begin = *count * part / parts, end = *count * (part + 1) / parts, left = end - begin;
        answer result;

        memcpy(rest, list + (alone ? begin : 0), (alone ? left : begin) * sizeof *list);
        if (!alone) {
            memcpy(rest + begin, list + end, (*count - end) * sizeof *list);
            left = *count - left;
        }
        result = run(rest, left);
        if (result == IN_RUN)
            return IN_RUN;
        if (result == FAILS) {
            memcpy(list, rest, left * sizeof *list);
            parts = alone || parts == 2 ? 2 : parts - 1;
            part = alone || part == parts ? 0 : part;
            *count = left;
            alone = true;
        } else if (alone && parts > 2) { /* of two parts each is what is left without the other */
            alone = false;
        } else if (++part == parts) {
            if (parts >= *count)
                break;
            parts = 2 * parts < *count ? 2 * parts : *count;
            part = 0;
            alone = true;
        } else {
            alone = true;
        }
    }
    free(rest);
    return FAILS;
}

static void print(const simt_switched *list, uint64_t count, uint64_t before)
{
    fprintf(stderr,
            "simt: seed %" PRIu64 " fails with %" PRIu64 " of its %" PRIu64 " switches between threads (%u runs)\n",
            seed_of_run, count, before, run_count);
    for (uint64_t i = 0; i < simt_shrink->saying; i++)
        fprintf(stderr, "simt:   %s\n", simt_shrink->said[i]);
    if (count <= SIMT_SWITCHES_SAID)
        print_token(seed_of_run, list, count);
}

static answer shrink(void)
{
    uint64_t count = 0, before;
    simt_switched *list = NULL;
    answer result;

    simt_recording = true;
    result = run(NULL, 0);
    if (result == IN_RUN)
        return IN_RUN;
    simt_recording = false;
    before = simt_shrink->recorded;
    if (result == PASSES || before > SIMT_SWITCHES) {
        fprintf(stderr, "simt: seed %" PRIu64 " is not shrunk: %s\n", seed_of_run,
                result == PASSES ? "it fails only in some runs" : "its schedule has too many switches");
        return PASSES;
    }
    list = malloc((before + 1) * sizeof *list);
    if (!list)
        return PASSES;
    memcpy(list, simt_shrink->switches, before * sizeof *list);
    result = run(list, 0);
    if (result == PASSES) {
        count = before;
        result = run(list, count);
        if (result == FAILS)
            result = reduce(list, &count);
    }
    if (result == FAILS)
        result = run(list, count); /* for what it says */
    if (result == PASSES)
        fprintf(stderr, "simt: seed %" PRIu64 " is not shrunk: its failure depends on more than the order of threads\n",
                seed_of_run);
    if (result == FAILS)
        print(list, count, before);
    if (result != IN_RUN)
        free(list);
    return result;
}

bool simt_shrink_run(uint64_t seed, unsigned limit, simt_run_again *again)
{
    run_again = again;
    seed_of_run = seed;
    seconds = limit;
    simt_shrink =
        mmap(NULL, sizeof *simt_shrink, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (simt_shrink == MAP_FAILED) {
        simt_shrink = NULL;
        fputs("simt: SIMT_OPTIONS: shrink: no memory\n", stderr);
        return false;
    }
    return shrink() == IN_RUN;
}
