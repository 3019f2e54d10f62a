/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Known findings: rules of the files that suppress= and baseline= name, and the file that write_baseline= makes. A rule is
 * a line of words NAME=VALUE that ends with reason=, whose value is the rest of the line:
 *
 *     kind=race kernel=reverse* file=*reverse.cu function=swap fingerprint=0123456789abcdef reason=why it is known
 *
 * The finding must fit all words that the rule has; all but fingerprint are patterns as the shell's. Lines that begin with #
 * and empty ones do not count. A file of suppress= must exist; one of baseline= need not: then nothing is known.
 */
#define _GNU_SOURCE
#include "finding.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KIND, KERNEL_NAME, FILE_NAME, FUNCTION, FINGERPRINT, WORDS };

static const char *const word_names[WORDS] = {"kind=", "kernel=", "file=", "function=", "fingerprint="};

typedef struct entry {
    rule is;
    char *word[WORDS]; /* NULL: not said */
} entry;

static entry *entries;
static size_t entry_count;

static _Noreturn void refuse(const char *file, unsigned line, const char *what)
{
    fprintf(stderr, "simt: SIMT_OPTIONS: %s:%u: %s\n", file, line, what);
    _exit(2);
}

static bool known_kind(const char *name)
{
    for (int i = 0; i < FINDING_KINDS; i++)
        if (fnmatch(name, simt_kind_names[i], 0) == 0)
            return true;
    return false;
}

/* One rule; the text of the line is kept. */
static void read_rule(char *text, const char *file, unsigned line, bool baseline)
{
    entry e = {.is = {.file = file, .line = line, .baseline = baseline}};
    bool any = false;

    while (!e.is.reason) {
        size_t k = 0;
        char *word = text + strspn(text, " \t");

        if (strncmp(word, "reason=", 7) == 0) {
            e.is.reason = word + 7;
            break;
        }
        while (k < WORDS && strncmp(word, word_names[k], strlen(word_names[k])) != 0)
            k++;
        if (!*word)
            refuse(file, line, "a rule ends with reason= and why the finding is known");
        if (k == WORDS)
            refuse(file, line, "a word that is none of kind= kernel= file= function= fingerprint= reason=");
        e.word[k] = word + strlen(word_names[k]);
        any = true;
        text = word + strcspn(word, " \t");
        if (*text)
            *text++ = 0;
    }
    if (!any || !*e.is.reason)
        refuse(file, line,
               any ? "reason= says nothing" : "a rule for every finding: name a kind, kernel, file or function");
    if (e.word[KIND] && !known_kind(e.word[KIND]))
        refuse(file, line, "no such kind of finding");
    entries = realloc(entries, (entry_count + 1) * sizeof *entries);
    if (!entries)
        refuse(file, line, "no memory for so many rules");
    entries[entry_count++] = e;
}

static void read_file(const char *path, bool baseline)
{
    FILE *file = *path ? fopen(path, "re") : NULL;
    char *text = NULL;
    size_t size = 0;

    if (*path && !file && !(baseline && errno == ENOENT)) {
        fprintf(stderr, "simt: SIMT_OPTIONS: cannot read %s: %s\n", path, strerror(errno));
        _exit(2);
    }
    for (unsigned line = 1; file && getline(&text, &size, file) >= 0; line++) {
        text[strcspn(text, "\r\n")] = 0;
        if (text[strspn(text, " \t")] && text[0] != '#') {
            read_rule(text, path, line, baseline);
            text = NULL; /* the rule keeps it */
        }
    }
    free(text);
    if (file)
        fclose(file);
}

void simt_read_rules(void)
{
    read_file(simt_options.suppress, false);
    read_file(simt_options.baseline, true);
    read_file(simt_options.write_baseline, true);
}

/* Does the pattern fit the path, or what comes after one of its slashes? */
static bool fits_path(const char *pattern, const location *l)
{
    char path[SIMT_WHERE];
    char *colon;

    memcpy(path, l->where, sizeof path);
    colon = strrchr(path, ':');
    if (!colon)
        return false;
    *colon = 0;
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (fnmatch(pattern, at, 0) == 0)
            return true;
    return false;
}

const rule *simt_rule_for(const finding *f)
{
    for (size_t i = 0; i < entry_count; i++) {
        char *const *word = entries[i].word;

        if ((!word[KIND] || fnmatch(word[KIND], simt_kind_names[f->kind], 0) == 0) &&
            (!word[KERNEL_NAME] || fnmatch(word[KERNEL_NAME], f->kernel, 0) == 0) &&
            (!word[FILE_NAME] || fits_path(word[FILE_NAME], &f->here) || fits_path(word[FILE_NAME], &f->other)) &&
            (!word[FUNCTION] || fnmatch(word[FUNCTION], f->here.function, 0) == 0 ||
             fnmatch(word[FUNCTION], f->other.function, 0) == 0) &&
            (!word[FINGERPRINT] || strcmp(word[FINGERPRINT], f->fingerprint) == 0))
            return &entries[i].is;
    }
    return NULL;
}

/* Other processes write the same file, so it is read again. */
void simt_add_to_baseline(const finding *f)
{
    const char *slash = strrchr(f->here.where, '/');
    char *text = NULL;
    size_t size = 0;
    bool there = false;
    FILE *file;

    if (!*simt_options.write_baseline || f->rule)
        return;
    file = simt_open_shared(simt_options.write_baseline);
    while (getline(&text, &size, file) >= 0)
        there |= strstr(text, f->fingerprint) != NULL;
    fseek(file, 0, SEEK_END); /* between reading and writing */
    if (!there)
        fprintf(file, "fingerprint=%s reason=%s%s%s%s%s: known before\n", f->fingerprint, simt_kind_names[f->kind],
                *f->kernel ? " in kernel " : "", f->kernel, *f->here.where ? " at " : "",
                slash ? slash + 1 : f->here.where);
    free(text);
    fclose(file);
}
