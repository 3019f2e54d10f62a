/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Launches: finds the parts of kernel<<<grid, block, shared, stream>>>(arguments) and turns them into a call.
 */
#include "translator.h"

#include <string.h>

/* The first token of the postfix expression that ends at `i`: k, ns::k<3>, table[2], (*p), object.k. NONE if none. */
static size_t kernel_start(const translator *t, size_t i)
{
    for (;;) {
        if (i != NONE && is(t, i, ">")) {
            i = cc_angle_back(t, i);
            if (i == NONE || i == 0)
                return NONE;
            i--;
            if (!is_word(t, i))
                return NONE;
        }
        if (i != NONE && (is(t, i, ")") || is(t, i, "]"))) {
            i = cc_matching_back(t, i);
            if (i == NONE || i == 0)
                return i;
            if (is(t, i - 1, ")") || is(t, i - 1, "]") || is(t, i - 1, ">") ||
                (is_word(t, i - 1) && !is(t, i - 1, "return") && !is(t, i - 1, "else") && !is(t, i - 1, "do"))) {
                i--;
                continue; /* a call or an index: its operand comes before */
            }
            return i;
        }
        if (!is_word(t, i))
            return NONE;
        if (i > 0 && is(t, i - 1, "template"))
            i--;
        if (i > 0 && (is(t, i - 1, ".") || is(t, i - 1, "->"))) {
            i -= 2;
            continue;
        }
        if (i == 0 || !is(t, i - 1, "::"))
            return i;
        i--; /* the :: */
        if (i == 0 || (!is_word(t, i - 1) && !is(t, i - 1, ">")) || is(t, i - 1, "return") || is(t, i - 1, "else"))
            return i;
        i--;
    }
}

/* Is there another `>>>(` in this statement behind `i`? */
static bool closes_later(const translator *t, size_t i)
{
    for (; i < t->count && !cc_closes(t, i) && !is(t, i, ";"); i++) {
        if (cc_opens(t, i)) {
            i = cc_matching(t, i);
            if (i == NONE)
                return false;
        } else if (is(t, i, ">") && is(t, i + 1, ">") && is(t, i + 2, ">") && is(t, i + 3, "(")) {
            return true;
        }
    }
    return false;
}

/* The first `>` of the `>>>` that ends the launch configuration which begins at `i`. The same three marks may close
 * template arguments, f<g<h<int>>>(0), so open angles are counted. */
static size_t configuration_end(const translator *t, size_t i)
{
    size_t angles = 0;

    for (; i < t->count; i++) {
        size_t run = 0;

        if (cc_opens(t, i)) {
            i = cc_matching(t, i);
            if (i == NONE)
                return NONE;
            continue;
        }
        if (cc_closes(t, i) || is(t, i, ";"))
            return NONE;
        if (is(t, i, "<") && is_word(t, i - 1))
            angles++;
        while (is(t, i + run, ">"))
            run++;
        if (run >= 3 && is(t, i + run, "(") && (run >= 3 + angles || !closes_later(t, i + run)))
            return i + run - 3;
        if (run) {
            angles -= run < angles ? run : angles;
            i += run - 1;
        }
    }
    return NONE;
}

static void add_escaped(cc_text *text, const cc_text *plain)
{
    for (size_t i = 0; i < plain->length; i++) {
        if (strchr("\"\\", plain->data[i]))
            cc_text_puts(text, "\\");
        cc_text_add(text, plain->data + i, 1);
    }
}

/* The token behind the argument of a call that begins at `i`: a comma, or `close`. */
static size_t argument_end(const translator *t, size_t i, size_t close)
{
    for (; i < close && !is(t, i, ","); i++) {
        size_t angle = is(t, i, "<") && is_word(t, i - 1) ? cc_angle(t, i) : NONE;

        if (cc_opens(t, i))
            i = cc_matching(t, i);
        else if (angle != NONE && angle < close &&
                 (is(t, angle + 1, "(") || is(t, angle + 1, "{") || is(t, angle + 1, "::") || is(t, angle + 1, ">")))
            i = angle;
    }
    return i;
}

/* Arguments that change when they are forwarded: a braced list has no type, and 0 and NULL become numbers. */
static bool stays_in_call(const translator *t, size_t from, size_t to)
{
    return is(t, from, "{") || (to == from + 1 && (is(t, from, "0") || is(t, from, "__null")));
}

/* Is a kernel of this name declared in the text? The name stands before the first parenthesis behind __global__ that does not
 * belong to an attribute, or before its template arguments. */
