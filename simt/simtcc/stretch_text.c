/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The translation of a kernel that stretches.c has read: each stretch becomes a lambda, each variable that crosses a barrier an array.
 */
#include "stretches.h"

#include <stdlib.h>

static bool is_used_between(reader *r, const variable *v, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (cc_variable_at(r, i) == v)
            return true;
    return false;
}

static bool is_used_in(reader *r, const variable *v, const stretch *s)
{
    for (size_t k = 0; k < r->operations; k++)
        if (&r->stretch[r->operation[k].stretch] == s &&
            is_used_between(r, v, r->operation[k].value, r->operation[k].value_end))
            return true;
    return is_used_between(r, v, s->first, s->end);
}

/* Does the stretch need a variable that is computed anew, for itself or for another one? */
static bool is_needed_in(reader *r, const variable *v, size_t number)
{
    if (v->stretch == number)
        return false;
    if (is_used_in(r, v, &r->stretch[number]))
        return true;
    for (const variable *other = v + 1; other < r->variable + r->variables; other++)
        if (other->remade && is_used_between(r, v, other->initialiser, other->end) && is_needed_in(r, other, number))
            return true;
    return false;
}

static bool may_change_in(reader *r, const variable *v, const stretch *s)
{
    for (size_t i = s->first; i < s->end; i++)
        if (cc_variable_at(r, i) == v && cc_may_change(r->t, v, i))
            return true;
    return false;
}

static void add_tokens(const translator *t, cc_text *text, size_t from, size_t to)
{
    static const char *const copies[][2] = {
        {"threadIdx", "simt_index"}, {"blockDim", "simt_of_block"}, {"gridDim", "simt_of_grid"}};

    for (size_t i = from; i < to; i++) {
        bool copied = false;

        for (size_t k = 0; k < sizeof copies / sizeof *copies; k++)
            if (is(t, i, copies[k][0])) {
                cc_text_puts(text, copies[k][1]);
                copied = true;
            }
        if (!copied)
            cc_add_token(text, &t->token[i]);
        if (i + 1 == to || t->token[i + 1].start != t->token[i].start + t->token[i].length) /* >> is two tokens */
            cc_text_puts(text, " ");
    }
}

static void add_name(const translator *t, cc_text *text, size_t name)
{
    cc_add_token(text, &t->token[name]);
}

/* Declares the arrays of variables that cross barriers, and returns whether threads that returned are to be known. */
static bool add_arrays(reader *r, cc_text *text)
{
    unsigned count = 0;
    bool gone = false;

    for (size_t k = 0; k < r->stretches; k++)
        gone |= r->stretch[k].returns && !is_last(r, &r->stretch[k]);
    for (size_t k = 0; k < r->variables; k++) {
        const variable *v = &r->variable[k];

        if (!v->crosses)
            continue;
        cc_text_puts(text, " typedef ");
        add_tokens(r->t, text, v->statement, v->type_end);
        for (size_t i = v->first; i < v->end && i != v->initialiser; i++)
            if (i == v->name)
                cc_text_printf(text, "simt_type_%zu ", k);
            else if (!is_restrict(r->t, i))
                add_tokens(r->t, text, i, i + 1);
        cc_text_puts(text, ";");
        count++;
    }
    cc_text_puts(text, " ::simt::stretches<decltype(simt_kind)::value> simt_threads(0");
    for (size_t k = 0; k < r->variables; k++)
        if (r->variable[k].crosses)
            cc_text_printf(text, " + sizeof(simt_type_%zu)", k);
    cc_text_printf(text, "%s + %zu * ::simt::given_size, %zu);", gone ? " + 1" : "", r->operations,
                   count + gone + r->operations);
    for (size_t k = 0; k < r->variables; k++)
        if (r->variable[k].crosses)
            cc_text_printf(text, " auto simt_each_%zu = simt_threads.template each<simt_type_%zu>();", k, k);
    if (gone)
        cc_text_puts(text, " auto simt_gone = simt_threads.template each<bool>(); simt_threads.clear(simt_gone);");
    for (size_t k = 0; k < r->operations; k++)
        cc_text_printf(text, " char *const simt_given_%zu = simt_threads.given();", k);
    return gone;
}

static void hoist(reader *r, size_t number, cc_text *text)
{
    const translator *t = r->t;

    for (size_t k = 0; k < r->variables; k++) {
        const variable *v = &r->variable[k];

        if (v->hoisted != number)
            continue;
        cc_text_puts(text, " ");
        add_tokens(t, text, v->statement, v->type_end);
        add_tokens(t, text, v->first, v->end);
        cc_text_puts(text, ";");
    }
}

