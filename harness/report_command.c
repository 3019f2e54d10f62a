/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `samebits report`: joins the JSON reports of shards and machines into one. Rows of one variant on one device and hardware
 * are one row, whose counts, digests and failures are those of all its shards.
 */
#include "commands.h"
#include "algorithms/table.h"
#include "json.h"
#include "ledger.h"
#include "report.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Shards at most: one bit for each stands in a row. More would be cases of seconds each. */
enum { MAX_SHARDS = 4096 };

/* A joined row, and which shards it has. */
typedef struct joined_row {
    sb_port_info port;
    uint64_t seen[MAX_SHARDS / 64];
} joined_row;

typedef struct joint {
    sb_report report;
    joined_row **rows; /* in the order of the report's rows */
    bool first;        /* no file has been read */
} joint;

static void free_joint(joint *j)
{
    for (size_t i = 0; i < j->report.row_count; i++) {
        free(j->rows[i]->port.name);
        sb_module_info_free(&j->rows[i]->port.info);
        free(j->rows[i]);
    }
    free(j->rows);
    sb_report_free(&j->report);
}

static char *copy(const char *text)
{
    return text != NULL ? strdup(text) : NULL;
}

/* The index of the row for this variant on this hardware; it is made if there is none. SIZE_MAX: no memory, or no such
 * algorithm. */
static size_t find_row(joint *j, const sb_json *from, const char *variant)
{
    const char *device = sb_json_text(from, "device"), *hardware = sb_json_text(from, "hardware");
    const char *kind = sb_json_text(from, "kind"), *verdict = sb_json_text(from, "verdict");
    const char *device_error = sb_json_text(from, "device_error");
    const char *slash = strchr(variant, '/');
    char algorithm[SB_NAME_SIZE], name[2 * SB_NAME_SIZE];
    size_t count = j->report.row_count;
    joined_row **rows;
    sb_row *grown;

    for (size_t i = 0; i < count; i++) {
        sb_row_name(&j->report.rows[i], name, sizeof name);
        if (strcmp(name, variant) == 0 && strcmp(j->rows[i]->port.name, device ? device : "") == 0 &&
            strcmp(j->rows[i]->port.info.description, hardware ? hardware : "") == 0)
            return i;
    }
    if (slash == NULL)
        return SIZE_MAX;
    snprintf(algorithm, sizeof algorithm, "%.*s", (int)(slash - variant), variant);
    grown = realloc(j->report.rows, (count + 1) * sizeof *grown);
    if (grown != NULL)
        j->report.rows = grown;
    rows = realloc(j->rows, (count + 1) * sizeof *rows);
    if (rows != NULL)
        j->rows = rows;
    if (grown == NULL || rows == NULL || sb_algorithm_find(algorithm) == NULL ||
        (rows[count] = calloc(1, sizeof **rows)) == NULL)
        return SIZE_MAX;
    sb_port_info *port = &rows[count]->port;
    port->name = strdup(device ? device : "");
    port->info.variants = calloc(1, sizeof *port->info.variants);
    if (port->name == NULL || port->info.variants == NULL) {
        free(port->name);
        sb_module_info_free(&port->info);
        free(rows[count]);
        return SIZE_MAX;
    }
    port->info.count = 1;
    port->info.available =
        device_error == NULL && (verdict == NULL || strcmp(verdict, sb_verdict_word(SB_VERDICT_NO_DEVICE)) != 0);
    snprintf(port->info.error, sizeof port->info.error, "%s", device_error ? device_error : "");
    snprintf(port->info.device, sizeof port->info.device, "%s", kind ? kind : "");
    snprintf(port->info.description, sizeof port->info.description, "%s", hardware ? hardware : "");
    snprintf(port->info.variants[0].algorithm, SB_NAME_SIZE, "%s", algorithm);
    snprintf(port->info.variants[0].name, SB_NAME_SIZE, "%s", slash + 1);
    grown[count] = (sb_row){.algorithm = sb_algorithm_find(algorithm), .port = port};
    j->report.row_count++;
    return count;
}

