/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the parts of stretches.c ask about words and expressions of a kernel.
 */
#include "stretches.h"

/* The variable that the word at `i` names, if it is one of the level: the last one that is in scope. */
variable *cc_variable_at(reader *r, size_t i)
{
    if (is_word(r->t, i) && !is_member(r->t, i))
        for (size_t k = r->variables; k-- > 0;)
            if (r->variable[k].name <= i && i < r->variable[k].scope_end && same_word(r->t, r->variable[k].name, i))
                return &r->variable[k];
    return NULL;
}

bool cc_is_parameter(const reader *r, size_t i)
{
    if (is_word(r->t, i) && !is_member(r->t, i))
        for (size_t k = r->parameters; k < r->open; k++)
            if (is_word(r->t, k) && same_word(r->t, k, i))
                return true;
    return false;
}

/* Of `=` and its kind at `i`: the token behind it; NONE: there is none. The lexer splits `>>=`. */
size_t cc_behind_assignment(const translator *t, size_t i)
{
    static const char *const marks[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", NULL};

    if (is(t, i, ">") && is(t, i + 1, ">="))
        return i + 2;
    return is_any(t, i, marks) ? i + 1 : NONE;
}

bool cc_is_step(const translator *t, size_t i)
{
    return is(t, i, "++") || is(t, i, "--");
}

/* The `(` or `[` around token `i` in its statement, or NONE. */
static size_t bracket_around(const translator *t, size_t i)
{
    while (i-- > 0) {
        if (is(t, i, ")") || is(t, i, "]")) {
            i = cc_matching_back(t, i);
            if (i == NONE)
                return NONE;
        } else if (is(t, i, "(") || is(t, i, "[")) {
            return i;
        } else if (is(t, i, ";") || is(t, i, "{") || is(t, i, "}")) {
            return NONE;
        }
    }
    return NONE;
}

/* The name of the function whose arguments begin at `open`, or NONE: it calls nothing. */
static size_t called_at(const translator *t, size_t open)
{
    size_t i = open - 1;

    if (!is(t, open, "("))
        return NONE;
    if (is(t, i, ">") && cc_angle_back(t, i) != NONE)
        i = cc_angle_back(t, i) - 1;
    return is_word(t, i) && !cc_is_pure_word(t, i) && !cc_is_atomic_word(t, i) ? i : NONE;
}

/* Has a function of this name a parameter that is a reference? */
static bool takes_references(const translator *t, size_t name)
{
    for (size_t k = cc_function_named(t, name, NONE); k != NONE; k = cc_function_named(t, name, k))
        if (cc_any_word(t, t->functions[k].name, t->functions[k].open, "&"))
            return true;
    return false;
}

/* Is its address taken, by an & that is no operator of two operands? */
static bool is_addressed(const translator *t, size_t i)
{
    return is(t, i - 1, "&") && (is(t, i - 2, "return") || (t->token[i - 2].kind == CC_MARK && !is(t, i - 2, "]"))) &&
           !(is(t, i - 2, ")") && called_at(t, cc_matching_back(t, i - 2)) != NONE);
}

/* May what happens to the variable `v` (NULL: a parameter) at `i` change it? */
bool cc_may_change(const translator *t, const variable *v, size_t i)
{
    static const char *const behind_member[] = {"+",  "-",  "*",  "/",  "%",  ";",  "<",
                                                "<=", ">=", "==", "!=", "&&", "||", NULL};

    if ((cc_behind_assignment(t, i + 1) != NONE && !is(t, i - 1, "*")) || cc_is_step(t, i + 1) ||
        cc_is_step(t, i - 1) || is_addressed(t, i))
        return true;
    if (is(t, i + 1, ".") && (cc_behind_assignment(t, i + 3) != NONE || !is_any(t, i + 3, behind_member)))
        return true; /* of v.x and v.x.y[z] only the first is understood */
    if (is(t, i + 1, "[") && !(v && v->is_pointer))
        return true;
    if (is(t, i - 1, "=") && is_word(t, i - 2) && is(t, i - 3, "&"))
        return true; /* a reference */
    for (size_t open = bracket_around(t, i); open != NONE; open = bracket_around(t, open)) {
        const size_t close = cc_matching(t, open), function = called_at(t, open);

        if (function != NONE && takes_references(t, function))
            return true;
        if (is(t, open, "(") && !is(t, open - 1, "*") &&
            (cc_behind_assignment(t, close + 1) != NONE || cc_is_step(t, close + 1) || cc_is_step(t, open - 1) ||
             is(t, open - 1, "&")))
            return true;
    }
    return false;
}

/* May a pointer to the variable at `i` stay behind the statement? That to an argument may not. */
bool cc_may_be_kept(const translator *t, const variable *v, size_t i)
{
    const bool element = is(t, i + 1, "[");

    if (v->is_array ? element && !is_addressed(t, i) : !is_addressed(t, i))
        return false;
    for (size_t open = bracket_around(t, i); open != NONE; open = bracket_around(t, open))
        if (called_at(t, open) != NONE || is(t, open - 1, "sizeof"))
            return false;
    return true;
}

bool cc_has_assignment(const translator *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is(t, i, ";") || cc_is_step(t, i) || cc_behind_assignment(t, i) != NONE)
            return true;
    return false;
}

