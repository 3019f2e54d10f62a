/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Kernels whose threads wait for each other at __syncthreads() and at operations of whole warps alone, all of them at the same ones: what
 * stands between two of these, a stretch, becomes a lambda that ::simt::stretches (simt_stretches.h) runs for each thread of a block, as
 * rows.c does it with a whole body. So no thread needs a stack of its own. This is loop fission by barriers (R. Karrenberg and S. Hack,
 * "Improving performance of OpenCL on CPUs", CC 2012; Polygeist and COX do it with CUDA). In the plain build only.
 *
 *     unsigned t = threadIdx.x, mine = in[t];        stretch: mine is kept in an array that has one for each thread
 *     part[t] = mine;
 *     __syncthreads();                               of the level
 *     for (unsigned half = 128; half; half /= 2) {   of the level: half is the same for all threads
 *         if (t < half)                              stretch: t is computed anew
 *             part[t] += part[t + half];
 *         __syncthreads();
 *     }
 *     out[t] = mine - part[0];                       stretch: begins with a copy of mine
 *
 * The level is the body and the blocks of those statements that contain a barrier. What controls such a statement must be the same for all
 * threads: made of constants, parameters, sizes, blockIdx, memory (which no thread may change meanwhile, or there is a race) and variables
 * of the level that are uniform, which are assigned such values by statements of the level alone. A kernel that is not understood stays as
 * it is.
 *
 * A loop of the level over elements that lie as far apart as there are threads, `for (i = ...; i < n; i += gridDim.x * blockDim.x)`, is
 * run in step: all threads do its first round, then all do the second one, since one thread alone would read a part of each line of the
 * cache.
 *
 * Operations of whole warps (shuffles, votes, reductions, with a mask that is a constant of all lanes) divide the level as barriers do, if
 * no thread has returned before (hierarchical collapsing: R. Han et al., "COX: Exposing CUDA Warp-Level Functions to CPUs", 2022). A
 * stretch ends with what each thread gives; the statement with the operation begins the next one, and reads what the others gave.
 *
 * Each stretch computes anew what is made of threadIdx, sizes and constants; what its rows of threads have in common, stretch_rows.c finds. A
 * kernel without a barrier is one stretch, if there is something to find (else see rows.c). stretch_text.c writes the translation.
 */
#include "stretches.h"

#include <stdlib.h>

/* --- statements */

static size_t end_of_statement(const translator *t, size_t i)
{
    size_t end;

    if (is(t, i, "{"))
        end = cc_matching(t, i);
    else if (is(t, i, "if") || is(t, i, "for") || is(t, i, "while") || is(t, i, "switch")) {
        end = cc_matching(t, is(t, i + 1, "constexpr") ? i + 2 : i + 1);
        end = end == NONE ? NONE : end_of_statement(t, end + 1);
        return end != NONE && is(t, i, "if") && is(t, end, "else") ? end_of_statement(t, end + 1) : end;
    } else if (is(t, i, "do")) {
        end = end_of_statement(t, i + 1);
        end = end == NONE || !is(t, end, "while") ? NONE : cc_statement_end(t, end);
    } else {
        end = cc_statement_end(t, i);
    }
    return end == NONE ? NONE : end + 1;
}

static bool is_statement_word(const translator *t, size_t i)
{
    static const char *const words[] = {"if", "for", "while", "do", "switch", "return", "break", "continue", NULL};

    return is_any(t, i, words);
}

/* A word with which no declaration of a variable begins. */
static bool is_control(const translator *t, size_t i)
{
    static const char *const words[] = {"if",       "for",   "while", "do",      "switch",        "return", "break",
                                        "continue", "case",  "else",  "default", "sizeof",        "using",  "typedef",
                                        "struct",   "class", "union", "enum",    "static_assert", "goto",   NULL};

    return is_any(t, i, words);
}

