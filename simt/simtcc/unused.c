/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Leaves out what headers of the machine and the system declare and nothing names: contract in unused.h.
 */
#include "unused.h"
#include "translator.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A name of what may be left out. */
typedef struct entry {
    const char *start; /* NULL: this place of the table is free */
    size_t length;
    bool used;
} entry;

/* A function or class that may be left out, or a declaration of it: tokens [first, end). */
typedef struct declaration {
    size_t first, end, name; /* token of its name */
    bool read;               /* it is used, and so are the names in it */
} declaration;

typedef struct search {
    translator t;
    const char *directory;
    declaration *declared;
    size_t count, capacity;
    entry *table;
    size_t table_size; /* a power of two, at least twice the count of names */
} search;

/* --- what may be left out */

static bool in_directory(const search *s, const cc_token *token)
{
    const size_t length = strlen(s->directory);

    return token->system && token->file_length > length && token->file[length] == '/' &&
           memcmp(token->file, s->directory, length) == 0;
}

/* The compiler itself uses some functions and classes by name: for loops over ranges, structured bindings, lists in braces, typeid,
 * <=>, coroutines, and what it puts into instrumented code. */
static bool is_used_unnamed(const translator *t, size_t i)
{
    static const char *const names[] = {"begin",
                                        "end",
                                        "get",
                                        "tuple_size",
                                        "tuple_element",
                                        "initializer_list",
                                        "type_info",
                                        "strong_ordering",
                                        "weak_ordering",
                                        "partial_ordering",
                                        "coroutine_traits",
                                        "coroutine_handle",
                                        "source_location",
                                        "nothrow_t",
                                        "destroying_delete_t",
                                        NULL};
    static const char *const prefixes[] = {"__tsan_", "__ubsan_", "__asan_", "__sanitizer_", NULL};

    for (size_t k = 0; prefixes[k]; k++)
        if (t->token[i].length > strlen(prefixes[k]) &&
            memcmp(t->token[i].start, prefixes[k], strlen(prefixes[k])) == 0)
            return true;
    return is_any(t, i, names);
}

static bool holds_pragma(const translator *t, const cc_item *it)
{
    for (size_t i = it->first; i < it->end; i++)
        if (t->token[i].kind == CC_PRAGMA)
            return true;
    return false;
}

/* Has the function with the head [first, head) no code unless something names it? `found`: it has none here. */
static bool is_on_demand(const translator *t, size_t first, size_t head, size_t name, bool found)
{
    static const char *const on_demand[] = {"static", "inline", "constexpr", "template", NULL};
    static const char *const never[] = {"constructor", "destructor", "used", "operator", "friend", NULL};

    if (!is_word(t, name) || is(t, name - 1, "::") || is(t, name - 1, "~") || is_used_unnamed(t, name))
        return false;
    for (size_t i = first; i < head; i++) {
        if (is_any(t, i, never))
            return false;
        found |= is_any(t, i, on_demand);
    }
    return found;
}

/* The name of the class that `it` defines, and nothing else with it, as a friend may be a function that others call; NONE. */
static size_t class_name(const translator *t, const cc_item *it)
{
    size_t i = it->first;

    if (is(t, i, "template") && is(t, i + 1, "<"))
        i = cc_angle(t, i + 1) + 1; /* 0, if that is NONE */
    if (i < it->first || !cc_is_class_word(t, i++) || !is(t, it->close + 1, ";") ||
        cc_any_word(t, it->open, it->close, "friend"))
        return NONE;
    while (cc_takes_parentheses(t, i) && is(t, i + 1, "("))
        i = cc_matching(t, i + 1) + 1;
    return is_word(t, i) && i < it->open ? i : NONE;
}

/* The name of the function that has its parameters at the `(` `parameters`, perhaps with template arguments. */
static size_t function_name(const translator *t, size_t parameters)
{
    size_t open = is(t, parameters - 1, ">") ? cc_angle_back(t, parameters - 1) : parameters;

    return open == NONE || open == 0 ? NONE : open - 1;
}

