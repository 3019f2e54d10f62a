/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ledger: contract in ledger.h.
 */
#include "ledger.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* More pending rows than this, and the ledger proves nothing. */
enum { MAX_PENDING = 10 };

enum { MAX_SOURCES = 64 };

/* ---- hashes of sources ---- */

typedef struct sources {
    char *names[MAX_SOURCES]; /* relative to the source tree */
    size_t count;
} sources;

/* Takes `name` over. */
static void add_source(sources *s, char *name)
{
    for (size_t i = 0; name != NULL && i < s->count; i++)
        if (strcmp(s->names[i], name) == 0) {
            free(name);
            return;
        }
    if (name != NULL && s->count < MAX_SOURCES)
        s->names[s->count++] = name;
    else
        free(name);
}

static char *read_file(const char *root, const char *name)
{
    char path[PATH_MAX], *text = NULL;
    size_t length, got;
    char piece[8192];
    FILE *in, *out;

    snprintf(path, sizeof path, "%s/%s", root, name);
    in = fopen(path, "r");
    out = in != NULL ? open_memstream(&text, &length) : NULL;
    while (out != NULL && (got = fread(piece, 1, sizeof piece, in)) > 0)
        fwrite(piece, 1, got, out);
    if (in != NULL)
        fclose(in);
    if (out == NULL || fclose(out) != 0)
        return NULL;
    return text;
}

/* Blanks out C comments, and squeezes white space, in place: what is left is what the compiler sees. */
static void strip(char *text)
{
    char *to = text;
    char quote = 0;

    for (const char *from = text; *from != '\0';) {
        if (quote != 0) {
            if (*from == '\\' && from[1] != '\0')
                *to++ = *from++;
            else if (*from == quote)
                quote = 0;
            *to++ = *from++;
        } else if (from[0] == '/' && from[1] == '/') {
            from += strcspn(from, "\n");
        } else if (from[0] == '/' && from[1] == '*') {
            const char *end = strstr(from + 2, "*/");

            from = end != NULL ? end + 2 : from + strlen(from);
            if (to > text && to[-1] != ' ')
                *to++ = ' ';
        } else if (strchr(" \t\n\r", *from) != NULL) {
            if (to > text && to[-1] != ' ')
                *to++ = ' ';
            from++;
        } else {
            if (*from == '"' || *from == '\'')
                quote = *from;
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* The file that `name` includes as `include`, with "x/../" resolved; allocated. */
static char *include_path(const char *name, const char *include, size_t length)
{
    const char *slash = strrchr(name, '/');
    char *path = NULL;

    if (asprintf(&path, "%.*s%.*s", slash ? (int)(slash - name + 1) : 0, name, (int)length, include) < 0)
        return NULL;
    for (char *up = strstr(path, "/../"); up != NULL; up = strstr(path, "/../")) {
        char *before = up;

        while (before > path && before[-1] != '/')
            before--;
        memmove(before, up + 4, strlen(up + 4) + 1);
    }
    return path;
}

/* Adds the device layer's headers that the text includes, as `#include <samebits/prim/NAME>`. */
static void add_primitives(sources *s, const char *text)
{
    static const char start[] = "#include <samebits/prim/";

    for (const char *at = text; at != NULL && (at = strstr(at, start)) != NULL;) {
        char *path = NULL;

        at += strlen("#include <");
        if (asprintf(&path, "include/%.*s", (int)strcspn(at, ">\n"), at) > 0)
            add_source(s, path);
    }
}

/* Adds what the file includes from ref/, gpu/ and the device layer, and for a header of ref/ the C file beside it. */
static void add_includes(sources *s, const char *root, const char *name)
{
    char *text = read_file(root, name);

    add_primitives(s, text);
    for (const char *at = text; at != NULL && (at = strstr(at, "#include \"")) != NULL;) {
        at += strlen("#include \"");
        char *included = include_path(name, at, strcspn(at, "\"\n"));

        if (included != NULL && (strncmp(included, "ref/", 4) == 0 || strncmp(included, "gpu/", 4) == 0)) {
            size_t length = strlen(included);

            if (included[0] == 'r' && length > 2 && strcmp(included + length - 2, ".h") == 0 &&
                strcmp(included, "ref/ref.h") != 0) {
                char *body = strdup(included);

                if (body != NULL)
                    body[length - 1] = 'c';
                add_source(s, body);
            }
            add_source(s, included);
        } else {
            free(included);
        }
    }
    free(text);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds every file of the folder with the ending whose text holds `needle`. */
static void add_holding(sources *s, const char *root, const char *folder, const char *ending, const char *needle)
{
    char path[PATH_MAX];
    struct dirent *entry;
    DIR *directory;

    snprintf(path, sizeof path, "%s/%s", root, folder);
    directory = opendir(path);
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        size_t length = strlen(entry->d_name);
        char *name = NULL, *text;

        if (length < strlen(ending) || strcmp(entry->d_name + length - strlen(ending), ending) != 0 ||
            asprintf(&name, "%s/%s", folder, entry->d_name) < 0)
            continue;
        text = read_file(root, name);
        if (text != NULL && strstr(text, needle) != NULL)
            add_source(s, name);
        else
            free(name);
        free(text);
    }
    if (directory != NULL)
        closedir(directory);
}

static void add_variant_file(sources *s, const char *root, const char *needle)
{
    char path[PATH_MAX], family[PATH_MAX];
    struct dirent *entry;
    DIR *directory;

    snprintf(path, sizeof path, "%s/gpu", root);
    directory = opendir(path);
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(family, sizeof family, "gpu/%s", entry->d_name);
        add_holding(s, root, family, ".cu", needle);
    }
    if (directory != NULL)
        closedir(directory);
}

/* FNV-1a over the stripped sources of a variant, in name order; 0 when its file was not found. */
static uint64_t hash_sources(const char *root, const char *algorithm, const char *name)
{
    sources s = {.count = 0};
    uint64_t hash = 0xcbf29ce484222325u;
    char needle[2 * SB_NAME_SIZE + 8];
    char *corpus = NULL;
    bool found;

    snprintf(needle, sizeof needle, "{\"%s\", \"%s\"", algorithm, name);
    add_variant_file(&s, root, needle);
    found = s.count == 1;
    snprintf(needle, sizeof needle, ".name = \"%s\"", algorithm);
    add_holding(&s, root, "harness/algorithms", ".c", needle);
    if (asprintf(&corpus, "corpus/%s.cases", algorithm) > 0)
        add_source(&s, corpus);
    for (size_t i = 0; i < s.count; i++)
        add_includes(&s, root, s.names[i]);
    qsort(s.names, s.count, sizeof *s.names, compare_names);
    for (size_t i = 0; i < s.count; i++) {
        char *text = read_file(root, s.names[i]);

        if (text != NULL)
            strip(text);
        for (const char *c = text; c != NULL && *c != '\0'; c++)
            hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
        free(text);
        free(s.names[i]);
    }
    return found ? hash : 0;
}

/* ---- rows ---- */

typedef struct entry {
    char *line; /* owned; the fields point into it */
    char *text; /* the line as it was read */
    char *variant, *sources, *digest, *cases, *generated, *seed, *date, *hardware;
    bool pending;
} entry;

typedef struct ledger {
    entry *entries;
    size_t count;
} ledger;

static void free_ledger(ledger *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->entries[i].line);
        free(l->entries[i].text);
    }
    free(l->entries);
}