/* If a declaration of variables begins at `i`: the token behind its type. NONE: none does. */
static size_t end_of_type(const translator *t, size_t i)
{
    static const char *const specifiers[] = {"const", "constexpr", NULL}, *const pointers[] = {"*", "&", "&&", "const",
                                                                                               NULL};
    static const char *const behind_name[] = {"=", ";", ",", "[", "{", "(", NULL};
    bool known = false;
    size_t end;

    for (; is_word(t, i) && !is_control(t, i); i++) {
        if (is_any(t, i, specifiers))
            continue;
        if (!cc_is_type_word(t, i)) {
            if (known)
                break;
            while (is(t, i + 1, "::") && is_word(t, i + 2))
                i += 2;
            if (is(t, i + 1, "<") && cc_angle(t, i + 1) != NONE)
                i = cc_angle(t, i + 1);
        }
        known = true;
    }
    end = i;
    while (is_any(t, i, pointers) || is_restrict(t, i))
        i++;
    return known && is_word(t, i) && !is_control(t, i) && is_any(t, i + 1, behind_name) ? end : NONE;
}

/* Adds the variables of the declaration [i, end), whose `;` is at `end`, to the end of whose scope they count. */
static bool add_variables(reader *r, size_t i, size_t end, size_t scope_end, bool in_header)
{
    const translator *t = r->t;
    const size_t type_end = end_of_type(t, i);

    for (size_t from = type_end, to; from < end; from = to + 1) {
        variable *v = &r->variable[r->variables];
        size_t name = from;

        to = cc_part_end(t, from, end);
        if (r->variables == MAX_VARIABLES)
            return false;
        *v = (variable){.statement = i,
                        .type_end = type_end,
                        .first = from,
                        .end = to,
                        .scope_end = scope_end,
                        .initialiser = NONE,
                        .stretch = NONE,
                        .hoisted = NONE,
                        .in_header = in_header};
        for (; name < to && (!is_word(t, name) || is(t, name, "const") || is_restrict(t, name)); name++)
            if (is(t, name, "*"))
                v->is_pointer = true;
            else
                v->is_reference |= is(t, name, "&") || is(t, name, "&&");
        for (size_t k = name + 1; k < to && v->initialiser == NONE; k++) {
            v->is_array |= is(t, k, "[");
            if (is(t, k, "("))
                return false;
            if (is(t, k, "=") || is(t, k, "{"))
                v->initialiser = k;
            else if (cc_opens(t, k))
                k = cc_matching(t, k);
        }
        v->name = name;
        v->is_pointer &= !v->is_array;
        if (name >= to || cc_is_parameter(r, name))
            return false;
        for (size_t k = 0; k < r->variables; k++) /* of two with one name neither may be in scope of the other */
            if (same_word(t, r->variable[k].name, name) && r->variable[k].scope_end > name)
                return false;
        v->varies = v->is_array;
        r->variables++;
    }
    return true;
}

/* Reads `a = x` or `a++`. False: it is something else. */
static bool read_assignment(const translator *t, size_t i, size_t end, assignment *a)
{
    if (cc_is_step(t, i) && is_word(t, i + 1) && i + 2 == end)
        *a = (assignment){i + 1, end, end};
    else if (is_word(t, i) && cc_is_step(t, i + 1) && i + 2 == end)
        *a = (assignment){i, end, end};
    else if (is_word(t, i) && cc_behind_assignment(t, i + 1) != NONE)
        *a = (assignment){i, cc_behind_assignment(t, i + 1), end};
    else
        return false;
    return true;
}

/* Is it an assignment of the level, to a uniform variable or a parameter? */
static bool is_of_level(reader *r, const assignment *a)
{
    const variable *v = cc_variable_at(r, a->target);

    return v ? !v->varies : cc_is_parameter(r, a->target) && cc_is_uniform(r, a->from, a->to);
}

static bool add_assignment(reader *r, size_t i, size_t end)
{
    assignment a;

    if (!read_assignment(r->t, i, end, &a))
        return true;
    if (r->assignments == MAX_ASSIGNMENTS)
        return false;
    r->assignment[r->assignments++] = a;
    return true;
}

static void close_stretch(reader *r)
{
    r->current = NONE;
}

/* The statement [i, end) belongs to a stretch. */
static bool add_to_stretch(reader *r, size_t i, size_t end)
{
    if (r->current == NONE) {
        if (r->stretches == MAX_STRETCHES)
            return false;
        r->current = r->stretches++;
        r->stretch[r->current] = (stretch){.first = i, .depth = r->depth};
    }
    r->stretch[r->current].end = end;
    return true;
}

