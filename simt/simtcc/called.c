/* SPDX-License-Identifier: BSD-2-Clause
 *
 * May code of the program run a function? nvcc makes code only of what a kernel reaches, so a function that nothing calls may
 * hold an instruction that does not exist. Names decide, whatever their scopes: a name that stands in the body of a function which
 * itself may run, or in an initialiser, is called.
 */
#include "translator.h"

#include <stdlib.h>
#include <string.h>

static void add_function(translator *t, const cc_item *it)
{
    size_t parameters;
    cc_function *f;

    if (cc_opened(t, it->first, it->open, &parameters) != FUNCTION || parameters <= it->first)
        return;
    if (t->function_count == t->function_capacity) {
        t->function_capacity = 2 * t->function_capacity + 64;
        t->functions = cc_allocate(t->functions, t->function_capacity * sizeof *t->functions);
    }
    f = &t->functions[t->function_count++];
    *f = (cc_function){.first = it->first, .name = parameters - 1, .open = it->open, .close = it->close};
    /* a kernel, a function of the host, and with -rdc=true one that another file may call, have code in any case */
    f->on_demand = !cc_any_word(t, it->first, it->open, "__host__") &&
                   (is(t, it->first, "template") ? cc_any_word(t, it->first, it->open, "__device__") ||
                                                       cc_any_word(t, it->first, it->open, "__global__")
                                                 : cc_any_word(t, it->first, it->open, "__device__") &&
                                                       (!t->separate || cc_any_word(t, it->first, it->open, "static") ||
                                                        cc_any_word(t, it->first, it->open, "inline")));
}

static void find_functions(translator *t, size_t from, size_t to)
{
    cc_items items;

    cc_split(t, from, to, &items);
    for (size_t i = 0; i < items.count; i++) {
        if (items.item[i].kind == FUNCTION)
            add_function(t, &items.item[i]);
        else if (items.item[i].kind != OTHER)
            find_functions(t, items.item[i].open + 1, items.item[i].close);
    }
    free(items.item);
}

/* The function whose head or body holds token `i`; NULL: none. They stand in order, and none within another. */
static cc_function *function_at(const translator *t, size_t i)
{
    size_t low = 0, high = t->function_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (t->functions[middle].close < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->function_count && t->functions[low].first <= i ? &t->functions[low] : NULL;
}

static bool same_word(const translator *t, size_t i, size_t k)
{
    return t->token[i].length == t->token[k].length &&
           memcmp(t->token[i].start, t->token[k].start, t->token[i].length) == 0;
}

/* Is it the name in a declaration `type name(...)`, outside functions? */
static bool is_declaration(const translator *t, size_t i)
{
    return is(t, i + 1, "(") && i > 0 &&
           (is_word(t, i - 1) || is(t, i - 1, "*") || is(t, i - 1, "&") || is(t, i - 1, ">"));
}

static bool is_called(translator *t, cc_function *f)
{
    if (!f->on_demand || !is_word(t, f->name))
        return true;
    if (f->visited)
        return false; /* only through itself, as far as this path goes */
    f->visited = true;
    for (size_t i = 0; i < t->count; i++) {
        cc_function *user;

        if (!is_word(t, i) || !same_word(t, i, f->name) || i == f->name)
            continue;
        user = function_at(t, i);
        if (user ? i != user->name && is_called(t, user) : !is_declaration(t, i))
            return true;
    }
    return false;
}

void cc_visit_no_function(translator *t)
{
    if (!t->functions)
        find_functions(t, 0, t->count);
    for (size_t k = 0; k < t->function_count; k++)
        t->functions[k].visited = false;
}

size_t cc_function_named(const translator *t, size_t i, size_t after)
{
    for (size_t k = after == NONE ? 0 : after + 1; k < t->function_count; k++)
        if (same_word(t, t->functions[k].name, i))
            return k;
    return NONE;
}

bool cc_is_called(translator *t, size_t i)
{
    cc_function *f;

    cc_visit_no_function(t);
    f = function_at(t, i);
    return !f || is_called(t, f);
}
