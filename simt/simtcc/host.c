/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Leaves functions of the host alone out of the checks: contract in translate.h.
 *
 * A function can run on the device if it has __device__ or __global__, if it is constexpr (--expt-relaxed-constexpr), if it is
 * a lambda, or if the compiler makes it. All others that have a body get an attribute. The compiler inlines no checked function
 * into them, unless it must: so the small constexpr functions of the C++ library, such as std::max, get the attribute that
 * says so, and are checked where their caller is. A function with the name of one of the device stays checked, because
 * __device__ may stand at its declaration alone; so do the machine's own headers, where the words are left out.
 */
#define _GNU_SOURCE
#include "translate.h"
#include "translator.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The end of a function without its value and __builtin_unreachable are told on the host, too. */
#define VALUES                                                                                                         \
    "\"shift\", \"integer-divide-by-zero\", \"signed-integer-overflow\", \"float-cast-overflow\", \"bool\", "          \
    "\"enum\", \"alignment\", \"object-size\", \"bounds\"))) "
static const char unchecked[] = "__attribute__((no_sanitize(\"thread\", " VALUES;
static const char only_accesses[] = "__attribute__((no_sanitize(" VALUES; /* --host=check */
static const char as_caller[] = "__attribute__((always_inline)) ";

enum { MAX_INLINED = 48 }; /* tokens of a body: twice as many would be a loop's worth of code at each call */

typedef struct mark {
    size_t place; /* the token before which the attribute goes */
    const char *attribute;
} mark;

typedef struct marker {
    translator t;
    const char *machine;   /* directory of the machine's headers */
    const char *attribute; /* of functions of the host */
    mark *marks;           /* in order */
    size_t count, capacity;
    const cc_token **device; /* hash table of names of functions of the device; `mask` + 1 entries */
    size_t mask, names;
} marker;

static size_t slot_of(const marker *m, const cc_token *name)
{
    uint64_t hash = 0xcbf29ce484222325;
    size_t slot;

    for (unsigned i = 0; i < name->length; i++)
        hash = (hash ^ (unsigned char)name->start[i]) * 0x100000001b3;
    for (slot = hash & m->mask; m->device[slot]; slot = (slot + 1) & m->mask)
        if (m->device[slot]->length == name->length && memcmp(m->device[slot]->start, name->start, name->length) == 0)
            break;
    return slot;
}

static void add_name(marker *m, const cc_token *name)
{
    const cc_token **old = m->device;
    size_t count = m->mask + 1, slot;

    if (2 * m->names >= m->mask) {
        m->mask = 2 * count - 1;
        m->device = calloc(m->mask + 1, sizeof *m->device);
        if (!m->device)
            cc_fatal("out of memory");
        for (size_t i = 0; i < count; i++)
            if (old[i])
                m->device[slot_of(m, old[i])] = old[i];
        free(old);
    }
    slot = slot_of(m, name);
    m->names += !m->device[slot];
    m->device[slot] = name;
}

/* The name of the function whose parameters open at `parameters`; all operators are one. */
static const cc_token *name_of(const marker *m, size_t first, size_t parameters)
{
    for (size_t i = first; i < parameters; i++)
        if (is(&m->t, i, "operator"))
            return &m->t.token[i];
    return &m->t.token[parameters - 1];
}

static void collect_names(marker *m)
{
    const translator *t = &m->t;

    for (size_t i = 0; i < t->count; i++) {
        size_t k = i + 1;

        if (!is(t, i, "__device__") && !is(t, i, "__global__"))
            continue;
        while (k < t->count && !is(t, k, "(") && !is(t, k, ";") && !is(t, k, "{") && !is(t, k, "="))
            k = cc_takes_parentheses(t, k) && is(t, k + 1, "(") ? cc_matching(t, k + 1) : k + 1;
        if (is(t, k, "(") && is_word(t, k - 1))
            add_name(m, name_of(m, i, k));
        else if (is(t, k, "="))
            add_name(m, name_of(m, i, k + 1)); /* operator= */
    }
}

static bool is_of_machine(const marker *m, const cc_token *token)
{
    size_t length = strlen(m->machine);

    return token->file_length > length && memcmp(token->file, m->machine, length) == 0 && token->file[length] == '/';
}

