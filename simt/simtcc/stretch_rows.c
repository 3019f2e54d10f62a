/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the rows of a block, threads that differ in threadIdx.x alone, have in common, so that the compiler sees loops without conditions over
 * words that lie side by side:
 *
 *     if (x > 0 && x < n - 1)                          the row is divided where a comparison changes (index-set splitting)
 *         out[y * n + x] = in[y * n + x - 1];          both subscripts are one more for each thread of a part
 *
 * Such subscripts are computed for the first and the last thread of a part: so it is known whether numbers of 32 bits overflow between, as
 * unsigned ones may, and if not, the compiler gets sums of 64 bits. A value that is one more for each thread is LINEAR: a sum in which
 * threadIdx.x stands once. All else in it is the same for the row and can be computed before: it reads no memory, and divides by constants
 * alone.
 */
#include "stretches.h"

#include <stdlib.h>

/* May token `i` be part of what is the same for a row, and may that be evaluated before the row? */
static bool is_of_row(reader *r, size_t i)
{
    static const char *const operators[] = {"+", "-", "*", "(", ")", ".", ",", "<<", ">>", "&", "|", "~", NULL};
    const translator *t = r->t;
    const variable *v = cc_variable_at(r, i);

    if (is(t, i, "/") || is(t, i, "%")) /* not by zero */
        return t->token[i + 1].kind == CC_NUMBER && strtoul(t->token[i + 1].start, NULL, 0) > 0;
    if (t->token[i].kind == CC_NUMBER)
        return true;
    if (is(t, i, "threadIdx"))
        return is(t, i + 1, ".") && (is(t, i + 2, "y") || is(t, i + 2, "z"));
    if (v)
        return v->in_row == OF_ROW;
    if (is_word(t, i))
        return is_member(t, i) ? is(t, i - 1, ".") : cc_is_movable(r, i, i + 1);
    return is_any(t, i, operators);
}

static bool are_of_row(reader *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!is_of_row(r, i))
            return false;
    return from < to;
}

/* Behind casts to numbers. */
static size_t behind_casts(const translator *t, size_t from, size_t to)
{
    while (from < to && is(t, from, "(")) {
        size_t i = from + 1;

        while (cc_is_type_word(t, i))
            i++;
        if (i == from + 1 || !is(t, i, ")"))
            break;
        from = i + 1;
    }
    return from;
}

static enum in_row kind_in_row(reader *r, size_t from, size_t to);

/* Of a term of a sum. */
static enum in_row kind_of_term(reader *r, size_t from, size_t to)
{
    const translator *t = r->t;
    const variable *v;

    if (are_of_row(r, from, to))
        return OF_ROW;
    from = behind_casts(t, from, to);
    v = from + 1 == to ? cc_variable_at(r, from) : NULL;
    if (v)
        return v->in_row;
    if (from + 3 == to && is(t, from, "threadIdx") && is(t, from + 1, ".") && is(t, from + 2, "x"))
        return LINEAR;
    return from < to && is(t, from, "(") && cc_matching(t, from) == to - 1 ? kind_in_row(r, from + 1, to - 1)
                                                                           : OF_THREAD;
}

/* A sum with threadIdx.x, or what is LINEAR, once: it is one more for each thread of a row, unless it overflows. */
static enum in_row kind_in_row(reader *r, size_t from, size_t to)
{
    const translator *t = r->t;
    enum in_row all = OF_ROW;
    bool negative = false;

    for (size_t end; from < to; from = end + 1) {
        enum in_row term;

        for (; from < to && (is(t, from, "-") || is(t, from, "+")); from++)
            negative ^= is(t, from, "-");
        for (end = from; end < to && !is(t, end, "+") && !is(t, end, "-"); end++)
            if (is(t, end, "(") && cc_matching(t, end) != NONE)
                end = cc_matching(t, end);
        term = end > to ? OF_THREAD : kind_of_term(r, from, end);
        if (term == OF_THREAD || (term == LINEAR && (negative || all == LINEAR)))
            return OF_THREAD;
        all = term == LINEAR ? LINEAR : all;
        negative = end < to && is(t, end, "-");
    }
    return all;
}

static bool has_integer_type(const translator *t, const variable *v)
{
    static const char *const types[] = {"const",    "unsigned", "int",      "long",    "size_t",
                                        "uint32_t", "int32_t",  "uint64_t", "int64_t", NULL};

    for (size_t k = v->statement; k < v->type_end; k++)
        if (!is_any(t, k, types))
            return false;
    return !v->is_array && !v->is_pointer && !v->is_reference;
}

static void find_kinds(reader *r)
{
    for (size_t k = 0; k < r->variables; k++) {
        variable *v = &r->variable[k];

        v->in_row = v->stretch == NONE ? OF_ROW : v->remade ? kind_in_row(r, v->initialiser + 1, v->end) : OF_THREAD;
        if (v->in_row == LINEAR && !has_integer_type(r->t, v))
            v->in_row = OF_THREAD;
    }
}

/* If token `i` is threadIdx.x, or a LINEAR variable: the token behind it; else NONE. */
static size_t behind_index(reader *r, size_t i)
{
    const translator *t = r->t;
    const variable *v = cc_variable_at(r, i);

    if (is(t, i, "threadIdx"))
        return is(t, i + 1, ".") && is(t, i + 2, "x") ? i + 3 : NONE;
    return v && v->in_row == LINEAR ? i + 1 : NONE;
}