/* Does [i, end) leave a loop that is not in it? */
static bool leaves_loop(const translator *t, size_t i, size_t end)
{
    for (; i < end; i++) {
        if (is(t, i, "for") || is(t, i, "while") || is(t, i, "do"))
            i = end_of_statement(t, i) - 1;
        else if (is(t, i, "switch")) { /* break is its own */
            const size_t behind = end_of_statement(t, i);

            if (cc_any_word(t, i, behind, "continue"))
                return true;
            i = behind - 1;
        } else if (is(t, i, "break") || is(t, i, "continue"))
            return true;
    }
    return false;
}

/* `break;`, `if (uniform) break;` and their kind. */
static bool is_uniform_leaving(reader *r, size_t i, size_t end)
{
    static const char *const words[] = {"break", "continue", "return", NULL};
    const translator *t = r->t;
    size_t close;

    if (is_any(t, i, words))
        return is(t, i + 1, ";");
    close = is(t, i, "if") ? cc_matching(t, i + 1) : NONE;
    if (close == NONE || !cc_is_uniform(r, i + 2, close))
        return false;
    i = close + 1;
    if (is(t, i, "{") && is(t, end - 1, "}")) {
        i++;
        end--;
    }
    return is_any(t, i, words) && is(t, i + 1, ";") && i + 2 == end;
}

/* Is it no declaration, whatever words there are? */
static bool is_expression(const translator *t, size_t i)
{
    static const char *const first[] = {"*", "++", "--", "(", ";", NULL};
    static const char *const no_names[] = {"auto",     "const",         "constexpr", "alignas",    "decltype", "typeof",
                                           "register", "__attribute__", "typename",  "__typeof__", NULL};
    static const char *const second[] = {"[", "(", ".", "->", "++", "--", NULL};

    if (is_any(t, i, first))
        return true;
    if (!is_word(t, i) || is_any(t, i, no_names) || cc_is_type_word(t, i))
        return false;
    while (is(t, i + 1, "::") && is_word(t, i + 2))
        i += 2;
    if (is(t, i + 1, "<") && cc_angle(t, i + 1) != NONE)
        return is(t, cc_angle(t, i + 1) + 1, "(");
    return is_any(t, i + 1, second) || cc_behind_assignment(t, i + 1) != NONE;
}

/* Is it as many as threads, as far as that can be told? */
static bool is_stride(const translator *t, size_t from, size_t to)
{
    enum { FEW = 32 }; /* threads of a warp */

    for (size_t i = from; i < to; i++)
        if (is(t, i, "blockDim") || is(t, i, "gridDim") ||
            (t->token[i].kind == CC_NUMBER && strtoul(t->token[i].start, NULL, 0) >= FEW))
            return true;
    return false;
}

/* If the statement is a loop that can run in step: sets its stretch, which begins at the condition. */
static bool find_loop_in_step(reader *r, size_t i, size_t end, stretch *loop)
{
    const translator *t = r->t;
    size_t close, first, second, type_end = is(t, i, "for") ? end_of_type(t, i + 2) : NONE;

    if (!r->in_step || type_end == NONE)
        return false;
    close = cc_matching(t, i + 1);
    first = cc_statement_end(t, i + 2);
    second = first == NONE ? NONE : cc_statement_end(t, first + 1);
    if (second == NONE || second > close || second == first + 1 || cc_part_end(t, type_end, first) != first ||
        !is(t, type_end + 1, "="))
        return false;
    for (size_t k = i + 2; k < type_end; k++)
        if (!cc_is_type_word(t, k))
            return false;
    if (!same_word(t, second + 1, type_end) || !is(t, second + 2, "+=") || !is_stride(t, second + 3, close) ||
        cc_any_word(t, second, close, ",") || !cc_is_uniform(r, second + 3, close) || leaves_loop(t, close + 1, end) ||
        cc_any_word(t, close, end, "return"))
        return false;
    *loop = (stretch){
        .first = first + 1, .end = end, .depth = r->depth, .step = second + 1, .body = close + 1, .counter = NONE};
    return true;
}