/* Where the attribute of the declaration that begins at `i` goes; NONE: nowhere. */
static size_t after_template(const translator *t, size_t i, size_t open)
{
    while (i < open) {
        if (is(t, i, "template") && is(t, i + 1, "<"))
            i = cc_angle(t, i + 1);
        else if (is(t, i, "[") && is(t, i + 1, "["))
            i = cc_matching(t, i);
        else if (is(t, i, "extern") && t->token[i + 1].kind == CC_STRING)
            i++;
        else if (!is(t, i, "__extension__"))
            return is(t, i, "{") ? NONE : i; /* behind `requires requires {...}` the body stands alone */
        if (i == NONE)
            return NONE;
        i++;
    }
    return NONE;
}

/* May a constexpr function of the C++ library be inlined always? Not if it may call itself. */
static bool is_small(const translator *t, const cc_item *it, const cc_token *name)
{
    static const char *const loops[] = {"for", "while", "do", "try", "static", NULL};
    static const char library[] = "/c++/";

    if (!t->token[it->first].system || it->close - it->open > MAX_INLINED ||
        !memmem(t->token[it->first].file, t->token[it->first].file_length, library, sizeof library - 1))
        return false;
    for (size_t i = it->open; i < it->close; i++)
        if (is_any(t, i, loops) ||
            (t->token[i].length == name->length && memcmp(t->token[i].start, name->start, name->length) == 0))
            return false;
    return true;
}

static void add_mark(marker *m, size_t place, const char *attribute)
{
    if (m->count == m->capacity) {
        m->capacity = 2 * m->capacity + 1024;
        m->marks = cc_allocate(m->marks, m->capacity * sizeof *m->marks);
    }
    m->marks[m->count++] = (mark){place, attribute};
}

static void mark_function(marker *m, const cc_item *it)
{
    static const char *const stay[] = {"__device__", "__global__", "consteval", "requires", "asm", "__asm__", NULL};
    const translator *t = &m->t;
    const cc_token *name;
    size_t parameters, place = after_template(t, it->first, it->open);
    bool constant = false;

    for (size_t i = it->first; i < it->open; i++) {
        if (is_any(t, i, stay))
            return;
        constant |= is(t, i, "constexpr");
    }
    if (place == NONE || is_of_machine(m, &t->token[it->first]) ||
        cc_opened(t, it->first, it->open, &parameters) != FUNCTION || parameters <= it->first)
        return;
    name = name_of(m, it->first, parameters);
    if (constant) {
        if (is_small(t, it, name))
            add_mark(m, place, as_caller);
        return;
    }
    if ((!t->token[it->first].system || is(t, parameters - 2, "::")) && m->device[slot_of(m, name)])
        return;
    add_mark(m, place, m->attribute);
}

static void mark_list(marker *m, size_t from, size_t to)
{
    cc_items items;

    cc_split(&m->t, from, to, &items);
    for (size_t i = 0; i < items.count; i++) {
        const cc_item *it = &items.item[i];

        if (it->kind == FUNCTION)
            mark_function(m, it);
        else if (it->kind != OTHER)
            mark_list(m, it->open + 1, it->close);
    }
    free(items.item);
}

void cc_mark_host(const cc_text *source, const char *machine, bool check, cc_text *output)
{
    marker m = {.machine = machine, .attribute = check ? only_accesses : unchecked, .mask = 1023};
    const char *at = source->data;
    cc_tokens tokens;

    if (!source->length)
        return;
    m.device = calloc(m.mask + 1, sizeof *m.device);
    if (!m.device)
        cc_fatal("out of memory");
    cc_lex(source->data, source->length, true, &tokens);
    m.t = (translator){.token = tokens.token, .count = tokens.count};
    collect_names(&m);
    mark_list(&m, 0, tokens.count);
    for (size_t i = 0; i < m.count; i++) {
        const char *place = tokens.token[m.marks[i].place].start;

        cc_text_add(output, at, (size_t)(place - at));
        cc_text_puts(output, m.marks[i].attribute);
        at = place;
    }
    cc_text_add(output, at, (size_t)(source->data + source->length - at));
    free(m.marks);
    free(m.device);
    cc_tokens_free(&tokens);
}
