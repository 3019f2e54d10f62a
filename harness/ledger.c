/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ledger: contract in ledger.h.
 */
#include "ledger.h"
#include "sources.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void sb_ledger_free(sb_ledger *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->entries[i].line);
        free(l->entries[i].text);
    }
    free(l->entries);
}

/* Cuts the line into its fields, in place. */
static bool split(sb_ledger_entry *e)
{
    char **fields[] = {&e->variant,   &e->sources, &e->digest, &e->cases,
                       &e->generated, &e->seed,    &e->date,   &e->hardware};
    char *rest = e->line;
    size_t count = 0;

    while (count < sizeof fields / sizeof *fields && rest != NULL)
        *fields[count++] = strsep(&rest, "\t");
    e->pending = count == 3 && strcmp(e->sources, "pending") == 0;
    return rest == NULL && (count == sizeof fields / sizeof *fields || e->pending);
}

bool sb_ledger_read(sb_ledger *l, const char *path, char *error, size_t size)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0, number = 0;
    bool good = true;

    memset(l, 0, sizeof *l);
    if (in == NULL && errno == ENOENT)
        return true;
    if (in == NULL) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return false;
    }
    while (good && getline(&line, &capacity, in) > 0) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        sb_ledger_entry *grown = realloc(l->entries, (l->count + 1) * sizeof *grown);
        if (grown == NULL) {
            good = false;
            break;
        }
        l->entries = grown;
        grown[l->count] = (sb_ledger_entry){.line = strdup(line), .text = strdup(line)};
        good = grown[l->count].line != NULL && grown[l->count].text != NULL;
        l->count++;
        good = good && split(&grown[l->count - 1]);
    }
    if (!good)
        snprintf(error, size, "%s:%zu: not a row of the ledger", path, number);
    free(line);
    fclose(in);
    if (!good)
        sb_ledger_free(l);
    return good;
}

const sb_ledger_entry *sb_ledger_find(const sb_ledger *l, const char *variant, const sb_ledger_entry *after)
{
    for (size_t i = after != NULL ? (size_t)(after - l->entries) + 1 : 0; i < l->count; i++)
        if (strcmp(l->entries[i].variant, variant) == 0)
            return &l->entries[i];
    return NULL;
}

size_t sb_ledger_card(const char *hardware)
{
    return strcspn(hardware, ",");
}

const char *sb_ledger_path(const sb_options *options, char *memory, size_t size)
{
    if (options->ledger != NULL)
        return options->ledger;
    snprintf(memory, size, "%s/gpu/VERIFIED.tsv", options->source);
    return memory;
}

static char *row_line(const sb_options *options, const sb_row *row, const char *name)
{
    const char *variant = row->port->info.variants[row->variant].name;
    uint64_t hash = sb_hash_sources(options->source, row->algorithm->name, variant);
    time_t t = time(NULL);
    struct tm utc;
    char date[16] = "", *line = NULL;

    gmtime_r(&t, &utc);
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    if (hash == 0 || asprintf(&line, "%s\t%016llx\t%016llx\t%llu\t%llu\t%llu\t%s\t%s", name, (unsigned long long)hash,
                              (unsigned long long)row->digest, (unsigned long long)(row->cases - row->sized),
                              (unsigned long long)options->cases, (unsigned long long)options->seed, date,
                              row->port->info.description) < 0)
        return NULL;
    return line;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool replace_file(const char *path, char **lines, size_t count, char *error, size_t size)
{
    char temporary[PATH_MAX + 8];
    FILE *out;
    bool good;

    snprintf(temporary, sizeof temporary, "%s.new", path);
    out = fopen(temporary, "w");
    good = out != NULL;
    if (good)
        fputs("# Written by samebits verify --device=cuda --ledger; read by samebits ledger. Not to be edited.\n"
              "# variant\tsources\tdigest\tcases\tgenerated\tseed\tdate\thardware\n",
              out);
    for (size_t i = 0; good && i < count; i++)
        fprintf(out, "%s\n", lines[i]);
    if (out != NULL)
        good = fclose(out) == 0 && rename(temporary, path) == 0;
    if (!good) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        unlink(temporary);
    }
    return good;
}

/* Is the line, up to its first tab, of this variant? */
static bool is_of(const char *line, const char *variant)
{
    size_t length = strlen(variant);

    return strncmp(line, variant, length) == 0 && line[length] == '\t';
}

static bool is_any_of(char *const *lines, size_t count, const char *variant)
{
    for (size_t i = 0; i < count; i++)
        if (is_of(lines[i], variant))
            return true;
    return false;
}

/* Does the line of a run supersede the old row? A row of another card stays while both are of the same sources, and the
 * same cases gave the same digest. */