/* The name of an operation in simt_calls.h. */
static const char *operation_name(const translator *t, const operation *o)
{
    static const char *const names[][2] = {{"__shfl_sync", "SIMT_SHUFFLE_INDEX"},
                                           {"__shfl_up_sync", "SIMT_SHUFFLE_UP"},
                                           {"__shfl_down_sync", "SIMT_SHUFFLE_DOWN"},
                                           {"__shfl_xor_sync", "SIMT_SHUFFLE_XOR"},
                                           {"__ballot_sync", "SIMT_BALLOT"},
                                           {"__any_sync", "SIMT_ANY"},
                                           {"__all_sync", "SIMT_ALL"},
                                           {"__reduce_add_sync", "SIMT_REDUCE_ADD"},
                                           {"__reduce_min_sync", "SIMT_REDUCE_MIN"},
                                           {"__reduce_max_sync", "SIMT_REDUCE_MAX"},
                                           {"__reduce_and_sync", "SIMT_REDUCE_AND"},
                                           {"__reduce_or_sync", "SIMT_REDUCE_OR"}};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is(t, o->name, names[k][0]))
            return names[k][1];
    return "SIMT_REDUCE_XOR";
}

static bool is_shuffle(const translator *t, const operation *o)
{
    return memcmp(t->token[o->name].start, "__shfl", sizeof "__shfl" - 1) == 0;
}

/* `<TYPE, NAME>(GIVEN, THREAD`: what the functions of operations begin with. A stretch that gives a value has not what else there is in the
 * call. */
static void add_operation_head(reader *r, size_t k, cc_text *text)
{
    const operation *o = &r->operation[k];

    cc_text_puts(text, "<decltype(");
    add_name(r->t, text, o->name);
    cc_text_puts(text, "(~0u, ");
    add_tokens(r->t, text, o->value, o->value_end);
    cc_text_printf(text, "%s)), %s>(simt_given_%zu, simt_number", is_shuffle(r->t, o) ? ", 0" : "",
                   operation_name(r->t, o), k);
}

/* The end of a stretch: what a thread gives. */
static void add_given(reader *r, size_t number, cc_text *text)
{
    for (size_t k = 0; k < r->operations; k++) {
        const operation *o = &r->operation[k];

        if (o->stretch != number)
            continue;
        cc_text_puts(text, " if (!simt_threads.is_alone()) simt_threads.template give");
        add_operation_head(r, k, text);
        cc_text_puts(text, ", ");
        add_tokens(r->t, text, o->value, o->value_end);
        cc_text_puts(text, ");");
    }
}

/* Behind that stretch: what is the same for all lanes of a warp. */
static void add_combined(reader *r, size_t number, cc_text *text)
{
    for (size_t k = 0; k < r->operations; k++)
        if (r->operation[k].stretch == number && !is_shuffle(r->t, &r->operation[k]))
            cc_text_printf(text, " simt_threads.template combine<%s>(simt_given_%zu);",
                           operation_name(r->t, &r->operation[k]), k);
}

/* The call becomes one of all lanes where all threads run together. */
static void change_operation(reader *r, size_t k)
{
    translator *t = r->t;
    const operation *o = &r->operation[k];
    cc_text *text;

    cc_text_puts(cc_note(t, o->name, BEFORE), "(simt_threads.is_alone() ? ");
    text = cc_note(t, o->close, AFTER);
    cc_text_printf(text, " : simt_threads.template %s", is_shuffle(t, o) ? "shuffled" : "combined");
    add_operation_head(r, k, text);
    add_tokens(t, text, o->value_end, o->close);
    cc_text_puts(text, "))");
}

static void add_anew(reader *r, const variable *v, cc_text *text)
{
    cc_text_puts(text, " [[maybe_unused]] ");
    add_tokens(r->t, text, v->statement, v->type_end);
    add_tokens(r->t, text, v->first, v->end);
    cc_text_puts(text, ";");
}