/* Adds one row of a file. False: `error` says what is wrong with it. */
static bool add_row(joint *j, const char *path, const sb_json *from, uint64_t shard, char *error, size_t size)
{
    const char *variant = sb_json_text(from, "variant"), *digest = sb_json_text(from, "digest");
    const char *reason = sb_json_text(from, "skip_reason");
    size_t index = variant != NULL ? find_row(j, from, variant) : SIZE_MAX;

    if (index == SIZE_MAX) {
        snprintf(error, size, "%s: '%s' is no variant of an algorithm that samebits knows", path,
                 variant ? variant : "");
        return false;
    }
    joined_row *joined = j->rows[index];
    sb_row *row = &j->report.rows[index];
    if (joined->seen[shard / 64] >> shard % 64 & 1) {
        snprintf(error, size, "%s: shard %llu of %s on %s is there twice", path, (unsigned long long)shard, variant,
                 joined->port.name);
        return false;
    }
    joined->seen[shard / 64] |= (uint64_t)1 << shard % 64;
    if (row->skipped == 0 && reason != NULL)
        snprintf(row->reason, sizeof row->reason, "%s", reason);
    row->cases += sb_json_count(from, "cases");
    row->runs += sb_json_count(from, "runs");
    row->certified += sb_json_count(from, "certified");
    row->skipped += sb_json_count(from, "skipped");
    row->refused += sb_json_count(from, "refused");
    row->sized += sb_json_count(from, "sized");
    row->failures += sb_json_count(from, "failures");
    row->seconds += sb_json_number(from, "seconds");
    row->digest += digest != NULL ? strtoull(digest, NULL, 16) : 0;
    j->report.compared += sb_json_count(from, "cases");
    return true;
}

static sb_fault find_fault(const char *name)
{
    sb_fault fault = SB_FAULT_MISMATCH;

    while (name != NULL && fault < SB_FAULT_REFERENCE && strcmp(sb_fault_name(fault), name) != 0)
        fault++;
    return fault;
}

/* The row that a failure of this file is about; NULL: it is of a reference. */
static const sb_row *row_of_failure(const joint *j, const sb_json *from, const sb_json *rows)
{
    const char *variant = sb_json_text(from, "variant"), *device = sb_json_text(from, "device");
    char name[2 * SB_NAME_SIZE];

    for (const sb_json *r = rows->first; r != NULL && variant != NULL && device != NULL; r = r->next) {
        const char *hardware = sb_json_text(r, "hardware");

        if (sb_json_text(r, "variant") == NULL || strcmp(sb_json_text(r, "variant"), variant) != 0 ||
            sb_json_text(r, "device") == NULL || strcmp(sb_json_text(r, "device"), device) != 0)
            continue;
        for (size_t i = 0; i < j->report.row_count; i++) {
            sb_row_name(&j->report.rows[i], name, sizeof name);
            if (strcmp(name, variant) == 0 && strcmp(j->rows[i]->port.name, device) == 0 &&
                strcmp(j->rows[i]->port.info.description, hardware ? hardware : "") == 0)
                return &j->report.rows[i];
        }
    }
    return NULL;
}

/* `rows`: of the file. */
static bool add_failure(joint *j, const sb_json *from, const sb_json *rows)
{
    const char *algorithm = sb_json_text(from, "algorithm");
    const sb_algorithm *known = algorithm != NULL ? sb_algorithm_find(algorithm) : NULL;
    sb_failure *grown = realloc(j->report.failures, (j->report.failure_count + 1) * sizeof *grown);
    const char *id = sb_json_text(from, "id");

    if (grown == NULL)
        return false;
    j->report.failures = grown;
    grown[j->report.failure_count] = (sb_failure){.row = row_of_failure(j, from, rows),
                                                  .algorithm = known != NULL ? known->name : "?",
                                                  .id = strdup(id != NULL ? id : "?"),
                                                  .fault = find_fault(sb_json_text(from, "fault")),
                                                  .seed = sb_json_count(from, "seed"),
                                                  .text = copy(sb_json_text(from, "text")),
                                                  .line = copy(sb_json_text(from, "case")),
                                                  .file = copy(sb_json_text(from, "file")),
                                                  .replay = copy(sb_json_text(from, "replay")),
                                                  .more = sb_json_count(from, "more"),
                                                  .more_ids = copy(sb_json_text(from, "more_ids"))};
    return grown[j->report.failure_count++].id != NULL;
}

static bool add_text(char ***texts, size_t *count, char *text)
{
    char **grown = text != NULL ? realloc(*texts, (*count + 1) * sizeof *grown) : NULL;

    if (grown == NULL) {
        free(text);
        return false;
    }
    *texts = grown;
    grown[(*count)++] = text;
    return true;
}