/* Does a declaration of the stretch give the name of token `k` another meaning? In expressions no two names follow each other. */
static bool is_declared_at(const reader *r, size_t k)
{
    static const char *const no_types[] = {"return", "else", "sizeof", "case", "do", NULL};
    const translator *t = r->t;

    if (is(t, k - 1, "*") || is(t, k - 1, "&"))
        return is_word(t, k - 2) && (cc_is_type_word(t, k - 2) || cc_is_type_name(t, k - 2) ||
                                     cc_is_template_type(r, k - 2) || is(t, k - 2, "auto") || is(t, k - 2, "const"));
    return is(t, k - 1, ">") ? cc_angle_back(t, k - 1) != NONE : is_word(t, k - 1) && !is_any(t, k - 1, no_types);
}

/* Is a word of [from, to) declared anew in the stretch? */
bool cc_is_hidden(reader *r, const stretch *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        for (size_t k = s->first; is_word(r->t, i) && k < s->end; k++)
            if (is_word(r->t, k) && same_word(r->t, i, k) && !is_member(r->t, k) && is_declared_at(r, k) &&
                !(cc_variable_at(r, k) && cc_variable_at(r, k)->name == k))
                return true;
    return false;
}

static bool same_words(const translator *t, size_t from, size_t to, size_t other)
{
    for (size_t i = from; i < to; i++)
        if (!same_word(t, i, other + (i - from)))
            return false;
    return true;
}

/* Index-set splitting: looks for comparisons of threadIdx.x, or of what is one more for each thread of a row, with what is the same for
 * the row. */
static void find_sides(reader *r, stretch *s)
{
    enum { MAX_TOKENS = 400 }; /* the compiler gets the stretch several times */
    static const char *const orders[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
    static const char *const before[] = {"(", "&&", "||", ",", "return", NULL};
    static const char *const behind[] = {")", "&&", "||", "?", ";", ",", NULL};
    const translator *t = r->t;

    for (size_t i = s->first; i < s->end && s->sides < MAX_SIDES && !s->step && s->end - s->first <= MAX_TOKENS; i++) {
        const size_t order =
            is_any(t, i - 1, before) || cc_behind_assignment(t, i - 1) == i ? behind_index(r, i) : NONE;
        size_t to = order;

        if (order == NONE || !is_any(t, order, orders))
            continue;
        for (to = order + 1; to < s->end && !is_any(t, to, behind); to++)
            if (cc_opens(t, to) && cc_matching(t, to) != NONE)
                to = cc_matching(t, to);
        if (to < s->end && are_of_row(r, order + 1, to) && !cc_is_hidden(r, s, i, to))
            s->side[s->sides++] = (side){i, order + 1, to};
    }
}

/* Does the kernel declare an array in shared memory with this name; and is each such one of numbers, if they are wanted? */
bool cc_is_shared_array(const reader *r, size_t name, bool of_numbers)
{
    const translator *t = r->t;
    bool any = false;

    for (size_t i = r->open; i < name; i++)
        for (size_t k = i + 1; is(t, i, "__shared__") && !is(t, k, ";") && k < name; k++) {
            if (!is_word(t, k) || !same_word(t, k, name) || !is(t, k + 1, "["))
                continue;
            if (of_numbers && !(cc_is_type_word(t, i + 1) && (is(t, k - 1, ",") || cc_is_type_word(t, k - 1))))
                return false;
            any = true;
        }
    return any;
}

/* Is it the name of a parameter that is a pointer, of an array or pointer of the level, or of an array in shared memory? */
static bool is_array_name(reader *r, size_t name)
{
    const translator *t = r->t;
    const variable *v = cc_variable_at(r, name);

    if (!is_word(t, name) || is_member(t, name))
        return false;
    if (v)
        return v->is_array || v->is_pointer;
    for (size_t k = r->parameters; k < r->open; k++)
        if (is_word(t, k) && same_word(t, k, name) && (is(t, k + 1, ",") || is(t, k + 1, ")"))) {
            while (is_restrict(t, k - 1) || is(t, k - 1, "const"))
                k--;
            return is(t, k - 1, "*");
        }
    return cc_is_shared_array(r, name, false);
}

/* The name before the subscripts of which the one at `open` is the last, or NONE. */
static size_t name_before(const translator *t, size_t open)
{
    size_t i = open - 1;

    while (is(t, i, "]") && cc_matching_back(t, i) != NONE)
        i = cc_matching_back(t, i) - 1;
    return is_word(t, i) ? i : NONE;
}

/* Subscripts that are one more for each thread of a row: a row computes the first, and the compiler sees what lies side by side. It would
 * not know otherwise that numbers of 32 bits do not overflow. */
static void find_subscripts(reader *r, size_t number)
{
    const translator *t = r->t;
    stretch *s = &r->stretch[number];

    for (size_t i = s->first; i < s->end && !s->step && r->subscripts < MAX_SUBSCRIPTS; i++) {
        const size_t close = is(t, i, "[") ? cc_matching(t, i) : NONE, name = close == NONE ? NONE : name_before(t, i);
        subscript *u = &r->subscript[r->subscripts];

        if (name == NONE || !is_array_name(r, name) || kind_in_row(r, i + 1, close) != LINEAR ||
            cc_is_hidden(r, s, i + 1, close) || cc_is_hidden(r, s, name, name + 1))
            continue;
        *u = (subscript){i, close, number, s->subscripts};
        for (const subscript *other = r->subscript; other < u; other++)
            if (other->stretch == number && other->close - other->open == close - i &&
                same_words(t, i + 1, close, other->open + 1))
                u->number = other->number;
        s->subscripts += u->number == s->subscripts;
        r->subscripts++;
    }
}

void cc_find_rows(reader *r)
{
    find_kinds(r);
    for (size_t k = 0; k < r->stretches; k++) {
        find_sides(r, &r->stretch[k]);
        find_subscripts(r, k);
    }
}