static void open_lambda(reader *r, size_t number, bool gone, cc_text *text)
{
    const stretch *s = &r->stretch[number];

    hoist(r, number, text);
    cc_text_printf(text,
                   " simt_threads.%s([&](const ::uint3 simt_index, const unsigned simt_number%s) %s { (void)simt_index;"
                   " (void)simt_number;",
                   s->step       ? "rounds"
                   : has_rows(s) ? "run_rows"
                                 : "run",
                   s->step       ? ", auto simt_whole, auto simt_first"
                   : has_rows(s) ? ", auto simt_place"
                                 : "",
                   r->t->rows);
    if (s->step)
        cc_text_puts(text, " (void)simt_whole; (void)simt_first;");
    if (has_rows(s))
        cc_text_puts(text, " (void)simt_place;");
    if (gone && number > 0)
        cc_text_printf(text, " if (simt_gone[simt_number]) return%s;", s->step ? " false" : "");
    for (size_t k = 0; k < r->variables; k++) {
        const variable *v = &r->variable[k];

        if (v->remade && is_needed_in(r, v, number))
            add_anew(r, v, text);
        if (!v->crosses || v->stretch == number || !is_used_in(r, v, s))
            continue;
        cc_text_printf(text, " simt_type_%zu %s", k, v->is_array ? "&" : "");
        add_name(r->t, text, v->name);
        if (s->step && s->counter == k)
            cc_text_printf(text, " = simt_threads.counter(simt_each_%zu, simt_number, simt_whole, simt_first);", k);
        else
            cc_text_printf(text, " = simt_each_%zu[simt_number];", k);
    }
    cc_text_puts(text, s->step ? " if (!(simt_whole || (" : " ");
}

/* Functions of the counter of a loop in step: its condition and its step. */
static void add_condition(reader *r, const stretch *s, cc_text *text)
{
    const variable *v = &r->variable[s->counter];

    cc_text_printf(text, ", simt_each_%zu, [&](simt_type_%zu ", s->counter, s->counter);
    add_name(r->t, text, v->name);
    cc_text_puts(text, ") { return ");
    add_tokens(r->t, text, s->first, s->step - 1);
    cc_text_printf(text, "; }, [&](simt_type_%zu ", s->counter);
    add_name(r->t, text, v->name);
    cc_text_puts(text, ") { ");
    add_tokens(r->t, text, s->step, s->body - 1);
    cc_text_puts(text, "; return ");
    add_name(r->t, text, v->name);
    cc_text_puts(text, "; }");
}

/* Does [from, to) need the variable, which is computed anew, for itself or for another one? */
static bool is_needed_between(reader *r, const variable *v, size_t from, size_t to)
{
    if (is_used_between(r, v, from, to))
        return true;
    for (const variable *other = v + 1; other < r->variable + r->variables; other++)
        if (other->remade && is_used_between(r, v, other->initialiser, other->end) &&
            is_needed_between(r, other, from, to))
            return true;
    return false;
}

/* Functions of a thread's index, to see what the rows are: all subscripts, and both values of each comparison. */
static void add_rows(reader *r, size_t number, cc_text *text)
{
    static const char *const orders[][2] = {{"<", "order_less"},           {"<=", "order_less_equal"}, {">", "order_greater"},
                                            {">=", "order_greater_equal"}, {"==", "order_equal"},      {"!=", "order_unequal"}};
    const stretch *s = &r->stretch[number];
    size_t next = 0;

    cc_text_printf(text,
                   ", ::simt::subscripts<%zu>(), [&](const ::uint3 simt_index, int64_t *simt_at) %s { "
                   "(void)simt_index; (void)simt_at;",
                   s->subscripts, r->t->rows);
    for (const variable *v = r->variable; v < r->variable + r->variables; v++) {
        bool needed = false;

        for (size_t k = 0; v->remade && k < r->subscripts; k++)
            needed |= r->subscript[k].stretch == number &&
                      is_needed_between(r, v, r->subscript[k].open, r->subscript[k].close);
        if (needed)
            add_anew(r, v, text);
    }
    for (size_t k = 0; k < r->subscripts; k++)
        if (r->subscript[k].stretch == number && r->subscript[k].number == next) {
            cc_text_printf(text, " simt_at[%zu] = (int64_t)(", next++);
            add_tokens(r->t, text, r->subscript[k].open + 1, r->subscript[k].close);
            cc_text_puts(text, ");");
        }
    cc_text_puts(text, " }");
    for (const side *c = s->side; c < s->side + s->sides; c++) {
        size_t k = 0;

        while (!is(r->t, c->bound - 1, orders[k][0]))
            k++;
        cc_text_printf(
            text, ", ::simt::side_of<::simt::%s>([&](const ::uint3 simt_index, auto simt_take) %s { (void)simt_index;",
            orders[k][1], r->t->rows);
        for (const variable *v = r->variable; v < r->variable + r->variables; v++)
            if (v->remade && is_needed_between(r, v, c->from, c->end))
                add_anew(r, v, text);
        cc_text_puts(text, " return simt_take(");
        add_tokens(r->t, text, c->from, c->bound - 1);
        cc_text_puts(text, ", ");
        add_tokens(r->t, text, c->bound, c->end);
        cc_text_puts(text, "); })");
    }
}

