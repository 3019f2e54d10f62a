/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `object.name<3>(x)` where C++ wants `object.template name<3>(x)`, because the object's type depends on a template's parameter: nvcc
 * takes both, and g++ the second. The word is written before each name that some template of the text declares as a function, which
 * C++ allows everywhere.
 */
#include "translator.h"

#include <stdlib.h>
#include <string.h>

static int by_spelling(const void *left, const void *right)
{
    const cc_token *a = *(const cc_token *const *)left, *b = *(const cc_token *const *)right;
    int order = memcmp(a->start, b->start, a->length < b->length ? a->length : b->length);

    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* The name of the function that the template with its `<` at `i` declares, or NONE. */
static size_t declared_name(const translator *t, size_t i)
{
    for (i = cc_angle(t, i); i < t->count && !is(t, i, ";") && !is(t, i, "{") && !is(t, i, "="); i++) {
        if (is(t, i, "(") && is_word(t, i - 1) && !cc_takes_parentheses(t, i - 1))
            return i - 1;
        if (is(t, i, "<") || is(t, i, "("))
            i = is(t, i, "<") ? cc_angle(t, i) : cc_matching(t, i);
        if (i == NONE)
            return NONE;
    }
    return NONE;
}

static void find_templates(translator *t)
{
    size_t capacity = 0;

    t->templates_known = true;
    for (size_t i = 0; i < t->count; i++) {
        size_t name = is(t, i, "template") && is(t, i + 1, "<") ? declared_name(t, i + 1) : NONE;

        if (name == NONE)
            continue;
        if (t->template_count == capacity) {
            capacity = 2 * capacity + 256;
            t->templates = cc_allocate(t->templates, capacity * sizeof *t->templates);
        }
        t->templates[t->template_count++] = &t->token[name];
    }
    if (t->template_count)
        qsort(t->templates, t->template_count, sizeof *t->templates, by_spelling);
}

/* Are these template arguments, and no comparisons: names, numbers and commas, and then a call? */
static bool is_call(const translator *t, size_t open)
{
    size_t close = cc_angle(t, open);

    if (close == NONE || !is(t, close + 1, "("))
        return false;
    for (size_t i = open + 1; i < close; i++)
        if (t->token[i].kind != CC_WORD && t->token[i].kind != CC_NUMBER && !is(t, i, ",") && !is(t, i, "::") &&
            !is(t, i, "<") && !is(t, i, ">"))
            return false;
    return true;
}

void cc_translate_member(translator *t, size_t i)
{
    const cc_token *name = &t->token[i];

    if (i == 0 || name->system || !is(t, i + 1, "<") || !(is(t, i - 1, ".") || is(t, i - 1, "->")) ||
        !is_call(t, i + 1))
        return;
    if (!t->templates_known)
        find_templates(t);
    if (t->template_count && bsearch(&name, t->templates, t->template_count, sizeof *t->templates, by_spelling))
        cc_text_puts(cc_note(t, i, BEFORE), "template ");
}
