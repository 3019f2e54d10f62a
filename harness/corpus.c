/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases from disk: contract in corpus.h.
 */
#include "corpus.h"
#include "../common/folders.h"
#include "algorithms/table.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void sb_corpus_free(sb_corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        sb_case_line_free(&corpus->lines[i]);
    free(corpus->lines);
    memset(corpus, 0, sizeof *corpus);
}

static bool add_line(sb_corpus *corpus, const sb_case_line *line)
{
    if (corpus->count == corpus->capacity) {
        size_t capacity = corpus->capacity ? 2 * corpus->capacity : 64;
        sb_case_line *grown = realloc(corpus->lines, capacity * sizeof *grown);

        if (grown == NULL)
            return false;
        corpus->lines = grown;
        corpus->capacity = capacity;
    }
    corpus->lines[corpus->count++] = *line;
    return true;
}

static bool has_id(const sb_corpus *corpus, size_t from, const char *id)
{
    for (size_t i = from; i < corpus->count; i++)
        if (strcmp(corpus->lines[i].c.id, id) == 0)
            return true;
    return false;
}

/* One line of a file; `first` is where this file's cases begin. */
static bool load_line(sb_corpus *corpus, size_t first, const char *text, size_t length, const char *folder, char *error,
                      size_t size)
{
    sb_case_line line;

    if (!sb_case_parse(text, length, folder, &line, error, size))
        return false;
    if (has_id(corpus, first, line.c.id))
        snprintf(error, size, "another case of this file has the id %s", line.c.id);
    else if (add_line(corpus, &line))
        return true;
    else
        snprintf(error, size, "out of memory");
    sb_case_line_free(&line);
    return false;
}

static void drop_from(sb_corpus *corpus, size_t first)
{
    while (corpus->count > first)
        sb_case_line_free(&corpus->lines[--corpus->count]);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The path as an id: cut, and with '-' for every character that an id must not have. */
static char *id_name(const char *path)
{
    enum { MAX_NAME = 100 }; /* characters; ":LIMIT" follows, and an id has at most 128 */
    char *name = strndup(path, MAX_NAME);

    for (char *c = name; c != NULL && *c != '\0'; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') &&
            strchr("._+-", *c) == NULL)
            *c = '-';
    return name;
}

bool sb_reads_file(const sb_algorithm *algorithm, const char *path)
{
    return algorithm->suffix != NULL && ends_with(path, algorithm->suffix);
}

static bool read_case(sb_case *c, const sb_algorithm *algorithm, FILE *in, const char *path, char *error, size_t size)
{
    const char *slash = strrchr(path, '/');
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[512];

    for (size_t i = 0; i < algorithm->parameter_count; i++)
        c->parameters[i] = algorithm->parameters[i].typical;
    for (size_t i = 0; i < algorithm->input_count; i++)
        c->inputs[i].type = sb_field_type(c, &algorithm->inputs[i]);
    if (!algorithm->read(c, in, why, sizeof why) || !sb_case_shape(c, capacity, why, sizeof why)) {
        snprintf(error, size, "%s: %s", path, why);
        return false;
    }
    free(c->id);
    c->id = id_name(slash != NULL ? slash + 1 : path);
    if (c->id == NULL)
        snprintf(error, size, "%s: out of memory", path);
    return c->id != NULL;
}

bool sb_corpus_read_file(sb_corpus *corpus, const sb_algorithm *algorithm, const char *path, char *error, size_t size)
{
    sb_case_line line = {.has_expected = false};
    FILE *in = fopen(path, "r");
    bool good;

    if (in == NULL) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return false;
    }
    sb_case_init(&line.c, algorithm);
    good = read_case(&line.c, algorithm, in, path, error, size);
    if (good && !add_line(corpus, &line)) {
        snprintf(error, size, "%s: out of memory", path);
        good = false;
    }
    if (!good)
        sb_case_free(&line.c);
    fclose(in);
    return good;
}