static bool supersedes(const char *line, const sb_ledger_entry *old)
{
    sb_ledger_entry new = {.line = strdup(line)};
    bool same_card, agrees;

    if (!is_of(line, old->variant) || new.line == NULL || !split(&new) || new.pending || old->pending) {
        free(new.line);
        return is_of(line, old->variant);
    }
    same_card = sb_ledger_card(new.hardware) == sb_ledger_card(old->hardware) &&
                strncmp(new.hardware, old->hardware, sb_ledger_card(old->hardware)) == 0;
    agrees = strcmp(new.sources, old->sources) == 0 &&
             (strcmp(new.seed, old->seed) != 0 || strcmp(new.generated, old->generated) != 0 ||
              (strcmp(new.digest, old->digest) == 0 && strcmp(new.cases, old->cases) == 0));
    free(new.line);
    return same_card || !agrees;
}

/* Adds those of the old rows that the lines do not supersede. False: out of memory. */
static bool keep_others(const sb_ledger *old, char **lines, size_t *count)
{
    size_t written = *count;

    for (size_t i = 0; i < old->count; i++) {
        bool gone = false;

        for (size_t k = 0; k < written && !gone; k++)
            gone = supersedes(lines[k], &old->entries[i]);
        if (gone)
            continue;
        lines[*count] = strdup(old->entries[i].text);
        if (lines[*count] == NULL)
            return false;
        (*count)++;
    }
    return true;
}

/* If `good`, replaces the ledger by these lines and by the old rows of other variants; nothing is written unless all of them
 * are. Frees the lines; the array has space for all of them. */
static bool finish(const char *path, sb_ledger *old, char **lines, size_t count, bool good, char *error, size_t size)
{
    if (good && !keep_others(old, lines, &count)) {
        snprintf(error, size, "out of memory");
        good = false;
    }
    if (good) {
        qsort(lines, count, sizeof *lines, compare_lines);
        good = replace_file(path, lines, count, error, size);
    }
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
    sb_ledger_free(old);
    return good;
}

static bool reason_valid(const char *reason)
{
    return reason[0] != '\0' && strpbrk(reason, "\t\r\n") == NULL;
}

/* Adds a line for each variant that the command names, once. False: out of memory. */
static bool add_pending(const sb_options *options, char **lines, size_t *count)
{
    for (size_t i = 0; i < options->argument_count; i++) {
        if (is_any_of(lines, *count, options->arguments[i]))
            continue;
        if (asprintf(&lines[*count], "%s\tpending\t%s", options->arguments[i], options->pending) < 0)
            return false;
        (*count)++;
    }
    return true;
}

/* The pending rows that there would be: these lines, and the old rows that they do not replace. */
static size_t count_pending(const sb_ledger *old, char *const *lines, size_t count)
{
    size_t pending = count;

    for (size_t i = 0; i < old->count; i++)
        pending += old->entries[i].pending && !is_any_of(lines, count, old->entries[i].variant);
    return pending;
}

bool sb_ledger_write_pending(const sb_options *options, char *error, size_t size)
{
    char memory[PATH_MAX];
    const char *path = sb_ledger_path(options, memory, sizeof memory);
    size_t count = 0;
    bool good = false;
    char **lines;
    sb_ledger old;

    if (!reason_valid(options->pending)) {
        snprintf(error, size, "--pending: the reason must be one line without tabs, and not empty");
        return false;
    }
    if (!sb_ledger_read(&old, path, error, size))
        return false;
    lines = calloc(options->argument_count + old.count + 1, sizeof *lines);
    if (lines == NULL || !add_pending(options, lines, &count))
        snprintf(error, size, "out of memory");
    else if (count_pending(&old, lines, count) > SB_MAX_PENDING)
        snprintf(error, size, "%s: %zu rows would be pending; at most %d may be", path,
                 count_pending(&old, lines, count), SB_MAX_PENDING);
    else
        good = true;
    return finish(path, &old, lines, count, good, error, size);
}

bool sb_ledger_write(const sb_options *options, const sb_report *report, char *error, size_t size)
{
    char memory[PATH_MAX], name[2 * SB_NAME_SIZE];
    const char *path = sb_ledger_path(options, memory, sizeof memory);
    size_t count = 0;
    bool good = true;
    char **lines;
    sb_ledger old;

    if (!report->whole || report->is_shard || report->missing_count > 0) {
        snprintf(error, size, "the ledger takes whole runs only: no --time, --size, --corpus, --case-file or shards");
        return false;
    }
    if (!sb_ledger_read(&old, path, error, size))
        return false;
    lines = calloc(report->row_count + old.count + 1, sizeof *lines);
    for (size_t i = 0; lines != NULL && good && i < report->row_count; i++) {
        const sb_row *row = &report->rows[i];

        if (strcmp(row->port->info.device, "cuda") != 0 || row->failures > 0 || row->cases == 0)
            continue;
        sb_row_name(row, name, sizeof name);
        lines[count] = row_line(options, row, name);
        good = lines[count] != NULL;
        if (!good)
            snprintf(error, size, "%s: no source file under %s/gpu registers it", name, options->source);
        else
            count++;
    }
    if (lines == NULL) {
        snprintf(error, size, "out of memory");
        good = false;
    }
    return finish(path, &old, lines, count, good, error, size);
}