/* Is the loop's condition a comparison of its variable `v` with what is the same for all threads, and is `v` changed by the step alone? */
static bool is_between(reader *r, const variable *v, const stretch *loop)
{
    static const char *const orders[] = {"<", "<=", ">", ">=", NULL};
    const translator *t = r->t;
    const size_t end = loop->step - 1;
    size_t from = loop->first, to = end;

    for (size_t i = loop->body; i < loop->end; i++)
        if (cc_variable_at(r, i) == v && cc_may_change(t, v, i))
            return false;
    if (cc_variable_at(r, from) == v && is_any(t, from + 1, orders))
        from += 2;
    else if (cc_variable_at(r, to - 1) == v && is_any(t, to - 2, orders))
        to -= 2;
    else
        return false;
    for (size_t i = from; i < to; i++) /* no `&&`, no second comparison */
        if (is(t, i, "?") || is(t, i, "&&") || is(t, i, "||") || is(t, i, "==") || is(t, i, "!=") ||
            is_any(t, i, orders))
            return false;
    return from < to && cc_is_uniform(r, from, to);
}

/* What it begins with belongs to the stretch before it. */
static bool read_loop_in_step(reader *r, size_t i, const stretch *loop)
{
    if (!r->building) {
        if (!add_variables(r, i + 2, loop->first - 1, loop->end, true))
            return false;
        r->variable[r->variables - 1].varies = true;
        return true;
    }
    if (!add_to_stretch(r, i, loop->first) || r->stretches == MAX_STRETCHES)
        return false;
    for (size_t k = 0; k < r->variables; k++)
        if (r->variable[k].statement == i + 2)
            r->variable[k].stretch = r->current;
    close_stretch(r);
    r->stretch[r->stretches] = *loop;
    for (size_t k = 0; k < r->variables; k++)
        if (r->variable[k].statement == i + 2 && is_between(r, &r->variable[k], loop))
            r->stretch[r->stretches].counter = k;
    r->stretches++;
    r->loops_in_step++;
    return true;
}

static bool place_declaration(reader *r, size_t i, size_t end)
{
    bool varies = false, uniform = false, movable = true;

    for (size_t k = 0; k < r->variables; k++) {
        const variable *v = &r->variable[k];

        if (v->statement != i)
            continue;
        varies |= v->varies;
        uniform |= !v->varies;
        movable &= v->varies || cc_is_movable(r, v->name + 1, v->end);
    }
    if (!varies && (r->current == NONE || !movable)) {
        close_stretch(r);
        return true;
    }
    if (!add_to_stretch(r, i, end))
        return false;
    for (size_t k = 0; k < r->variables; k++)
        if (r->variable[k].statement == i)
            *(r->variable[k].varies ? &r->variable[k].stretch : &r->variable[k].hoisted) = r->current;
    return true;
}

/* A statement of the level without a barrier in it. */
static bool read_without_barrier(reader *r, size_t i, size_t end, size_t scope_end)
{
    const translator *t = r->t;
    stretch loop;
    assignment a;

    if (find_loop_in_step(r, i, end, &loop))
        return read_loop_in_step(r, i, &loop);
    if (!is_control(t, i) && !is(t, i, "{") && cc_any_word(t, i, end, "__shared__")) {
        close_stretch(r);
        return true;
    }
    if (end_of_type(t, i) != NONE)
        return r->building ? place_declaration(r, i, end) : add_variables(r, i, end - 1, scope_end, false);
    if (!r->building)
        return add_assignment(r, i, end - 1);
    if (!is_statement_word(t, i) && !is(t, i, "{") && !is_expression(t, i))
        return false; /* others may need what it declares */
    if ((read_assignment(t, i, end - 1, &a) && is_of_level(r, &a)) || is_uniform_leaving(r, i, end)) {
        close_stretch(r);
        return true;
    }
    if (leaves_loop(t, i, end) || !add_to_stretch(r, i, end))
        return false;
    r->stretch[r->current].returns |= cc_any_word(t, i, end, "return");
    return true;
}

/* --- operations of warps */

static bool has_barrier(const translator *t, size_t from, size_t to)
{
    return cc_any_word(t, from, to, "__syncthreads") || cc_any_word(t, from, to, "__syncwarp");
}

static size_t first_operation(const translator *t, size_t from, size_t to)
{
    while (from < to && !cc_is_warp_word(t, from))
        from++;
    return from < to ? from : NONE;
}

static bool is_full_mask(reader *r, size_t from, size_t to);