static bool split(entry *e)
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

/* A missing file is an empty ledger. */
static bool read_ledger(const char *path, ledger *l, char *error, size_t size)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, number = 0;
    bool good = true;

    memset(l, 0, sizeof *l);
    if (in == NULL && errno == ENOENT)
        return true;
    if (in == NULL) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return false;
    }
    while (good && getline(&line, &room, in) > 0) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        entry *grown = realloc(l->entries, (l->count + 1) * sizeof *grown);
        if (grown == NULL) {
            good = false;
            break;
        }
        l->entries = grown;
        grown[l->count] = (entry){.line = strdup(line), .text = strdup(line)};
        good = grown[l->count].line != NULL && grown[l->count].text != NULL;
        l->count++;
        good = good && split(&grown[l->count - 1]);
    }
    if (!good)
        snprintf(error, size, "%s:%zu: not a row of the ledger", path, number);
    free(line);
    fclose(in);
    if (!good)
        free_ledger(l);
    return good;
}

static const entry *find_entry(const ledger *l, const char *variant)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->entries[i].variant, variant) == 0)
            return &l->entries[i];
    return NULL;
}

static const char *ledger_path(const sb_options *options, char *memory, size_t size)
{
    if (options->ledger != NULL)
        return options->ledger;
    snprintf(memory, size, "%s/gpu/VERIFIED.tsv", options->source);
    return memory;
}

/* ---- writing ---- */

