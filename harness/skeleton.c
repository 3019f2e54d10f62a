/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Printing skeletons: contract in skeleton.h.
 */
#include "skeleton.h"
#include <string.h>

/* The longest word of a skeleton, and its end. */
enum { MAX_WORD = 32 };

typedef struct printing {
    FILE *out; /* NULL: the lines are passed over */
    const sb_values *values;
    const char *list; /* of the @each that we are in; NULL: none */
    size_t index;
} printing;

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end != NULL ? end + 1 : line + strlen(line);
}

/* Is the line this directive? Then `word` is what follows it. */
static bool directive(const char *line, const char *name, char word[MAX_WORD])
{
    size_t length = strlen(name);

    if (strncmp(line, name, length) != 0 || strchr(" \n", line[length]) == NULL)
        return false;
    snprintf(word, MAX_WORD, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
    return true;
}

static void print_line(const printing *p, const char *line)
{
    const char *end = next_line(line);

    while (p->out != NULL && line < end) {
        size_t length = *line == '@' ? strspn(line + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;
        char name[MAX_WORD];

        if (length > 0 && line[1 + length] == '@' && length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, line + 1);
            if (p->values->put(p->values->of, p->list, p->index, name, p->out)) {
                line += length + 2;
                continue;
            }
        }
        fputc(*line++, p->out);
    }
}

/* Prints the lines up to the @end or @else of this block, or to the end, and returns where that is. */
static const char *print_block(const printing *p, const char *line)
{
    char word[MAX_WORD];

    while (*line != '\0' && !directive(line, "@end", word) && !directive(line, "@else", word)) {
        printing inner = *p, other = *p;

        if (directive(line, "@if", word)) {
            *(p->values->is(p->values->of, word) ? &other.out : &inner.out) = NULL;
            line = print_block(&inner, next_line(line));
            if (directive(line, "@else", word))
                line = print_block(&other, next_line(line));
        } else if (directive(line, "@each", word)) {
            const char *body = next_line(line);
            size_t count = p->values->count(p->values->of, word);

            inner.list = word;
            other.out = NULL;
            line = print_block(&other, body);
            for (inner.index = 0; inner.index < count; inner.index++)
                print_block(&inner, body);
        } else {
            print_line(p, line);
        }
        line = next_line(line);
    }
    return line;
}

void sb_skeleton_print(FILE *out, const char *name, const sb_values *values)
{
    const sb_skeleton *skeleton = sb_skeletons;
    const printing p = {.out = out, .values = values};

    while (strcmp(skeleton->name, name) != 0)
        skeleton++;
    print_block(&p, skeleton->text);
}