/* Adds one file. False: `error` says why it does not fit. */
static bool add_report(joint *j, const char *path, const sb_json *file, char *error, size_t size)
{
    const sb_json *rows = sb_json_member(file, "variants"), *failures = sb_json_member(file, "failures");
    const sb_json *unreached = sb_json_member(file, "unreached"), *whole = sb_json_member(file, "whole");
    const sb_json *may_refuse = sb_json_member(file, "may_refuse");
    uint64_t shard = sb_json_count(file, "shard"), shards = sb_json_count(file, "shards");
    sb_report *report = &j->report;
    bool good = true;

    if (sb_json_count(file, "format") != 1 || rows == NULL || failures == NULL || shards == 0 || shard >= shards ||
        shards > MAX_SHARDS) {
        snprintf(error, size, "%s: not a report of samebits verify --json", path);
        return false;
    }
    if (j->first) {
        report->seed = sb_json_count(file, "seed");
        report->generated = sb_json_count(file, "generated");
        report->shards = shards;
        report->whole = report->may_refuse = true;
        j->first = false;
    }
    if (report->seed != sb_json_count(file, "seed") || report->generated != sb_json_count(file, "generated") ||
        report->shards != shards) {
        snprintf(error, size, "%s: a run of another --seed, --cases or number of shards", path);
        return false;
    }
    report->whole = report->whole && whole != NULL && whole->text != NULL && strcmp(whole->text, "true") == 0;
    report->may_refuse =
        report->may_refuse && may_refuse != NULL && may_refuse->text != NULL && strcmp(may_refuse->text, "true") == 0;
    report->confirmed += sb_json_count(file, "confirmed");
    report->round_trips += sb_json_count(file, "round_trips");
    report->late += sb_json_count(file, "late");
    report->seconds += sb_json_number(file, "seconds");
    for (const sb_json *r = rows->first; good && r != NULL; r = r->next)
        good = add_row(j, path, r, shard, error, size);
    if (report->unreached_count == 0 && sb_json_text(file, "unreached_reason") != NULL)
        snprintf(report->unreached_reason, sizeof report->unreached_reason, "%s",
                 sb_json_text(file, "unreached_reason"));
    for (const sb_json *u = unreached ? unreached->first : NULL; good && u != NULL; u = u->next)
        good = add_text(&report->unreached, &report->unreached_count, copy(u->text));
    return good;
}

static bool has_shard(const joined_row *row, uint64_t shard)
{
    return (row->seen[shard / 64] >> shard % 64 & 1) != 0;
}

/* Names each shard that no row has, and each that only some rows lack. */
static bool find_missing(joint *j)
{
    sb_report *report = &j->report;
    bool good = true;

    for (uint64_t shard = 0; good && shard < report->shards; shard++) {
        size_t rows = 0;
        char *text = NULL;

        for (size_t i = 0; i < report->row_count; i++)
            rows += has_shard(j->rows[i], shard);
        if (rows == 0 &&
            asprintf(&text, "shard %llu of %llu", (unsigned long long)shard, (unsigned long long)report->shards) >= 0)
            good = add_text(&report->missing, &report->missing_count, text);
        for (size_t i = 0; good && rows > 0 && i < report->row_count; i++) {
            char name[2 * SB_NAME_SIZE];

            if (has_shard(j->rows[i], shard) || !j->rows[i]->port.info.available)
                continue;
            sb_row_name(&report->rows[i], name, sizeof name);
            if (asprintf(&text, "shard %llu of %llu for %s on %s (%s)", (unsigned long long)shard,
                         (unsigned long long)report->shards, name, j->rows[i]->port.name,
                         j->rows[i]->port.info.description) < 0)
                text = NULL;
            good = add_text(&report->missing, &report->missing_count, text);
        }
    }
    return good;
}

/* The failures of a file; to be called when the rows of all files are there, and stay where they are. */
static bool add_failures(joint *j, const sb_json *file)
{
    const sb_json *rows = sb_json_member(file, "variants"), *failures = sb_json_member(file, "failures");
    bool good = true;

    for (const sb_json *f = failures->first; good && f != NULL; f = f->next)
        good = add_failure(j, f, rows);
    return good;
}

int sb_report_command(const sb_options *options)
{
    joint j = {.first = true};
    sb_options joined = *options;
    char error[1152] = "";
    sb_json **files;
    bool good;
    int status;

    if (options->argument_count == 0)
        return sb_usage_error("report needs files that verify --json wrote");
    if (!sb_outputs_ready(options, error, sizeof error))
        return sb_error("%s", error);
    files = calloc(options->argument_count, sizeof *files);
    good = files != NULL;
    for (size_t i = 0; good && i < options->argument_count; i++) {
        files[i] = sb_json_read(options->arguments[i], error, sizeof error);
        good = files[i] != NULL && add_report(&j, options->arguments[i], files[i], error, sizeof error);
    }
    for (size_t i = 0; good && i < options->argument_count; i++)
        good = add_failures(&j, files[i]);
    good = good && find_missing(&j);
    for (size_t i = 0; files != NULL && i < options->argument_count; i++)
        sb_json_free(files[i]);
    free(files);
    if (!good) {
        free_joint(&j);
        return sb_error("%s", error[0] ? error : "out of memory");
    }
    sb_report_merge(&j.report);
    status = sb_report_status(&j.report);
    sb_report_text(sb_text_stream(options), &j.report, options->quiet);
    joined.seed = j.report.seed;
    joined.cases = j.report.generated;
    if (!sb_reports_write(options, &j.report, error, sizeof error) ||
        (options->ledger != NULL && !sb_ledger_write(&joined, &j.report, error, sizeof error)))
        status = sb_error("%s", error);
    free_joint(&j);
    return status;
}
