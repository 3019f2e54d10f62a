/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A variable of the host in device code. nvcc says that its identifier is undefined there, if code is made of the place: any use of
 * a variable that is not const, or of an array, is one, and of a constant number each that needs its address, such as a reference bound to
 * it. Its value alone nvcc takes from the initialiser.
 *
 * Scopes and types are not resolved here, so a use is refused only where it can be nothing else: in a function that has __global__ or
 * __device__, not __host__, and is no template or member; of a number, a pointer or an array of them, whose name nothing else of namespace
 * scope has, and nothing in the function might declare. A reference is known by `const int &r = NAME;`, and by a call `f(NAME)` of a function
 * with a body of which each overload has a reference there, and of the library's functions by cooperative_groups::memcpy_async.
 */
#include "translator.h"

#include <stdlib.h>
#include <string.h>

typedef struct variable {
    size_t name;
    bool is_constant; /* a number whose value nvcc takes from the initialiser */
    bool is_excluded; /* something else has the name */
} variable;

typedef enum pass { VARIABLES, OTHERS, FUNCTIONS } pass; /* OTHERS: what else has a variable's name */

typedef struct search {
    translator *t;
    variable *variables;
    size_t count, capacity;
} search;

static bool same_word(const translator *t, size_t i, size_t k)
{
    return t->token[i].length == t->token[k].length &&
           memcmp(t->token[i].start, t->token[k].start, t->token[i].length) == 0;
}

static variable *named(const search *s, size_t i)
{
    for (size_t k = 0; k < s->count; k++)
        if (same_word(s->t, s->variables[k].name, i))
            return &s->variables[k];
    return NULL;
}

/* --- the variables */

/* Of [from, to), what stands before a name: only words of a number's type, and * of pointers. */
static bool is_plain_type(const translator *t, size_t from, size_t to)
{
    static const char *const words[] = {
        "static",   "extern",   "inline",   "const",    "constexpr", "volatile", "unsigned", "signed", "int",     "long",
        "short",    "char",     "bool",     "float",    "double",    "size_t",   "int8_t",   "int16_t", "int32_t", "int64_t",
        "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "\"C\"",     "*",        NULL};

    for (size_t i = from; i < to; i++)
        if (!is_any(t, i, words))
            return false;
    return from < to;
}

static void add_variable(search *s, size_t name, bool is_constant)
{
    variable *other = named(s, name);

    if (other) { /* an `extern` beside a definition, or a variable of another namespace */
        other->is_excluded |= other->is_constant != is_constant;
        return;
    }
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 64;
        s->variables = cc_allocate(s->variables, s->capacity * sizeof *s->variables);
    }
    s->variables[s->count++] = (variable){name, is_constant, false};
}

static void read_variables(search *s, const cc_item *it, pass step)
{
    translator *t = s->t;
    cc_declaration d;

    if (it->end == it->first || !is(t, it->end - 1, ";") || (step == VARIABLES && t->token[it->first].system))
        return;
    cc_read_declaration(t, it->first, it->end - 1, &d);
    for (size_t k = 0; k < d.count; k++) {
        const size_t name = d.name[k];
        bool excluded = d.is_function || d.is_type || d.is_template || t->token[name].system ||
                        d.qualified[k] != name || !is_plain_type(t, it->first, d.name[0]);
        bool pointer = cc_any_word(t, it->first, name, "*");
        bool constant = cc_any_word(t, it->first, name, "const") || cc_any_word(t, it->first, name, "constexpr");

        if (pointer && constant)
            excluded |= cc_any_word(t, it->first, name, "constexpr") || is(t, name - 1, "const"); /* may be null, and a value */
        if (step == VARIABLES && !excluded)
            add_variable(s, name, constant && !pointer && !is(t, name + 1, "["));
        else if (step == OTHERS && excluded && named(s, name))
            named(s, name)->is_excluded = true;
    }
}

/* --- a function */

/* The bracket that holds token `i`, or `from`. */
static size_t bracket_around(const translator *t, size_t i, size_t from)
{
    while (i > from) {
        i--;
        if (cc_closes(t, i) && !is(t, i, ">")) {
            size_t open = cc_matching_back(t, i);

            if (open == NONE || open < from)
                return from;
            i = open;
        } else if (is(t, i, "(") || is(t, i, "[") || is(t, i, "{")) {
            return i;
        }
    }
    return from;
}

