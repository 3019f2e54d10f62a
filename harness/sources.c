/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Hashes of sources: contract in sources.h.
 */
#include "sources.h"
#include "worker.h"
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Files of one variant at most; the variant with the most has about 30. Those past it would not be hashed. */
enum { MAX_SOURCES = 64 };

/* The device layer and the patterns on it: most of what a variant made of patterns runs. */
static const char *const libraries[] = {"include/samebits/prim/", "include/samebits/pattern/"};

typedef struct sources {
    char *names[MAX_SOURCES]; /* relative to the source tree */
    size_t count;
} sources;

/* Adds the name unless it is there. Takes it over. */
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

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_library(const char *name)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (begins_with(name, libraries[i]))
            return true;
    return false;
}

/* Adds a header of ref/ with the C file beside it, a file of gpu/, or a header of a library. Takes `name` over. */
static void add_included(sources *s, char *name)
{
    size_t length = strlen(name);

    if (!begins_with(name, "ref/") && !begins_with(name, "gpu/") && !is_library(name)) {
        free(name);
        return;
    }
    if (name[0] == 'r' && length > 2 && strcmp(name + length - 2, ".h") == 0 && strcmp(name, "ref/ref.h") != 0) {
        char *body = strdup(name);

        if (body != NULL)
            body[length - 1] = 'c';
        add_source(s, body);
    }
    add_source(s, name);
}

/* Adds what the file includes: "..." relative to it, and <samebits/...>. */
static void add_includes(sources *s, const char *root, const char *name)
{
    static const char directive[] = "#include ", system_prefix[] = "<samebits/";
    char *text = read_file(root, name);

    for (const char *at = text; at != NULL && (at = strstr(at, directive)) != NULL;) {
        char *included = NULL;

        at += strlen(directive);
        if (*at == '"')
            included = include_path(name, at + 1, strcspn(at + 1, "\"\n"));
        else if (begins_with(at, system_prefix) &&
                 asprintf(&included, "include/%.*s", (int)strcspn(at + 1, ">\n"), at + 1) < 0)
            included = NULL;
        if (included != NULL)
            add_included(s, included);
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

uint64_t sb_hash_sources(const char *root, const char *algorithm, const char *name)
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