/* Is it the name of a constant that is such a mask: of the level, or wherever something of that name gets a value? */
static bool is_full_constant(reader *r, size_t name)
{
    const translator *t = r->t;
    const variable *v = cc_variable_at(r, name);
    bool any = false;

    if (v)
        return cc_any_word(t, v->statement, v->type_end, "const") && v->initialiser != NONE &&
               is_full_mask(r, v->initialiser + 1, v->end);
    for (size_t i = 1; is_word(t, name) && !cc_is_parameter(r, name) && i + 1 < t->count; i++) {
        bool constant = false;

        if (!is_word(t, i) || !same_word(t, i, name) || is_member(t, i) || !is(t, i + 1, "="))
            continue;
        for (size_t k = i; k-- > 0 && is_word(t, k);)
            constant |= is(t, k, "const") || is(t, k, "constexpr");
        if (!constant || cc_statement_end(t, i) == NONE || !is_full_mask(r, i + 2, cc_statement_end(t, i)))
            return false;
        any = true;
    }
    return any;
}

/* Is [from, to) the mask of all lanes, for certain? */
static bool is_full_mask(reader *r, size_t from, size_t to)
{
    const translator *t = r->t;
    const uint64_t full = UINT32_MAX;

    while (to - from > 2 && is(t, from, "(")) {
        const size_t close = cc_matching(t, from);

        if (close == to - 1) {
            from++;
            to--;
        } else if (close == from + 2 && is(t, from + 1, "unsigned")) {
            from = close + 1;
        } else {
            break;
        }
    }
    if (to - from == 2 && t->token[from + 1].kind == CC_NUMBER)
        return strtoull(t->token[from + 1].start, NULL, 0) == (is(t, from, "~") ? 0 : is(t, from, "-") ? 1 : 2);
    return to - from == 1 && (t->token[from].kind == CC_NUMBER ? strtoull(t->token[from].start, NULL, 0) == full
                                                               : is_full_constant(r, from));
}

/* Is token `i` evaluated whatever the statement's part before it gives, and may that be evaluated behind it? */
static bool is_unconditional(const translator *t, size_t start, size_t i)
{
    bool comma = false;

    while (i-- > start) {
        if (cc_closes(t, i) && !is(t, i, ">")) {
            i = cc_matching_back(t, i);
        } else if (is(t, i, "(") || is(t, i, "[") || is(t, i, "{")) {
            if (comma && !is(t, i, "{") && !(is(t, i, "(") && (is_word(t, i - 1) || is(t, i - 1, ">"))))
                return false;
            comma = false;
        } else if (is(t, i, "?") || is(t, i, "&&") || is(t, i, "||")) {
            return false;
        }
        comma |= is(t, i, ",");
    }
    return !comma;
}

static bool add_operation(reader *r, size_t statement, size_t name)
{
    const translator *t = r->t;
    const size_t close = cc_matching(t, name + 1), mask_end = cc_part_end(t, name + 2, close),
                 value_end = mask_end < close ? cc_part_end(t, mask_end + 1, close) : NONE;

    if (value_end == NONE || r->operations == MAX_OPERATIONS || is_member(t, name) ||
        !is_full_mask(r, name + 2, mask_end) || cc_has_assignment(t, mask_end + 1, close) ||
        first_operation(t, mask_end + 1, close) != NONE || !is_unconditional(t, statement, name))
        return false;
    r->operation[r->operations++] = (operation){name, mask_end + 1, value_end, close, r->current};
    return true;
}

/* A statement of the level with operations of warps. All lanes come to it, so each warp is whole there. The stretch before the
 * statement ends with what each thread gives, and the statement begins the next one. */
static bool read_operations(reader *r, size_t i, size_t end, size_t scope_end)
{
    const translator *t = r->t;
    const size_t type_end = end_of_type(t, i);
    const bool branches = is(t, i, "if");

    if (type_end != NONE ? cc_part_end(t, type_end, end - 1) != end - 1 : !branches && !is_expression(t, i))
        return false;
    if (!r->building)
        return type_end != NONE ? add_variables(r, i, end - 1, scope_end, false)
                                : branches || add_assignment(r, i, end - 1);
    if (branches && leaves_loop(t, i, end))
        return false;
    if (r->current == NONE && !add_to_stretch(r, i, i))
        return false;
    for (size_t k = i; (k = first_operation(t, k, end)) != NONE; k++)
        if (!add_operation(r, i, k))
            return false;
    close_stretch(r);
    if (!add_to_stretch(r, i, end))
        return false;
    r->stretch[r->current].returns = branches && cc_any_word(t, i, end, "return");
    for (size_t k = 0; k < r->variables; k++)
        if (r->variable[k].statement == i)
            r->variable[k].stretch = r->current;
    return true;
}