static void close_lambda(reader *r, size_t number, bool gone, cc_text *text)
{
    const stretch *s = &r->stretch[number];

    if (s->step) {
        cc_text_puts(text, " if constexpr (!simt_whole) { ");
        add_tokens(r->t, text, s->step, s->body - 1);
        cc_text_puts(text, ";");
        if (s->counter != NONE) {
            cc_text_printf(text, " simt_each_%zu.keep(simt_number, ", s->counter);
            add_name(r->t, text, r->variable[s->counter].name);
            cc_text_puts(text, ");");
        }
        cc_text_puts(text, " }");
    }
    add_given(r, number, text);
    for (size_t k = 0; k < r->variables; k++) {
        const variable *v = &r->variable[k];

        if (!v->crosses || is_last(r, s) || (s->step && s->counter == k) ||
            !(v->stretch == number || (!v->is_array && is_used_in(r, v, s) && may_change_in(r, v, s))))
            continue;
        cc_text_printf(text, " simt_each_%zu.keep(simt_number, ", k);
        add_name(r->t, text, v->name);
        cc_text_puts(text, ");");
    }
    if (s->step)
        cc_text_puts(text, " return true;");
    cc_text_puts(text, " }");
    if (s->step && s->counter != NONE)
        add_condition(r, s, text);
    if (has_rows(s))
        add_rows(r, number, text);
    cc_text_puts(text, ");");
    add_combined(r, number, text);
    if (gone && s->returns && !is_last(r, s))
        cc_text_puts(text, " if (simt_threads.is_alone() && simt_gone[0]) return;");
}

/* Are variables of v's declaration before number `to` left where they are? */
static bool any_stays(const reader *r, const variable *v, size_t to)
{
    for (size_t k = 0; k < to; k++)
        if (r->variable[k].statement == v->statement && r->variable[k].hoisted == NONE)
            return true;
    return false;
}

static bool any_is_hoisted(const reader *r, const variable *v)
{
    for (size_t k = 0; k < r->variables; k++)
        if (r->variable[k].statement == v->statement && r->variable[k].hoisted != NONE)
            return true;
    return false;
}

/* Takes the parts of declarations away that are hoisted, and gives a value to what crosses a barrier without one. */
static void change_declarations(reader *r)
{
    translator *t = r->t;
    size_t attributed = NONE;

    for (size_t k = 0; k < r->variables; k++) {
        const variable *v = &r->variable[k];
        const bool stays = v->hoisted == NONE;

        if (v->crosses && v->initialiser == NONE)
            cc_text_puts(cc_note(t, v->end - 1, AFTER), " = {}");
        if (v->remade && v->statement != attributed)
            cc_text_puts(cc_note(t, attributed = v->statement, BEFORE), " [[maybe_unused]] ");
        if (!any_is_hoisted(r, v))
            continue;
        for (size_t i = v->first; !stays && i < v->end; i++)
            r->removed[i - r->open] = true;
        if (v->first != v->type_end && !(stays && any_stays(r, v, k)))
            r->removed[v->first - 1 - r->open] = true; /* the comma */
        for (size_t i = v->statement; !any_stays(r, v, r->variables) && i < v->type_end; i++)
            r->removed[i - r->open] = true;
    }
}

/* Is the argument at `i` the address of a number in an array of shared memory: `&name[...]`, `name + ...`, `name`? */
static bool is_of_shared_array(reader *r, const stretch *s, size_t i)
{
    const translator *t = r->t;
    const size_t name = is(t, i, "&") ? i + 1 : i;
    size_t behind = name + 1;

    if (!cc_is_shared_array(r, name, true) || cc_variable_at(r, name) || cc_is_hidden(r, s, name, name + 1))
        return false;
    if (name == i)
        return is(t, behind, "+") || is(t, behind, ",");
    while (is(t, behind, "[") && cc_matching(t, behind) != NONE)
        behind = cc_matching(t, behind) + 1;
    return behind > name + 1 && is(t, behind, ",");
}

