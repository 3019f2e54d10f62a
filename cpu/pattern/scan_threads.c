/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.scan/threads: contract in ref/pattern_scan.h.
 *
 * One thread for each online processor; each has an equal share of adjacent items. In a first round all but the last thread
 * combine the items of their shares. The caller scans these totals, in order, so every share knows what comes before it. In a
 * second round each thread scans its share from there. Items are read twice, results are written once. The operator is never
 * swapped, so it need not commute.
 *
 * Source: G. Blelloch, "Prefix sums and their applications", 1990.
 */
#include "operators.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_THREADS = 64,   /* the shares are on the stack: about 80 bytes each */
    MIN_ITEMS = 1 << 16 /* of a share: starting a thread twice takes about as long as so many items (50 us) */
};

/* An item of any type, or the fold of several. */
typedef union item {
    uint64_t u64;
    sb_affine affine;
} item;

typedef struct operations {
    void (*fold)(const void *items, uint64_t n, item *fold);
    /* Goes on from *fold, which holds all items before these, and adds these to it. */
    void (*scan)(const void *items, uint64_t n, bool inclusive, item *fold, void *result);
    size_t size; /* of an item */
} operations;

#define DEFINE(NAME, TYPE, IDENTITY, EXPRESSION)                                                                       \
    static void fold_##NAME(const void *items, uint64_t n, item *fold)                                                 \
    {                                                                                                                  \
        TYPE f = IDENTITY;                                                                                             \
                                                                                                                       \
        for (uint64_t i = 0; i < n; i++) {                                                                             \
            TYPE g = ((const TYPE *)items)[i];                                                                         \
                                                                                                                       \
            f = EXPRESSION;                                                                                            \
        }                                                                                                              \
        memcpy(fold, &f, sizeof f);                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    static void scan_##NAME(const void *items, uint64_t n, bool inclusive, item *fold, void *result)                   \
    {                                                                                                                  \
        TYPE f;                                                                                                        \
                                                                                                                       \
        memcpy(&f, fold, sizeof f);                                                                                    \
        for (uint64_t i = 0; i < n; i++) {                                                                             \
            TYPE g = ((const TYPE *)items)[i], before = f;                                                             \
                                                                                                                       \
            f = EXPRESSION;                                                                                            \
            ((TYPE *)result)[i] = inclusive ? f : before;                                                              \
        }                                                                                                              \
        memcpy(fold, &f, sizeof f);                                                                                    \
    }
SB_FOR_EACH_OPERATOR(DEFINE)

#define ROW(NAME, TYPE, IDENTITY, EXPRESSION) {fold_##NAME, scan_##NAME, sizeof(TYPE)},
static const operations all_operations[] = {SB_FOR_EACH_OPERATOR(ROW)};

/* The items of one thread. */
typedef struct share {
    const operations *with;
    const char *items;
    char *result;
    uint64_t n;
    bool inclusive;
    item fold; /* after the first round: of the items of this share; before the second: of all items before it */
    pthread_t thread;
    bool started;
} share;

static void *fold_share(void *pointer)
{
    share *s = pointer;

    s->with->fold(s->items, s->n, &s->fold);
    return NULL;
}

static void *scan_share(void *pointer)
{
    share *s = pointer;

    s->with->scan(s->items, s->n, s->inclusive, &s->fold, s->result);
    return NULL;
}

/* The caller takes share 0, and those whose thread cannot be started. */
static void run(share *shares, uint64_t count, void *(*round)(void *))
{
    for (uint64_t i = 0; i < count; i++)
        shares[i].started = i > 0 && pthread_create(&shares[i].thread, NULL, round, &shares[i]) == 0;
    for (uint64_t i = 0; i < count; i++)
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
        else
            round(&shares[i]);
}

/* Turns the folds of shares into those of all items before them. The fold of the last share is not needed. */
static void fold_before(share *shares, uint64_t count)
{
    const operations *with = shares[0].with;
    item all, before, unused;

    with->fold(NULL, 0, &all);
    for (uint64_t i = 0; i < count; i++) {
        before = all;
        if (i + 1 < count)
            with->scan(&shares[i].fold, 1, true, &all, &unused);
        shares[i].fold = before;
    }
}

static uint64_t thread_count(uint64_t n)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = online > 0 ? (uint64_t)online : 1, useful = n / MIN_ITEMS + 1;

    count = count < MAX_THREADS ? count : MAX_THREADS;
    return count < useful ? count : useful;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const operations *with = &all_operations[sb_operator_index(parameters[SB_SCAN_TYPE], parameters[SB_SCAN_OP])];
    uint64_t n = inputs[SB_SCAN_ITEMS].length, count = thread_count(n), first = 0;
    share shares[MAX_THREADS];

    (void)workspace;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t end = (i + 1) * (n / count) + (i + 1) * (n % count) / count;

        shares[i] = (share){.with = with, .n = end - first, .inclusive = parameters[SB_SCAN_INCLUSIVE] != 0};
        if (n > 0) {
            shares[i].items = (const char *)inputs[SB_SCAN_ITEMS].data + first * with->size;
            shares[i].result = (char *)outputs[SB_SCAN_RESULT].data + first * with->size;
        }
        first = end;
    }
    run(shares, count - 1, fold_share);
    fold_before(shares, count);
    run(shares, count, scan_share);
    memcpy(outputs[SB_SCAN_TOTAL].data, &shares[count - 1].fold, with->size);
    return SB_OK;
}

static const uint64_t sizes[] = {MIN_ITEMS, 0};

extern const sb_variant sb_cpu_pattern_scan_threads[];
const sb_variant sb_cpu_pattern_scan_threads[] = {
    {"pattern.scan", "threads", "each thread folds its share, then scans it", NULL, NULL, launch, sizes},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