/* Is it a statement that warps can do together: none of its parts, or an `if` with them in its condition? */
static bool has_operations_first(const translator *t, size_t i, size_t end)
{
    if (is(t, i, "if") && is(t, i + 1, "("))
        return first_operation(t, i, cc_matching(t, i + 1)) != NONE && !has_barrier(t, i, end) &&
               first_operation(t, cc_matching(t, i + 1), end) == NONE;
    return first_operation(t, i, end) != NONE && !is_statement_word(t, i) && !is(t, i, "{");
}

/* --- statements with barriers, or with such operations */

static bool read_level(reader *r, size_t from, size_t to);

static bool read_block(reader *r, size_t open, size_t end)
{
    if (is(r->t, open, "{"))
        return cc_matching(r->t, open) + 1 == end && read_level(r, open + 1, end - 1);
    if (r->building && r->braces == MAX_BRACES)
        return false;
    if (r->building)
        r->brace[r->braces++] = (brace){open, end, NOT_OPEN};
    return read_level(r, open, end);
}

static bool is_condition(reader *r, size_t from, size_t to)
{
    return !r->building || cc_is_uniform(r, from, to);
}

static bool read_if(reader *r, size_t i, size_t end)
{
    const translator *t = r->t;
    const size_t open = is(t, i + 1, "constexpr") ? i + 2 : i + 1, close = cc_matching(t, open);
    const size_t behind = end_of_statement(t, close + 1);

    if (!is_condition(r, open + 1, close) || !read_block(r, close + 1, behind))
        return false;
    return behind == end || read_block(r, behind + 1, end);
}

/* The assignments [from, to) of a loop's head. */
static bool read_head(reader *r, size_t from, size_t to)
{
    for (size_t end; from < to; from = end + 1) {
        assignment a;

        end = cc_part_end(r->t, from, to);
        if (r->building ? !read_assignment(r->t, from, end, &a) || !is_of_level(r, &a) : !add_assignment(r, from, end))
            return false;
    }
    return true;
}

static bool read_for(reader *r, size_t i, size_t end)
{
    const translator *t = r->t;
    const size_t close = cc_matching(t, i + 1), first = cc_statement_end(t, i + 2),
                 second = first == NONE ? NONE : cc_statement_end(t, first + 1);

    if (second == NONE || second > close)
        return false;
    if (end_of_type(t, i + 2) == NONE) {
        if (!read_head(r, i + 2, first))
            return false;
    } else if (!r->building) {
        if (!add_variables(r, i + 2, first, end, true))
            return false;
    } else {
        for (size_t k = 0; k < r->variables; k++)
            if (r->variable[k].statement == i + 2 && r->variable[k].varies)
                return false;
    }
    return is_condition(r, first + 1, second) && read_head(r, second + 1, close) && read_block(r, close + 1, end);
}

/* A statement of the level; r->current is the stretch before it, if one is open. */
static bool read_statement(reader *r, size_t i, size_t end, size_t scope_end)
{
    const translator *t = r->t;
    bool good = false;

    if (has_operations_first(t, i, end))
        return read_operations(r, i, end, scope_end);
    if (!has_barrier(t, i, end) && first_operation(t, i, end) == NONE)
        return read_without_barrier(r, i, end, scope_end);
    close_stretch(r);
    if ((is(t, i, "__syncthreads") || is(t, i, "__syncwarp")) && is(t, i + 1, "(") &&
        cc_matching(t, i + 1) + 2 == end && is_condition(r, i + 2, end - 2)) {
        if (r->building && r->barriers == MAX_BARRIERS)
            return false;
        if (r->building)
            r->barrier[r->barriers++] = i;
        return true;
    }
    if (++r->depth > MAX_DEPTH)
        return false;
    if (is(t, i, "{")) {
        good = read_block(r, i, end);
    } else if (is(t, i, "if")) {
        good = read_if(r, i, end);
    } else if (is(t, i, "while")) {
        const size_t close = cc_matching(t, i + 1);

        good = is_condition(r, i + 2, close) && read_block(r, close + 1, end);
    } else if (is(t, i, "do") && is(t, i + 1, "{")) {
        const size_t behind = cc_matching(t, i + 1) + 1;

        good = read_block(r, i + 1, behind) && is(t, behind, "while") &&
               is_condition(r, behind + 2, cc_matching(t, behind + 1));
    } else if (is(t, i, "for")) {
        good = read_for(r, i, end);
    }
    r->depth--;
    return good;
}