static void change_stretch(reader *r, size_t number, bool gone)
{
    translator *t = r->t;
    const stretch *s = &r->stretch[number];

    open_lambda(r, number, gone, cc_note(t, s->first, BEFORE));
    for (size_t i = s->first; s->returns && !is_last(r, s) && i < s->end; i++)
        if (is(t, i, "return"))
            cc_text_puts(cc_note(t, i, INSTEAD), "return (void)simt_gone.keep(simt_number, true)");
    for (size_t i = s->first; i < s->end; i++)
        if (is(t, i, "atomicAdd") && is(t, i + 1, "(") && !is_member(t, i))
            cc_text_puts(cc_note(t, i, INSTEAD),
                         is_of_shared_array(r, s, i + 2) ? "simt_threads.add_shared" : "simt_threads.add_atomically");
    for (size_t k = 0; k < s->sides; k++) {
        cc_text_printf(cc_note(t, s->side[k].from, BEFORE), "(simt_place.is_known() ? simt_place.holds(%zu) : ", k);
        cc_text_puts(cc_note(t, s->side[k].end - 1, AFTER), ")");
    }
    for (size_t k = 0; k < r->subscripts; k++)
        if (r->subscript[k].stretch == number) {
            cc_text_printf(cc_note(t, r->subscript[k].open, AFTER), "simt_place.template at<%zu>(",
                           r->subscript[k].number);
            cc_text_puts(cc_note(t, r->subscript[k].close, BEFORE), ")");
        }
    close_lambda(r, number, gone,
                 cc_note(t, s->end, BEFORE)); /* on the next line, where nobody thinks it part of an `if` */
}

/* The head of a loop in step: `for (` and `)` go, the step goes behind the body, and the condition is one of each thread. */
static void change_loop(reader *r, const stretch *s)
{
    size_t i = s->first - 1;

    cc_text_puts(cc_note(r->t, s->step - 1, INSTEAD), "))) return false; ");
    for (size_t k = s->step; k < s->body; k++)
        r->removed[k - r->open] = true;
    while (!is(r->t, i, "for"))
        i--;
    r->removed[i - r->open] = r->removed[i + 1 - r->open] = true;
}

/* Those that begin and end up to token `to`, in order; at one token the ends come first. */
static void add_braces(reader *r, size_t to)
{
    for (;;) {
        brace *next = NULL;
        size_t at = to;

        for (size_t k = 0; k < r->braces; k++) {
            brace *b = &r->brace[k];
            const size_t place = b->state == NOT_OPEN ? b->first : b->end;

            if (b->state != CLOSED && place <= at &&
                (!next || place < at || (b->state == OPEN && next->state != OPEN))) {
                next = b;
                at = place;
            }
        }
        if (!next)
            return;
        cc_text_puts(cc_note(r->t, at, BEFORE), next->state == NOT_OPEN ? " { " : " } ");
        next->state = next->state == NOT_OPEN ? OPEN : CLOSED;
    }
}

static void change(reader *r, cc_text *text)
{
    translator *t = r->t;
    bool gone;

    r->removed = cc_allocate(NULL, r->close - r->open);
    memset(r->removed, 0, r->close - r->open);
    cc_text_printf(text, " auto simt_body = [=](auto simt_kind) %s {", t->rows);
    gone = add_arrays(r, text);
    for (size_t k = 0; k < r->stretches; k++) {
        add_braces(r, r->stretch[k].first);
        change_stretch(r, k, gone);
        if (r->stretch[k].step)
            change_loop(r, &r->stretch[k]);
    }
    add_braces(r, r->close);
    for (size_t k = 0; k < r->operations; k++)
        change_operation(r, k);
    for (size_t k = 0; k < r->barriers; k++)
        cc_text_puts(cc_note(t, r->barrier[k], BEFORE), "if (simt_threads.is_alone()) ");
    change_declarations(r);
    for (size_t i = r->open; i < r->close; i++)
        if (r->removed[i - r->open])
            cc_note(t, i, INSTEAD);
    cc_add_copies(t, r->open, r->close, r->removed);
    free(r->removed);
    cc_text_puts(cc_note(t, r->close, BEFORE), "}; ::simt::run_body(simt_body); ");
}

bool cc_add_stretches(translator *t, size_t start, size_t parameters, size_t open, cc_text *text)
{
    reader *r = cc_read_stretches(t, start, parameters, open);

    if (!r)
        return false;
    change(r, text);
    free(r);
    return true;
}
