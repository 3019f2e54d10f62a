/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a finding is recognised by: contract in finding.h. The text of a line is read from the source, so the source must
 * be where it was compiled; else the number of the line stands in for it.
 */
#define _GNU_SOURCE
#include "finding.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a of 64 bits (Fowler, Noll, Vo); blanks do not count, so that a line may be indented anew. */
static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            hash = (hash ^ (unsigned char)*text) * 1099511628211U;
    return (hash ^ 0xff) * 1099511628211U; /* an end that no text contains */
}

static uint64_t hash_of(const location *l)
{
    const char *colon = strrchr(l->where, ':'), *slash = strrchr(l->where, '/');
    uint64_t hash = 14695981039346656037U;
    size_t size = 0;
    char *path, *text = NULL;
    FILE *file;

    if (!colon)
        return hash;
    path = strndup(l->where, (size_t)(colon - l->where));
    file = path ? fopen(path, "re") : NULL;
    for (long line = atol(colon + 1); file && line > 0; line--)
        if (getline(&text, &size, file) < 0) {
            free(text);
            text = NULL;
            break;
        }
    if (path)
        hash = add_text(hash, slash ? path + (slash + 1 - l->where) : path);
    hash = add_text(hash, file && text ? text : colon);
    if (file)
        fclose(file);
    free(path);
    free(text);
    return hash;
}

/* The functions of CUDA that the text names, in any order: a finding between nodes of a graph has no line in a kernel, and two
 * seeds may find its parties the other way round. Numbers differ from run to run. */
static uint64_t add_calls(uint64_t hash, const char *text)
{
    uint64_t sum = 0;

    while (*text) {
        size_t length = 0;
        char name[64];

        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        if (length < sizeof name && strncmp(text, "cu", 2) == 0) {
            memcpy(name, text, length);
            name[length] = 0;
            sum += add_text(14695981039346656037U, name);
        }
        text += length ? length : 1;
    }
    return (hash ^ sum) * 1099511628211U;
}

void simt_set_fingerprint(finding *f)
{
    uint64_t here = hash_of(&f->here), other = hash_of(&f->other);
    uint64_t hash = add_text(add_text(14695981039346656037U, simt_kind_names[f->kind]), f->kernel);
    char both[40];

    if (f->note) /* the rule of a note does not fit a finding at the same lines */
        hash = add_text(hash, "note");
    if (!f->here.where[0] && !f->other.where[0])
        hash = add_calls(hash, f->what);
    snprintf(both, sizeof both, "%016llx%016llx", (unsigned long long)(here < other ? here : other),
             (unsigned long long)(here < other ? other : here));
    snprintf(f->fingerprint, sizeof f->fingerprint, "%016llx", (unsigned long long)add_text(hash, both));
}