static bool read_level(reader *r, size_t from, size_t to)
{
    size_t end;

    for (size_t i = from; i < to; i = end) {
        end = end_of_statement(r->t, i);
        if (end == NONE || end > to || !read_statement(r, i, end, to))
            return false;
    }
    close_stretch(r);
    return true;
}

/* --- what varies */

static bool is_assigned_uniformly(reader *r, size_t i)
{
    for (size_t k = 0; k < r->assignments; k++)
        if (r->assignment[k].target == i)
            return cc_is_uniform(r, r->assignment[k].from, r->assignment[k].to);
    return false;
}

/* Is it a reference to an element that is the same for all threads? It never changes, whatever is done to the element. */
static bool refers_uniformly(reader *r, const variable *v)
{
    return v->is_reference && v->initialiser != NONE && is(r->t, v->initialiser, "=") &&
           !cc_variable_at(r, v->initialiser + 1) && !cc_is_parameter(r, v->initialiser + 1) &&
           cc_is_uniform(r, v->initialiser + 1, v->end);
}

static bool varies(reader *r, const variable *v)
{
    if (v->is_reference)
        return !refers_uniformly(r, v);
    if (v->initialiser != NONE && !cc_is_uniform(r, v->initialiser + 1, v->end))
        return true;
    for (size_t i = v->end; i < v->scope_end; i++)
        if (cc_variable_at(r, i) == v && cc_may_change(r->t, v, i) && !is_assigned_uniformly(r, i))
            return true;
    for (size_t k = 0; k < r->variables; k++) /* part of a declaration that stays where it is */
        if (r->variable[k].statement == v->statement && r->variable[k].varies && !cc_is_movable(r, v->name + 1, v->end))
            return true;
    return false;
}

static void find_varying(reader *r)
{
    bool found = true;

    while (found) {
        found = false;
        for (size_t k = 0; k < r->variables; k++)
            if (!r->variable[k].varies && varies(r, &r->variable[k]))
                found = r->variable[k].varies = true;
    }
}

static bool changes_parameter(reader *r)
{
    for (size_t i = r->open + 1; i < r->close; i++)
        if (cc_is_parameter(r, i) && !cc_variable_at(r, i) && !is(r->t, i + 1, "[") && !is(r->t, i + 1, ".") &&
            cc_may_change(r->t, NULL, i) && !is_assigned_uniformly(r, i))
            return true;
    return false;
}

/* --- what crosses a barrier */

/* Is it a type of values that can be copied like bytes, and may it stand at the begin of the body? */
static bool has_known_type(reader *r, const variable *v)
{
    if (v->is_reference)
        return false;
    for (size_t i = v->statement; i < v->type_end; i++)
        if (!cc_is_type_word(r->t, i) && !is(r->t, i, "const") && !cc_is_template_type(r, i) &&
            !cc_is_type_name(r->t, i))
            return false;
    for (size_t i = v->first; i < v->end && i != v->initialiser; i++)
        if (i != v->name && cc_variable_at(r, i))
            return false; /* the bound of an array */
    return true;
}

/* Does the level assign to what the word at `i` names? */
static bool is_assigned(reader *r, size_t i)
{
    for (size_t k = 0; k < r->assignments; k++)
        if (same_word(r->t, r->assignment[k].target, i) &&
            cc_variable_at(r, r->assignment[k].target) == cc_variable_at(r, i))
            return true;
    return false;
}