/* sizeof(x), decltype(x) and the like do not use x. */
static bool is_unevaluated(const translator *t, size_t i, size_t from)
{
    static const char *const words[] = {"sizeof", "decltype",   "alignof",  "noexcept",       "typeid",
                                        "typeof", "__typeof__", "__alignof__", "static_assert", "alignas", NULL};

    for (size_t at = i; at > from; at = bracket_around(t, at, from))
        if (is_any(t, at - 1, words))
            return true;
    return false;
}

typedef enum meaning { NO_USE, USE, UNCLEAR } meaning; /* UNCLEAR: the function may declare it */

/* What the name at token `i` is, in a function from `from` on whose body begins at `open`. */
static meaning meaning_of(const translator *t, size_t i, size_t from, size_t open)
{
    static const char *const words[] = {"return", "case", "else", "do", "throw", NULL};
    static const char *const before[] = {"=",  "+=", "-=", "*=", "/=", "%=", "|=", "^=", "<<=", ">>=", "+", "-", "/", "%",
                                         "|",  "^",  "<",  "<=", ">=", "==", "!=", "<<", "||",  "!",   "~", "++", "--", NULL};
    static const char *const binary[] = {"*", "&", "&&", NULL};
    static const char *const declared[] = {";", "{", "}", "(", ",", ":", ")", "]", NULL}; /* stand before a type */
    static const char *const statements[] = {"for", "if", "while", "switch", "catch", NULL};

    if (is(t, i - 1, ".") || is(t, i - 1, "->") || is(t, i - 1, "::") || is(t, i + 1, "::"))
        return NO_USE; /* of a class or namespace */
    if (i <= open || is(t, i + 1, "(") || is_word(t, i + 1))
        return UNCLEAR;
    if (is_unevaluated(t, i, from))
        return NO_USE;
    if (is(t, i - 1, "<") && is(t, i + 1, ">"))
        return UNCLEAR;
    if (is_any(t, i - 1, words) || is_any(t, i - 1, before))
        return USE;
    if (is_word(t, i - 1) || is(t, i - 1, ">"))
        return UNCLEAR;
    if (is_any(t, i - 1, binary)) { /* `a * x` or `T *x` */
        if (!is_word(t, i - 2))
            return is(t, i - 2, ")") || is(t, i - 2, "]") || t->token[i - 2].kind == CC_NUMBER || is(t, i - 2, "=") ? USE
                                                                                                               : UNCLEAR;
        return is_any(t, i - 3, declared) || is_word(t, i - 3) ? UNCLEAR : USE;
    }
    if (is(t, i - 1, "(") || is(t, i - 1, "[")) {
        if (is(t, i - 1, "[") && !is_word(t, i - 2) && !is(t, i - 2, "]") && !is(t, i - 2, ")"))
            return UNCLEAR; /* what a lambda captures */
        return USE;
    }
    if (is(t, i - 1, ",")) {
        size_t around = bracket_around(t, i, open);

        if (around > open && is(t, around, "(") && is_word(t, around - 1) && !is_any(t, around - 1, statements))
            return USE; /* an argument, since parameters have a type before their name */
        return UNCLEAR;
    }
    if ((is(t, i - 1, ";") || is(t, i - 1, "{") || is(t, i - 1, "}")) && !is(t, i + 1, ";") && !is(t, i + 1, ":"))
        return USE; /* `x = 1;` */
    return NO_USE; /* `c ? x : 1` may be constant, and `(void)x` is none */
}

/* Which argument of its call is token `i`, whose `(` is at `open`? NONE: it is more than the name, or less. */
static size_t argument_number(const translator *t, size_t open, size_t i)
{
    size_t number = 0, close = cc_matching(t, open), from = open + 1;

    if (close == NONE)
        return NONE;
    while (from <= i) {
        size_t end = cc_part_end(t, from, close);

        if (i < end)
            return from == i && end == i + 1 ? number : NONE;
        from = end + 1;
        number++;
    }
    return NONE;
}