/* Does [from, to) compute a value and nothing else? */
bool cc_is_pure(const translator *t, size_t from, size_t to)
{
    if (cc_has_assignment(t, from, to))
        return false;
    for (size_t i = from; i < to; i++) {
        if (is_word(t, i) && is(t, i + 1, "(") && !cc_is_pure_word(t, i))
            return false;
        if (is(t, i, ">") && is(t, i + 1, "(") && cc_angle_back(t, i) != NONE &&
            !is(t, cc_angle_back(t, i) - 1, "static_cast"))
            return false;
    }
    return true;
}

/* Is the value of [from, to) the same for all threads? */
bool cc_is_uniform(reader *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const variable *v = cc_variable_at(r, i);

        if (is(r->t, i, "threadIdx") || (v && v->varies))
            return false;
    }
    return cc_is_pure(r->t, from, to);
}

/* Is it the name of a constant: one of an enum, of `constexpr`, or a parameter of the kernel's template? */
static bool is_constant(const reader *r, size_t name)
{
    const translator *t = r->t;
    bool in_enum = false;

    for (size_t i = r->start; i < r->parameters; i++)
        if (same_word(t, i, name) && cc_is_type_word(t, i - 1))
            return true;
    for (size_t i = 0; i < r->open; i++) {
        if (is(t, i, "enum"))
            in_enum = true;
        else if (is(t, i, "}") || is(t, i, ";"))
            in_enum = false;
        if (!is_word(t, i) || !same_word(t, i, name))
            continue;
        if (in_enum && (is(t, i - 1, "{") || is(t, i - 1, ",")))
            return true;
        for (size_t k = i - 1; is(t, i + 1, "=") && k > 0 && is_word(t, k); k--)
            if (is(t, k, "constexpr"))
                return true;
    }
    return false;
}

/* May [from, to), which is uniform, be evaluated earlier in a stretch? It must not read memory. */
bool cc_is_movable(reader *r, size_t from, size_t to)
{
    static const char *const sizes[] = {"blockIdx", "blockDim", "gridDim", "warpSize", "const", "true", "false", NULL};
    const translator *t = r->t;

    for (size_t i = from; i < to; i++) {
        if (is(t, i, "[") || is(t, i, "->") || is(t, i, "::"))
            return false;
        if (is(t, i, "*") && !is_word(t, i - 1) && t->token[i - 1].kind != CC_NUMBER && !is(t, i - 1, ")"))
            return false;
        if (is_word(t, i) && !is_member(t, i) && !cc_variable_at(r, i) && !cc_is_parameter(r, i) &&
            !is_any(t, i, sizes) && !cc_is_type_word(t, i) && !cc_is_pure_word(t, i) && !is_constant(r, i))
            return false;
    }
    return true;
}

bool cc_is_template_type(const reader *r, size_t i)
{
    for (size_t k = r->start; k + 1 < r->parameters; k++)
        if ((is(r->t, k, "typename") || is(r->t, k, "class")) && same_word(r->t, k + 1, i))
            return true;
    return false;
}