/* Sets `taken` if an algorithm reads such files itself. */
static bool read_for_all(sb_corpus *corpus, const char *path, bool *taken, char *error, size_t size)
{
    const sb_algorithm *algorithm;

    *taken = false;
    for (size_t i = 0; (algorithm = sb_algorithm_at(i)) != NULL; i++) {
        if (!sb_reads_file(algorithm, path))
            continue;
        *taken = true;
        if (!sb_corpus_read_file(corpus, algorithm, path, error, size))
            return false;
    }
    return true;
}

bool sb_corpus_load_file(sb_corpus *corpus, const char *path, char *error, size_t size)
{
    size_t first = corpus->count, number = 0, capacity = 0;
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX], what[1024], *text = NULL;
    ssize_t length;
    const sb_algorithm *algorithm;
    bool good, taken, any = false;
    FILE *in;

    good = read_for_all(corpus, path, &taken, error, size);
    if (!good)
        drop_from(corpus, first);
    if (taken)
        return good;
    in = fopen(path, "r");
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (in == NULL) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return false;
    }
    while (good && (length = getline(&text, &capacity, in)) > 0) {
        number++;
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
            length--;
        if (strspn(text, " \t\r\n") >= (size_t)length || text[0] == '#')
            continue;
        any = true;
        algorithm = corpus->wants != NULL ? sb_case_algorithm(text, (size_t)length) : NULL;
        if (algorithm != NULL && !corpus->wants(corpus->who, algorithm))
            continue;
        good = load_line(corpus, first, text, (size_t)length, folder, what, sizeof what);
        if (good && asprintf(&corpus->lines[corpus->count - 1].place, "%s:%zu", path, number) < 0)
            corpus->lines[corpus->count - 1].place = NULL;
        if (!good)
            snprintf(error, size, "%s:%zu: %s", path, number, what);
    }
    if (good && (ferror(in) || !any)) {
        snprintf(error, size, "%s: %s", path, ferror(in) ? strerror(errno) : "holds no case");
        good = false;
    }
    if (!good)
        drop_from(corpus, first);
    free(text);
    fclose(in);
    return good;
}

/* The order of their bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_case_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_with(entry->d_name, ".cases");
}

bool sb_corpus_load_folder(sb_corpus *corpus, const char *path, char *error, size_t size)
{
    struct dirent **entries;
    size_t first = corpus->count;
    int count = scandir(path, &entries, is_case_file, by_name);
    bool good = count > 0;

    if (count < 0)
        snprintf(error, size, "%s: %s", path, strerror(errno));
    else if (count == 0)
        snprintf(error, size, "%s: holds no *.cases file", path);
    for (int i = 0; i < count; i++) {
        char file[PATH_MAX];

        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        good = good && sb_corpus_load_file(corpus, file, error, size);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (!good)
        drop_from(corpus, first);
    return good;
}

/* Adds the worked cases that stand beside contract modules. */
static bool load_contracts(sb_corpus *corpus, char *error, size_t size)
{
    const sb_algorithm *algorithm;
    char file[PATH_MAX];

    for (size_t i = 0; (algorithm = sb_algorithm_at(i)) != NULL; i++) {
        if (sb_algorithm_folder(algorithm) == NULL)
            continue;
        snprintf(file, sizeof file, "%s/%s.cases", sb_algorithm_folder(algorithm), algorithm->name);
        if (access(file, F_OK) == 0 && !sb_corpus_load_file(corpus, file, error, size))
            return false;
    }
    return true;
}

bool sb_corpus_load_default(sb_corpus *corpus, char *error, size_t size)
{
    char why[1024];
    const char *folder = sb_part(SB_PART_CORPUS);

    if (sb_corpus_load_folder(corpus, folder, why, sizeof why))
        return load_contracts(corpus, error, size);
    /* What is wrong is the folder itself, or one of its files. */
    snprintf(error, size, "%s%s", why,
             why[strlen(folder)] == ':' ? "; set SAMEBITS_CORPUS to use another directory" : "");
    return false;
}

static int is_real(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strncmp(entry->d_name, "README", 6) != 0 && !ends_with(entry->d_name, ".cases");
}