static char *row_line(const sb_options *options, const sb_row *row, const char *name)
{
    const char *variant = row->port->info.variants[row->variant].name;
    uint64_t hash = hash_sources(options->source, row->algorithm->name, variant);
    time_t t = time(NULL);
    struct tm utc;
    char date[16] = "", *line = NULL;

    gmtime_r(&t, &utc);
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    if (hash == 0 ||
        asprintf(&line, "%s\t%016llx\t%016llx\t%llu\t%llu\t%llu\t%s\t%s", name, (unsigned long long)hash,
                 (unsigned long long)row->digest, (unsigned long long)row->cases, (unsigned long long)options->cases,
                 (unsigned long long)options->seed, date, row->port->info.description) < 0)
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

bool sb_ledger_write(const sb_options *options, const sb_report *report, char *error, size_t size)
{
    char memory[PATH_MAX], name[2 * SB_NAME_SIZE];
    const char *path = ledger_path(options, memory, sizeof memory);
    size_t count = 0;
    bool good = true;
    char **lines;
    ledger old;

    if (report->late > 0 || options->size != 0 || options->corpus.count > 0 || options->case_files.count > 0 ||
        getenv("TEST_TOTAL_SHARDS") != NULL) {
        snprintf(error, size, "the ledger takes whole runs only: no --time, --size, --corpus, --case-file or shards");
        return false;
    }
    if (!read_ledger(path, &old, error, size))
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
    for (size_t i = 0; lines != NULL && i < old.count; i++) {
        bool replaced = false;

        for (size_t j = 0; j < count; j++)
            replaced |= strncmp(lines[j], old.entries[i].variant, strlen(old.entries[i].variant)) == 0 &&
                        lines[j][strlen(old.entries[i].variant)] == '\t';
        if (!replaced && (lines[count] = strdup(old.entries[i].text)) != NULL)
            count++;
    }
    if (lines != NULL)
        qsort(lines, count, sizeof *lines, compare_lines);
    good = good && lines != NULL && replace_file(path, lines, count, error, size);
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
    free_ledger(&old);
    return good;
}

/* ---- checking ---- */

/* The digests that the references give, for every row of the machine's module, with these seeds. */
static bool compute_digests(const sb_options *options, sb_ports *ports, const sb_row *rows, size_t row_count,
                            const entry *e, sb_report *report)
{
    sb_options same = *options;

    same.references_only = true;
    same.quiet = true;
    same.seed = strtoull(e->seed, NULL, 10);
    same.cases = strtoull(e->generated, NULL, 10);
    same.argument_count = 0;
    memset(report, 0, sizeof *report);
    report->rows = calloc(row_count ? row_count : 1, sizeof *report->rows);
    if (report->rows == NULL)
        return false;
    memcpy(report->rows, rows, row_count * sizeof *rows);
    report->row_count = row_count;
    return sb_verify(&same, ports, report) == SB_EXIT_EQUAL;
}

/* What is wrong with the row of a variant; NULL: it is fresh. */
static const char *judge_entry(const sb_options *options, const sb_row *row, const entry *e)
{
    char text[32];

    if (e == NULL)
        return "missing: no GPU run is recorded";
    if (e->pending)
        return NULL;
    snprintf(text, sizeof text, "%016llx",
             (unsigned long long)hash_sources(options->source, row->algorithm->name,
                                              row->port->info.variants[row->variant].name));
    if (strcmp(text, e->sources) != 0)
        return "stale: its sources have changed since";
    snprintf(text, sizeof text, "%llu", (unsigned long long)row->cases);
    if (strcmp(text, e->cases) != 0)
        return "stale: the run had another number of cases";
    snprintf(text, sizeof text, "%016llx", (unsigned long long)row->digest);
    if (strcmp(text, e->digest) != 0)
        return "wrong: the references give another digest";
    return NULL;
}

static int check_ledger(const sb_options *options, sb_ports *ports, sb_row *rows, size_t row_count, const ledger *l)
{
    sb_report report = {0};
    size_t bad = 0, pending = 0;
    char name[2 * SB_NAME_SIZE];
    const entry *computed = NULL;

    for (size_t i = 0; i < row_count; i++) {
        sb_row_name(&rows[i], name, sizeof name);
        const entry *e = find_entry(l, name);

        /* Runs usually share their seed and number of cases: the digests are computed once for each such pair. */
        if (e != NULL && !e->pending &&
            (computed == NULL || strcmp(computed->seed, e->seed) != 0 ||
             strcmp(computed->generated, e->generated) != 0)) {
            sb_report_free(&report);
            if (!compute_digests(options, ports, rows, row_count, e, &report))
                return sb_usage_error("the references could not be run");
            computed = e;
        }
        const char *wrong = judge_entry(options, report.rows != NULL ? &report.rows[i] : &rows[i], e);
        if (wrong != NULL)
            printf("%s: %s\n", name, wrong);
        else if (e->pending)
            printf("%s: pending: %s\n", name, e->digest);
        bad += wrong != NULL;
        pending += wrong == NULL && e->pending;
    }
    sb_report_free(&report);
    if (pending > MAX_PENDING)
        printf("%zu rows are pending; at most %d may be\n", pending, MAX_PENDING);
    printf("%zu of %zu variants have a fresh row, %zu pending\n", row_count - bad - pending, row_count, pending);
    if (row_count == 0)
        return SB_EXIT_NOTHING;
    return bad > 0 || pending > MAX_PENDING ? SB_EXIT_WRONG : SB_EXIT_EQUAL;
}

int sb_ledger_command(const sb_options *options)
{
    sb_options machine = *options;
    char memory[PATH_MAX], error[PATH_MAX + 64];
    size_t row_count;
    sb_ports ports;
    sb_row *rows;
    ledger l;
    int status;

    machine.device = "simt-check"; /* any build of the machine has the same variants as the GPU */
    status = sb_open(&machine, &ports, &rows, &row_count);
    if (status >= 0)
        return status;
    if (read_ledger(ledger_path(options, memory, sizeof memory), &l, error, sizeof error)) {
        status = check_ledger(&machine, &ports, rows, row_count, &l);
        free_ledger(&l);
    } else {
        status = sb_usage_error("%s", error);
    }
    free(rows);
    sb_ports_free(&ports);
    return status;
}