/* Is it made of the thread's index, of sizes, and of what never changes, and does it not change itself? */
static bool can_be_remade(reader *r, const variable *v)
{
    enum { MAX_TOKENS = 24 }; /* a load takes less than a long computation */
    const translator *t = r->t;

    if (v->is_array || v->is_reference || v->initialiser == NONE || !is(t, v->initialiser, "=") ||
        v->end - v->initialiser > MAX_TOKENS || !cc_is_pure(t, v->initialiser + 1, v->end))
        return false;
    for (size_t i = v->end; i < v->scope_end; i++)
        if (cc_variable_at(r, i) == v && (cc_may_change(t, v, i) || cc_may_be_kept(t, v, i)))
            return false;
    for (size_t i = v->initialiser + 1; i < v->end; i++) {
        const variable *other = cc_variable_at(r, i);

        if (other ? !(other->stretch == NONE ? !is_assigned(r, i) : other->remade)
                  : cc_is_parameter(r, i) && is_assigned(r, i))
            return false;
        if (is(t, i, "threadIdx") ? !is(t, i + 1, ".") : !cc_is_movable(r, i, i + 1) && !is_member(t, i))
            return false;
    }
    return true;
}

static bool find_crossing(reader *r)
{
    for (size_t k = 0; k < r->variables; k++) {
        variable *v = &r->variable[k];

        if (v->stretch == NONE)
            continue;
        v->remade = can_be_remade(r, v);
        for (size_t i = v->name + 1; i < v->scope_end && !v->remade; i++)
            v->crosses |= cc_variable_at(r, i) == v && i >= r->stretch[v->stretch].end;
        if (v->crosses && !has_known_type(r, v))
            return false;
        for (size_t i = v->name + 1; v->crosses && i < v->scope_end; i++)
            if (cc_variable_at(r, i) == v && cc_may_be_kept(r->t, v, i))
                return false; /* it would point to a copy */
    }
    return true;
}

static bool is_in_loop(const reader *r, size_t i)
{
    for (size_t k = r->open; k < i; k++)
        if ((is(r->t, k, "for") || is(r->t, k, "while") || is(r->t, k, "do")) && end_of_statement(r->t, k) != NONE &&
            end_of_statement(r->t, k) > i)
            return true;
    return false;
}

/* May a thread wait for what another one does by an atomic? It may where it uses the value in a loop. */
static bool may_poll(const reader *r)
{
    static const char *const before_statement[] = {";", "{", "}", ")", "else", NULL};
    const translator *t = r->t;

    for (size_t i = r->open; i < r->close; i++)
        if (cc_is_atomic_word(t, i) &&
            (!is_any(t, i - 1, before_statement) || !is(t, cc_matching(t, i + 1) + 1, ";")) && is_in_loop(r, i))
            return true;
    return false;
}

/* May a thread have returned where its warp is to be whole? */
static bool returns_before_operation(const reader *r)
{
    bool any = false;

    for (size_t k = 0; k < r->stretches; k++)
        any |= r->stretch[k].returns && !is_last(r, &r->stretch[k]);
    return any && r->operations > 0;
}

static bool read_kernel(reader *r, bool in_step)
{
    r->variables = r->assignments = r->stretches = r->barriers = r->loops_in_step = r->depth = r->operations =
        r->braces = r->subscripts = 0;
    r->building = false;
    r->in_step = in_step;
    close_stretch(r);
    if (!read_level(r, r->open + 1, r->close))
        return false;
    find_varying(r);
    if (changes_parameter(r))
        return false;
    r->building = true;
    if (!read_level(r, r->open + 1, r->close) || r->stretches == 0 || returns_before_operation(r) || !find_crossing(r))
        return false;
    cc_find_rows(r);
    return r->barriers + r->loops_in_step + r->operations > 0 || (r->stretches == 1 && has_rows(&r->stretch[0]));
}

/* A use of a __shared__ variable of the file may be replaced by anything. */
static bool has_global_shared(const translator *t)
{
    for (size_t k = 0; k < t->shared_count; k++)
        if (t->shared[k].global)
            return true;
    return false;
}

reader *cc_read_stretches(translator *t, size_t start, size_t parameters, size_t open)
{
    reader *r;

    if ((!cc_is_stretch_kernel(t, start, open) && !cc_is_row_kernel(t, start, open)) || has_global_shared(t))
        return NULL;
    r = cc_allocate(NULL, sizeof *r);
    *r = (reader){.t = t, .start = start, .parameters = parameters, .open = open, .close = cc_matching(t, open)};
    if (!may_poll(r) && (read_kernel(r, true) || read_kernel(r, false)))
        return r;
    free(r);
    return NULL;
}