static bool add_file(sb_real_file **files, size_t *count, const char *path, const char *name, uint64_t bytes)
{
    sb_real_file *grown = realloc(*files, (*count + 1) * sizeof *grown);

    if (grown == NULL)
        return false;
    *files = grown;
    grown[*count] = (sb_real_file){strdup(path), id_name(name), bytes};
    (*count)++;
    return grown[*count - 1].path != NULL && grown[*count - 1].name != NULL;
}

typedef struct search {
    sb_real_file *files;
    size_t count;
    char *error;
    size_t size;
} search;

static bool search_folder(search *s, const char *folder, const char *below);

/* Links to files count as files. Links to folders are ignored: they may form a cycle. */
static bool search_entry(search *s, const char *path, const char *name)
{
    struct stat status;

    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return search_folder(s, path, name);
    if (stat(path, &status) != 0) {
        snprintf(s->error, s->size, "%s: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode) || add_file(&s->files, &s->count, path, name, (uint64_t)status.st_size))
        return true;
    snprintf(s->error, s->size, "out of memory");
    return false;
}

/* `below`: the names of the folders from the top to here, joined by '-'. */
static bool search_folder(search *s, const char *folder, const char *below)
{
    struct dirent **entries;
    int found = scandir(folder, &entries, is_real, by_name);
    bool good = found >= 0;

    if (!good)
        snprintf(s->error, s->size, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < found; i++) {
        char *path = NULL, *name = NULL;

        if (good && (asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0 ||
                     asprintf(&name, "%s%s%s", below, *below ? "-" : "", entries[i]->d_name) < 0)) {
            snprintf(s->error, s->size, "out of memory");
            good = false;
        }
        good = good && search_entry(s, path, name);
        free(path);
        free(name);
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return good;
}

bool sb_real_files(const char *folder, sb_real_file **files, size_t *count, char *error, size_t size)
{
    search s = {.error = error, .size = size};
    bool good = search_folder(&s, folder, "");

    if (good && s.count == 0) {
        snprintf(error, size, "%s: holds no file that could be a case", folder);
        good = false;
    }
    if (!good)
        sb_real_files_free(s.files, s.count);
    *files = good ? s.files : NULL;
    *count = good ? s.count : 0;
    return good;
}

void sb_real_files_free(sb_real_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(files[i].path);
        free(files[i].name);
    }
    free(files);
}

bool sb_takes_real_files(const sb_algorithm *algorithm)
{
    return algorithm->inputs[0].type == SB_U8 && algorithm->inputs[0].shape == NULL;
}

bool sb_read_bytes(const char *path, uint64_t bytes, sb_array *array, char *error, size_t size)
{
    FILE *in = fopen(path, "rb");
    bool good = in != NULL;

    if (!good)
        snprintf(error, size, "%s: %s", path, strerror(errno));
    if (good && !sb_array_resize(array, bytes)) {
        snprintf(error, size, "%s: out of memory", path);
        good = false;
    }
    if (good && bytes > 0 && fread(array->data, 1, bytes, in) != bytes) {
        snprintf(error, size, "%s: %s", path, ferror(in) ? strerror(errno) : "shorter than it was");
        good = false;
    }
    if (in != NULL)
        fclose(in);
    return good;
}

bool sb_real_case(sb_case *c, const sb_algorithm *algorithm, const sb_real_file *file, uint64_t limit, char *error,
                  size_t size)
{
    bool is_cut = limit != 0 && limit < file->bytes, good;
    uint64_t bytes = is_cut ? limit : file->bytes;
    sb_case made;

    sb_case_init(&made, algorithm);
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        if (algorithm->parameters[i].interesting != NULL)
            made.parameters[i] = algorithm->parameters[i].interesting[0];
    good = sb_read_bytes(file->path, bytes, &made.inputs[0], error, size);
    if (good &&
        !(sb_case_normalise(&made) && (is_cut ? sb_case_set_id(&made, "%s:%llu", file->name, (unsigned long long)bytes)
                                              : sb_case_set_id(&made, "%s", file->name)))) {
        snprintf(error, size, "%s: out of memory", file->path);
        good = false;
    }
    if (good)
        *c = made;
    else
        sb_case_free(&made);
    return good;
}