static bool is_reference(const translator *t, size_t open, size_t number)
{
    size_t close = cc_matching(t, open), from = open + 1;

    if (close == NONE)
        return false;
    for (; number > 0 && from < close; number--)
        from = cc_part_end(t, from, close) + 1;
    if (from >= close)
        return false;
    for (size_t i = from, end = cc_part_end(t, from, close); i < end && !is(t, i, "="); i++)
        if (is(t, i, "&") || is(t, i, "&&"))
            return true;
    return false;
}

/* A layout of cooperative_groups::memcpy_async, whose layouts are references; cuda::memcpy_async takes a number. */
static bool is_layout(const translator *t, size_t open, size_t i)
{
    size_t number = is(t, open, "(") && is(t, open - 1, "memcpy_async") && is(t, open - 2, "::") && !is(t, open - 3, "cuda")
                        ? argument_number(t, open, i)
                        : NONE;

    return number != NONE && number >= 2;
}

/* Is a reference bound to the constant at token `i`? */
static bool is_bound(search *s, size_t i, size_t from)
{
    translator *t = s->t;
    size_t open = bracket_around(t, i, from), number, seen = 0;

    if (is(t, i - 1, "=") && is_word(t, i - 2) && is(t, i - 3, "&") && is(t, i + 1, ";"))
        return true;
    if (is_layout(t, open, i))
        return true;
    if (!is(t, open, "(") || !is_word(t, open - 1) || is(t, open - 2, ".") || is(t, open - 2, "->") ||
        is(t, open - 2, "::") || is_word(t, open - 2))
        return false;
    number = argument_number(t, open, i);
    if (number == NONE)
        return false;
    cc_visit_no_function(t);
    for (size_t k = cc_function_named(t, open - 1, NONE); k != NONE; k = cc_function_named(t, open - 1, k), seen++)
        if (t->token[t->functions[k].name].system || !is_reference(t, t->functions[k].name + 1, number))
            return false;
    return seen > 0;
}

static void read_function(search *s, const cc_item *it)
{
    translator *t = s->t;
    size_t *first = cc_allocate(NULL, (s->count + 1) * sizeof *first);

    for (size_t k = 0; k < s->count; k++)
        first[k] = NONE;
    for (size_t i = it->first + 1; i < it->close; i++) {
        variable *v = is_word(t, i) ? named(s, i) : NULL;
        meaning what;

        if (is(t, i, "auto") && (is(t, i + 1, "[") || is(t, i + 2, "[")))
            goto done; /* names that are not looked for */
        if (is(t, i, "if") && is(t, i + 1, "constexpr"))
            goto done; /* code may not be made of it */
        if (!v || v->is_excluded)
            continue;
        what = meaning_of(t, i, it->first, it->open);
        if (what == UNCLEAR)
            first[v - s->variables] = 0;
        else if (what == USE && first[v - s->variables] == NONE && (!v->is_constant || is_bound(s, i, it->open)))
            first[v - s->variables] = i;
    }
    for (size_t k = 0; k < s->count; k++)
        if (first[k] != NONE && first[k] != 0 && cc_is_called(t, first[k]))
            cc_refuse(t, first[k], "identifier \"%.*s\" is undefined in device code", (int)t->token[first[k]].length,
                      t->token[first[k]].start);
done:
    free(first);
}

static bool is_of_device_alone(const translator *t, const cc_item *it)
{
    return !t->token[it->open].system && !is(t, it->first, "template") &&
           (cc_any_word(t, it->first, it->open, "__global__") || cc_any_word(t, it->first, it->open, "__device__")) &&
           !cc_any_word(t, it->first, it->open, "__host__");
}

static void read_items(search *s, size_t from, size_t to, pass step)
{
    cc_items items;

    cc_split(s->t, from, to, &items);
    for (size_t i = 0; i < items.count; i++) {
        const cc_item *it = &items.item[i];

        if (it->kind == NAMESPACE)
            read_items(s, it->open + 1, it->close, step);
        else if (it->kind == OTHER && step != FUNCTIONS)
            read_variables(s, it, step);
        else if (it->kind == FUNCTION && step == FUNCTIONS && is_of_device_alone(s->t, it))
            read_function(s, it);
    }
    free(items.item);
}

void cc_check_host_variables(translator *t)
{
    search s = {.t = t};

    read_items(&s, 0, t->count, VARIABLES);
    if (s.count) {
        read_items(&s, 0, t->count, OTHERS);
        read_items(&s, 0, t->count, FUNCTIONS);
    }
    free(s.variables);
}