static bool is_kernel(const translator *t, size_t name)
{
    static const char *const attributes[] = {"__launch_bounds__", "__attribute__",    "__maxnreg__",
                                             "__block_size__",    "__cluster_dims__", NULL};

    for (size_t i = 0; i < t->count; i++) {
        if (!is(t, i, "__global__"))
            continue;
        for (size_t k = i + 1; k < t->count && !is(t, k, ";") && !is(t, k, "{"); k++) {
            size_t angle = is_word(t, k) && is(t, k + 1, "<") ? cc_angle(t, k + 1) : NONE;

            if (is_any(t, k, attributes) && is(t, k + 1, "("))
                k = cc_matching(t, k + 1);
            else if (is_word(t, k) && (is(t, k + 1, "(") || (angle != NONE && is(t, angle + 1, "(")))) {
                if (t->token[k].length == t->token[name].length &&
                    memcmp(t->token[k].start, t->token[name].start, t->token[k].length) == 0)
                    return true;
                break;
            }
            if (k == NONE)
                break;
        }
    }
    return false;
}

/* Is the kernel (`from` to `to`) not the name of one but an expression, such as table[2], to->kernel or a pointer? */
static bool is_expression(const translator *t, size_t from, size_t to)
{
    size_t name = from;

    for (size_t i = from; i < to; i++) {
        size_t angle = is(t, i, "<") && i > from ? cc_angle(t, i) : NONE;

        if (angle != NONE && angle < to)
            i = angle;
        else if (is(t, i, "(") || is(t, i, "[") || is(t, i, ".") || is(t, i, "->"))
            return true;
        else
            name = i;
    }
    return !is_kernel(t, name);
}

/* The arguments (`open` to `close`) are evaluated once, by value, and passed to the kernel in each thread, except those
 * that stay_in_call, which remain in the call itself. So is an expression that gives the kernel, which may read memory of the
 * host. The name of a kernel stays in the call, which may need its default arguments. */
static void translate_arguments(translator *t, const char *kernel, bool expression, size_t open, size_t close)
{
    const char *callee = expression ? "simt_kernel" : kernel;
    cc_text parameters = {0}, call = {0}, *text;
    bool any = false, kept = false;

    for (size_t from = open + 1, to; from < close; from = to + 1) {
        bool pack;

        to = argument_end(t, from, close);
        pack = is(t, to - 1, "...");
        cc_text_puts(&call, from > open + 1 ? ", " : "");
        if (stays_in_call(t, from, to)) {
            any = true;
            for (size_t i = from; i < to; i++) {
                cc_add_token(&call, &t->token[i]);
                cc_text_puts(&call, " ");
                cc_note(t, i, INSTEAD);
            }
        } else {
            cc_text_printf(&parameters, "%sauto%s simt_%zu", kept ? ", " : "", pack ? "..." : "", from);
            cc_text_printf(&call, "simt_%zu%s", from, pack ? "..." : "");
            cc_text_puts(cc_note(t, from, BEFORE), kept ? ", " : "");
            kept = true;
        }
        if (to < close)
            cc_note(t, to, INSTEAD); /* removes the comma: the next argument adds one */
    }
    text = cc_note(t, open, INSTEAD);
    cc_text_puts(text, ", [=");
    if (expression)
        cc_text_printf(text, ", simt_kernel = %s", kernel);
    if (any)
        cc_text_printf(text, "](%s) { %s(%s); }%s", parameters.data ? parameters.data : "", callee, call.data,
                       kept ? ", " : "");
    else
        cc_text_printf(text, "](auto... simt_a) { %s(simt_a...); }%s", callee, kept ? ", " : "");
    cc_text_free(&parameters);
    cc_text_free(&call);
}

/* At the tokens `<<` `<` of a launch. */
void cc_translate_launch(translator *t, size_t i)
{
    size_t start = i ? kernel_start(t, i - 1) : NONE;
    size_t end = configuration_end(t, i + 2);
    size_t arguments = end == NONE ? NONE : end + 3;
    size_t close = arguments == NONE ? NONE : cc_matching(t, arguments);
    cc_text kernel = {0};
    cc_text *text;

    if (start == NONE || close == NONE) {
        cc_refuse(t, i, "this <<<...>>> launch is not understood");
        return;
    }
    for (size_t j = start; j < i; j++) {
        bool joined = j + 1 == i || t->token[j].start + t->token[j].length == t->token[j + 1].start;

        cc_add_token(&kernel, &t->token[j]);
        if (!joined)
            cc_text_puts(&kernel, " ");
        cc_note(t, j, INSTEAD);
    }
    text = cc_note(t, start, BEFORE);
    cc_text_puts(text, " ::simt::launch(\""); /* the blank: `case 0:k<<<...>>>` must not become `:::` */
    add_escaped(text, &kernel);
    cc_text_puts(text, "\"");
    cc_add_place(text, &t->token[start]);
    cc_text_puts(text, ", ::simt::config(");
    cc_note(t, i, INSTEAD);
    cc_note(t, i + 1, INSTEAD);
    cc_text_puts(cc_note(t, end, INSTEAD), ")");
    cc_note(t, end + 1, INSTEAD);
    cc_note(t, end + 2, INSTEAD);
    translate_arguments(t, kernel.data, is_expression(t, start, i), arguments, close);
    cc_text_free(&kernel);
}