/* Is it a declaration that could be one of a function? Where the language is C, no variable has its initialiser in parentheses. */
static bool is_declaration(const translator *t, const cc_item *it, bool c)
{
    return it->kind == OTHER && is(t, it->end - 1, ";") &&
           (c ? !is(t, it->first, "typedef") : is(t, it->first, "template") && is(t, it->first + 1, "<"));
}

/* The name of what `it` defines and of nothing else; NONE: it stays. */
static size_t name_of(const translator *t, const cc_item *it, bool c)
{
    const size_t head = it->kind == FUNCTION ? it->open : it->end - 1;
    static const char *const pointers[] = {"*", "&", "(", NULL}; /* no parameters follow: (*name)[4] */
    size_t parameters, name;

    if (it->kind == CLASS)
        return class_name(t, it);
    if ((it->kind != FUNCTION && !is_declaration(t, it, c)) || cc_opened(t, it->first, head, &parameters) != FUNCTION ||
        parameters <= it->first + 1 || is_any(t, parameters + 1, pointers))
        return NONE;
    name = function_name(t, parameters);
    return name != NONE && name > it->first && is_on_demand(t, it->first, head, name, it->kind != FUNCTION) ? name
                                                                                                            : NONE;
}

/* The name that `using ::name;`, `using std::name;`, `template <...> using name = ...;`, `class name;` or `template <...> constexpr bool name = ...;` declares, as
 * namespace std has many; NONE. */
static size_t name_of_library(const translator *t, const cc_item *it)
{
    const bool is_template = is(t, it->first, "template") && is(t, it->first + 1, "<");
    size_t i = is_template ? cc_angle(t, it->first + 1) + 1 : it->first;

    if (it->kind != OTHER || !is(t, it->end - 1, ";") || i < it->first)
        return NONE;
    if (cc_is_class_word(t, i) && i + 3 == it->end)
        return i + 1;
    if (is(t, i, "using") && is_template)
        return is(t, i + 2, "=") ? i + 1 : NONE;
    if (is(t, i, "using"))
        return is(t, it->end - 3, "::") && (i + 4 == it->end || (is(t, i + 1, "std") && i + 5 == it->end)) ? it->end - 2
                                                                                                           : NONE;
    while (is_template && (is(t, i, "inline") || is(t, i, "constexpr")))
        i++;
    return is_template && i > it->first && is(t, i, "bool") && is(t, i - 1, "constexpr") && is(t, i + 2, "=") ? i + 1
                                                                                                              : NONE;
}

/* Of a header of the system, functions of C and what stands in namespace std. */
static void add_declaration(search *s, const cc_item *it, bool c)
{
    size_t name = name_of(&s->t, it, c);

    if (name == NONE && !in_directory(s, &s->t.token[it->first]))
        name = name_of_library(&s->t, it);
    if (name != NONE && is_used_unnamed(&s->t, name))
        return;

    if (name == NONE || holds_pragma(&s->t, it))
        return;
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 1024;
        s->declared = cc_allocate(s->declared, s->capacity * sizeof *s->declared);
    }
    s->declared[s->count++] = (declaration){.first = it->first, .end = it->end, .name = name};
}

static bool is_braced_c(const translator *t, const cc_item *it)
{
    return is(t, it->open - 1, "\"C\"");
}

/* `c`: within extern "C"; `library`: within namespace std. */
static void find_declarations(search *s, size_t from, size_t to, bool c, bool library)
{
    cc_items items;

    cc_split(&s->t, from, to, &items);
    for (size_t i = 0; i < items.count; i++) {
        const cc_item *it = &items.item[i];
        const cc_token *first = &s->t.token[it->first];

        if (it->kind == NAMESPACE && first->system)
            find_declarations(s, it->open + 1, it->close, is_braced_c(&s->t, it),
                              library || is(&s->t, it->first + 1, "std"));
        else if (it->kind != NAMESPACE && first->system &&
                 (c || library || is(&s->t, it->first, "using") || in_directory(s, first)))
            add_declaration(s, it, c);
    }
    free(items.item);
}

/* --- names */

