/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits ledger`: holds the rows of the ledger against the sources and the references.
 */
#include "commands.h"
#include "ledger.h"
#include "sources.h"
#include "verify.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The digests that the references give, for every row of the machine's module, with these seeds. */
static bool compute_digests(const sb_options *options, sb_ports *ports, const sb_row *rows, size_t row_count,
                            const sb_ledger_entry *e, sb_report *report, char *error, size_t size)
{
    sb_options same = *options;

    same.quiet = true;
    same.seed = strtoull(e->seed, NULL, 10);
    same.cases = strtoull(e->generated, NULL, 10);
    same.argument_count = 0;
    memset(report, 0, sizeof *report);
    report->rows = calloc(row_count ? row_count : 1, sizeof *report->rows);
    if (report->rows == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    memcpy(report->rows, rows, row_count * sizeof *rows);
    report->row_count = row_count;
    if (!sb_verify(&same, ports, true, report, error, size))
        return false;
    if (sb_report_status(report) != SB_EXIT_EQUAL)
        snprintf(error, size, "the references could not be run");
    return sb_report_status(report) == SB_EXIT_EQUAL;
}

static bool sources_changed(const sb_options *options, const sb_row *row, const sb_ledger_entry *e)
{
    char text[32];

    snprintf(text, sizeof text, "%016llx",
             (unsigned long long)sb_hash_sources(options->source, row->algorithm->name,
                                                 row->port->info.variants[row->variant].name));
    return strcmp(text, e->sources) != 0;
}

/* What is wrong with the row of a variant; NULL: it is fresh. */
static const char *judge_entry(const sb_options *options, const sb_row *row, const sb_ledger_entry *e)
{
    char text[32];

    if (e == NULL)
        return "missing: no GPU run is recorded";
    if (e->pending)
        return NULL;
    if (sources_changed(options, row, e))
        return "stale: its sources have changed since";
    snprintf(text, sizeof text, "%llu", (unsigned long long)row->cases);
    if (strcmp(text, e->cases) != 0)
        return "stale: the run had another number of cases";
    snprintf(text, sizeof text, "%016llx", (unsigned long long)row->digest);
    if (strcmp(text, e->digest) != 0)
        return "wrong: the references give another digest";
    return NULL;
}

/* The digests of all variants, and the row of the ledger whose seed and number of cases they are for. */
typedef struct digests {
    sb_report report;
    const sb_ledger_entry *of;
} digests;

/* Judges one row of the ledger, or that there is none, and prints what there is to say. False: `error`. */
static bool check_entry(const sb_options *options, sb_ports *ports, const sb_row *rows, size_t row_count, size_t i,
                        const sb_ledger_entry *e, bool several, digests *d, bool *bad, char *error, size_t size)
{
    char name[2 * SB_NAME_SIZE];

    sb_row_name(&rows[i], name, sizeof name);
    /* Runs usually share their seed and number of cases: the digests are computed once for each such pair. */
    if (e != NULL && !e->pending &&
        (d->of == NULL || strcmp(d->of->seed, e->seed) != 0 || strcmp(d->of->generated, e->generated) != 0)) {
        sb_report_free(&d->report);
        if (!compute_digests(options, ports, rows, row_count, e, &d->report, error, size))
            return false;
        d->of = e;
    }
    const char *wrong = judge_entry(options, d->report.rows != NULL ? &d->report.rows[i] : &rows[i], e);
    if (wrong != NULL && several)
        printf("%s on %.*s: %s\n", name, (int)sb_ledger_card(e->hardware), e->hardware, wrong);
    else if (wrong != NULL)
        printf("%s: %s\n", name, wrong);
    else if (e->pending)
        printf("%s: pending: %s\n", name, e->digest);
    *bad = *bad || wrong != NULL;
    return true;
}

/* A variant is fresh if each of its rows is: one for each kind of card that it ran on. */
static int check_ledger(const sb_options *options, sb_ports *ports, sb_row *rows, size_t row_count, const sb_ledger *l)
{
    size_t bad = 0, pending = 0;
    char name[2 * SB_NAME_SIZE], error[1152];
    digests d = {0};

    for (size_t i = 0; i < row_count; i++) {
        sb_row_name(&rows[i], name, sizeof name);
        const sb_ledger_entry *e = sb_ledger_find(l, name, NULL);
        bool several = e != NULL && sb_ledger_find(l, name, e) != NULL, wrong = false;

        pending += e != NULL && e->pending;
        do {
            if (!check_entry(options, ports, rows, row_count, i, e, several, &d, &wrong, error, sizeof error)) {
                sb_report_free(&d.report);
                return sb_error("%s", error);
            }
            e = e != NULL ? sb_ledger_find(l, name, e) : NULL;
        } while (e != NULL);
        bad += wrong;
    }
    sb_report_free(&d.report);
    if (pending > SB_MAX_PENDING)
        printf("%zu rows are pending; at most %d may be\n", pending, SB_MAX_PENDING);
    printf("%zu of %zu variants have a fresh row, %zu pending\n", row_count - bad - pending, row_count, pending);
    if (row_count == 0)
        return SB_EXIT_NOTHING;
    return bad > 0 || pending > SB_MAX_PENDING ? SB_EXIT_WRONG : SB_EXIT_EQUAL;
}

/* Is one of the variant's rows of the ledger fresh? Returns an exit status after an error, else -1. */
static int refuse_fresh(const sb_options *options, sb_ports *ports, const sb_row *row, const char *name,
                        const sb_ledger *l)
{
    char error[1152];

    for (const sb_ledger_entry *e = sb_ledger_find(l, name, NULL); e != NULL; e = sb_ledger_find(l, name, e)) {
        sb_options same = *options;
        sb_report report;
        bool fresh;

        same.ledger =
            ""; /* with the cases of a run for a ledger, whose digest does not depend on what else is selected */
        if (e->pending || sources_changed(options, row, e))
            continue;
        if (!compute_digests(&same, ports, row, 1, e, &report, error, sizeof error)) {
            sb_report_free(&report);
            return sb_error("%s", error);
        }
        fresh = judge_entry(options, &report.rows[0], e) == NULL;
        sb_report_free(&report);
        if (fresh)
            return sb_error("%s has a fresh row, of a run on %s, which --pending would replace", name, e->hardware);
    }
    return -1;
}

/* Writes pending rows. Each argument must be a variant that exists, and has no fresh row. */
static int write_pending(const sb_options *options, sb_ports *ports, const sb_row *rows, size_t row_count,
                         const sb_ledger *l)
{
    char name[2 * SB_NAME_SIZE], error[1152];

    if (options->argument_count == 0)
        return sb_usage_error("--pending needs a variant, ALGORITHM/NAME");
    for (size_t i = 0; i < options->argument_count; i++) {
        bool found = false;

        for (size_t r = 0; r < row_count; r++) {
            sb_row_name(&rows[r], name, sizeof name);
            if (strcmp(name, options->arguments[i]) != 0)
                continue;
            int status = refuse_fresh(options, ports, &rows[r], name, l);
            if (status >= 0)
                return status;
            found = true;
        }
        if (!found)
            return sb_usage_error("'%s' names no variant that has a row in the ledger", options->arguments[i]);
    }
    if (!sb_ledger_write_pending(options, error, sizeof error))
        return sb_error("%s", error);
    for (size_t i = 0; i < options->argument_count; i++)
        printf("%s: pending: %s\n", options->arguments[i], options->pending);
    return SB_EXIT_EQUAL;
}

int sb_ledger_command(const sb_options *options)
{
    sb_options machine = *options;
    char memory[PATH_MAX], folder[PATH_MAX], error[PATH_MAX + 64];
    const char *path = sb_ledger_path(options, memory, sizeof memory);
    size_t row_count;
    sb_ports ports;
    sb_row *rows;
    sb_ledger l;
    int status;

    snprintf(folder, sizeof folder, "%s/gpu", options->source);
    if (access(folder, R_OK) != 0)
        return sb_error("%s: %s; --source names the source tree", folder, strerror(errno));
    if (options->pending == NULL && access(path, R_OK) != 0)
        return sb_error("%s: %s; --ledger names the ledger, by default gpu/VERIFIED.tsv of --source", path,
                        strerror(errno));
    machine.device = "simt-check"; /* any build of the machine has the same variants as the GPU */
    if (!sb_rows_open(&machine, &ports, &rows, &row_count, error, sizeof error))
        return sb_error("%s", error);
    if (sb_ledger_read(&l, path, error, sizeof error)) {
        status = options->pending != NULL ? write_pending(&machine, &ports, rows, row_count, &l)
                                          : check_ledger(&machine, &ports, rows, row_count, &l);
        sb_ledger_free(&l);
    } else {
        status = sb_error("%s", error);
    }
    free(rows);
    sb_ports_free(&ports);
    return status;
}