static entry *look_up(const search *s, const char *start, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    size_t at;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)start[i]) * 0x100000001b3;
    at = hash & (s->table_size - 1);
    while (s->table[at].start && (s->table[at].length != length || memcmp(s->table[at].start, start, length) != 0))
        at = (at + 1) & (s->table_size - 1);
    return &s->table[at];
}

static void make_table(search *s)
{
    for (s->table_size = 16; s->table_size < 2 * s->count;)
        s->table_size *= 2;
    s->table = cc_allocate(NULL, s->table_size * sizeof *s->table);
    memset(s->table, 0, s->table_size * sizeof *s->table);
    for (size_t i = 0; i < s->count; i++) {
        const cc_token *token = &s->t.token[s->declared[i].name];

        *look_up(s, token->start, token->length) = (entry){.start = token->start, .length = token->length};
    }
}

static void use_name(const search *s, const char *start, size_t length)
{
    entry *found = look_up(s, start, length);

    found->used = found->start != NULL;
}

static void use_words_of_string(const search *s, const cc_token *token)
{
    const char *end = token->start + token->length;

    for (const char *at = token->start, *word; at < end;) {
        for (word = at; at < end && (isalnum((unsigned char)*at) || *at == '_');)
            at++;
        use_name(s, word, (size_t)(at - word));
        at += at == word;
    }
}

static void use_names(const search *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const cc_token *token = &s->t.token[i];

        if (token->kind == CC_WORD)
            use_name(s, token->start, token->length);
        else if (token->kind == CC_STRING)
            use_words_of_string(s, token);
    }
}

static bool is_used(const search *s, const declaration *d)
{
    const cc_token *token = &s->t.token[d->name];

    return look_up(s, token->start, token->length)->used;
}

/* First what stands outside these declarations, then those that are used, until that adds none. */
static void find_used(search *s)
{
    size_t from = 0;
    bool more = true;

    for (size_t i = 0; i < s->count; from = s->declared[i++].end)
        use_names(s, from, s->declared[i].first);
    use_names(s, from, s->t.count);
    while (more) {
        more = false;
        for (size_t i = 0; i < s->count; i++) {
            declaration *d = &s->declared[i];

            if (d->read || !is_used(s, d))
                continue;
            use_names(s, d->first, d->end);
            d->read = more = true;
        }
    }
}

/* --- output */

/* Of text that is left out, the ends of its lines stay, or its last line marker and those behind it. Blanks stand for the last line, so
 * that what follows keeps its column. */
static void add_lines(cc_text *output, const char *from, const char *to)
{
    const char *kept = from;

    for (const char *at = from; (at = memchr(at, '\n', (size_t)(to - at)));)
        if (*++at == '#')
            kept = at - 1;
    if (kept > from) {
        const char *end = memchr(kept + 1, '\n', (size_t)(to - kept - 1));

        cc_text_add(output, kept, (size_t)(end - kept));
        kept = end;
    }
    for (const char *next; (next = memchr(kept, '\n', (size_t)(to - kept))); kept = next + 1)
        cc_text_puts(output, "\n");
    cc_text_printf(output, "%*s", (int)(to - kept), "");
}

static void write_used(const search *s, const cc_text *text, cc_text *output)
{
    const char *at = text->data;

    for (size_t i = 0; i < s->count; i++) {
        const declaration *d = &s->declared[i];
        const cc_token *last = &s->t.token[d->end - 1];

        if (d->read)
            continue;
        cc_text_add(output, at, (size_t)(s->t.token[d->first].start - at));
        at = last->start + last->length;
        add_lines(output, s->t.token[d->first].start, at);
    }
    cc_text_add(output, at, (size_t)(text->data + text->length - at));
}

void cc_leave_out_unused(cc_text *text, const char *directory)
{
    search s = {.directory = directory};
    cc_text output = {0};
    cc_tokens tokens;

    cc_lex(text->data, text->length, true, &tokens);
    s.t.token = tokens.token;
    s.t.count = tokens.count;
    find_declarations(&s, 0, s.t.count, false, false);
    make_table(&s);
    find_used(&s);
    write_used(&s, text, &output);
    cc_text_free(text);
    *text = output;
    free(s.declared);
    free(s.table);
    cc_tokens_free(&tokens);
}
