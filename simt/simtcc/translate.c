/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The translator: contract in translate.h. It is no C++ parser. It matches brackets, tracks scopes (namespace, class,
 * function), and recognises declarations and postfix expressions. Each change is an edit of one token (text before it,
 * instead of it or after it), so edits of nested constructs compose, and the text between tokens stays.
 */
#include "translate.h"
#include "refused.h"
#include "translator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const translator *t, size_t i, const char *kind, const char *format, va_list arguments)
{
    const cc_token *token = &t->token[i < t->count ? i : t->count - 1];

    fprintf(stderr, "%.*s:%u: %s: ", (int)token->file_length, token->file, token->line, kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void cc_refuse(translator *t, size_t i, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print(t, i, "error", format, arguments);
    va_end(arguments);
    t->errors++;
}

void cc_warn(const translator *t, size_t i, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print(t, i, "warning", format, arguments);
    va_end(arguments);
}

/* A new edit, to be filled in. INSTEAD with no text removes the token. */
cc_text *cc_note(translator *t, size_t token, cc_where where)
{
    cc_edit *e;

    if (t->edit_count == t->edit_capacity) {
        t->edit_capacity = 2 * t->edit_capacity + 64;
        t->edits = cc_allocate(t->edits, t->edit_capacity * sizeof *t->edits);
    }
    e = &t->edits[t->edit_count];
    *e = (cc_edit){.token = token, .where = where, .order = t->edit_count};
    t->edit_count++;
    return &e->text;
}

static int by_place(const void *left, const void *right)
{
    const cc_edit *a = left, *b = right;

    if (a->token != b->token)
        return a->token < b->token ? -1 : 1;
    if (a->where != b->where)
        return a->where < b->where ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void cc_add_token(cc_text *text, const cc_token *token)
{
    cc_text_add(text, token->start, token->length);
}

/* `, "FILE", LINE` */
void cc_add_place(cc_text *text, const cc_token *token)
{
    cc_text_printf(text, ", \"%.*s\", %u", (int)token->file_length, token->file, token->line);
}

static void enter(translator *t, cc_scope_kind kind, bool device, size_t statement)
{
    if (t->depth == t->scope_capacity) {
        t->scope_capacity = 2 * t->scope_capacity + 64;
        t->scopes = cc_allocate(t->scopes, t->scope_capacity * sizeof *t->scopes);
    }
    t->scopes[t->depth++] = (cc_scope){.kind = kind, .device = device, .statement = statement};
}

/* Does the function with the head [from, to) run on the device, or on both sides? */
static bool is_device_head(const translator *t, size_t from, size_t to)
{
    return cc_any_word(t, from, to, "__global__") || cc_any_word(t, from, to, "__device__");
}

/* The parenthesis behind the attribute, or NONE. */
static size_t attribute_of(const translator *t, const char *name, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is(t, i, name) && is(t, i + 1, "("))
            return i + 1;
    return NONE;
}

/* __restrict__ and its kind, but not types such as __half. */
static bool is_qualifier(const translator *t, size_t i)
{
    const cc_token *k = &t->token[i];

    return is(t, i, "__restrict") ||
           (k->length > 4 && strncmp(k->start, "__", 2) == 0 && strncmp(k->start + k->length - 2, "__", 2) == 0);
}

/* The declared name of the parameter [from, to), or NONE. */
static size_t parameter_name(const translator *t, size_t from, size_t to)
{
    static const char *const types[] = {"int",  "unsigned", "long",   "short", "char",   "float", "double",
                                        "bool", "const",    "signed", "auto",  "size_t", NULL};
    size_t name = NONE, words = 0;

    for (size_t i = from; i < to && !is(t, i, "="); i++) {
        if (is(t, i, "(") && is(t, i + 1, "*") && is_word(t, i + 2))
            return i + 2; /* a pointer to a function or an array */
        if (is(t, i, "[") && is(t, i + 1, "["))
            i = cc_matching(t, i); /* [[attribute]] */
        else if (cc_takes_parentheses(t, i) && is(t, i + 1, "(")) {
            i = cc_matching(t, i + 1);
            words++;
        } else if (is(t, i, "<")) {
            i = cc_angle(t, i);
            words++;
            name = NONE;
        } else if (is(t, i, "[") || is(t, i, "(")) {
            break;
        } else if (is_word(t, i)) {
            bool of_type = (is(t, i + 1, "::") || is(t, i + 1, "<") || (i > from && is(t, i - 1, "::")));

            words += !is(t, i, "const") && !is(t, i, "typename") && !cc_is_class_word(t, i);
            name = of_type || is_any(t, i, types) || is_qualifier(t, i) ? NONE : i;
            words -= is_qualifier(t, i);
        } else if (!is(t, i, "::")) {
            words++; /* the first word is the type */
            name = NONE;
        }
        if (i == NONE)
            return NONE;
    }
    return words > 1 ? name : NONE;
}

/* `, decltype(NAME)` for each parameter in the parentheses at `open`; a parameter without a name gets one. */
static void add_parameter_types(translator *t, cc_text *text, size_t open)
{
    size_t close = cc_matching(t, open);

    for (size_t from = open + 1, to; from < close; from = to + 1) {
        size_t name;
        bool pack = false, first = from == open + 1;

        to = cc_part_end(t, from, close);
        if (to == from || (is(t, from, "void") && to == from + 1))
            continue;
        name = parameter_name(t, from, to);
        for (size_t k = from; k < to; k++)
            pack |= is(t, k, "...");
        cc_text_puts(text, first ? "" : ", ");
        if (name != NONE) {
            cc_text_printf(text, "decltype(%.*s)%s", (int)t->token[name].length, t->token[name].start,
                           pack ? "..." : "");
        } else {
            size_t last = from;

            while (last + 1 < to && !is(t, last + 1, "=") && !is(t, last + 1, "["))
                last++;
            cc_text_printf(cc_note(t, last, AFTER), " simt_%zu __attribute__((unused))", from);
            cc_text_printf(text, "decltype(simt_%zu)%s", from, pack ? "..." : "");
        }
    }
}

static bool is_restrict(const translator *t, size_t i)
{
    return is(t, i, "__restrict__") || is(t, i, "__restrict");
}

/* If a parameter in the parentheses at `open` is `__restrict__` and not itself const: says what the parameters are, and where those
 * are moved (runtime/detect/restricted.c). */
static void add_parameters(const translator *t, size_t open, cc_text *says, cc_text *moves)
{
    size_t close = cc_matching(t, open);
    unsigned number = 0;
    bool any = false;

    for (size_t from = open + 1, to; from < close; from = to + 1) {
        size_t name;
        bool restricted;

        to = cc_part_end(t, from, close);
        name = parameter_name(t, from, to);
        restricted = name != NONE && is_restrict(t, name - 1) && is(t, name - 2, "*");
        if (name != NONE && !is(t, name - 1, "...")) {
            int length = (int)t->token[name].length;
            const char *word = t->token[name].start;

            cc_text_printf(says, " ::simt::parameter(%u, \"%.*s\", %.*s, %d);", number, length, word, length, word,
                           restricted);
            if (restricted)
                cc_text_printf(moves, " %.*s = ::simt::moved(%u, %.*s);", length, word, number, length, word);
        }
        any |= restricted;
        number++;
    }
    if (!any)
        says->length = 0;
}

void cc_add_copies(translator *t, size_t open, size_t close, const bool *removed)
{
    static const char *const copies[][2] = {
        {"threadIdx", "simt_index"}, {"blockDim", "simt_of_block"}, {"gridDim", "simt_of_grid"}};
    static const char *const not_before[] = {"::", ".", "->", NULL};

    for (size_t k = open + 1; k < close; k++)
        for (size_t j = 0; j < sizeof copies / sizeof *copies; j++)
            if (is(t, k, copies[j][0]) && !is_any(t, k - 1, not_before) && !(removed && removed[k - open]))
                cc_text_puts(cc_note(t, k, INSTEAD), copies[j][1]);
}

/* The body at `i`, of a kernel whose threads never wait, becomes a lambda (rows.c). */
static void add_rows(translator *t, cc_text *text, size_t i)
{
    const size_t close = cc_matching(t, i);

    cc_text_puts(text, " ::simt::rows([=](const ::uint3 simt_index) ");
    cc_text_printf(text, "%s {", t->rows);
    cc_add_copies(t, i, close, NULL);
    cc_text_puts(cc_note(t, close, BEFORE), "}); ");
}

/* If one thread after the other can run the body at `i`, or parts of it: makes that of it. The sizes are copied: for all that the compiler
 * knows, a store through a pointer changes what is no constant. */
static void add_loops(translator *t, cc_text *text, size_t start, size_t parameters, size_t i)
{
    static const char copies[] = " const ::dim3 simt_of_block = ::blockDim, simt_of_grid = ::gridDim;"
                                 " (void)simt_of_block, (void)simt_of_grid;";
    cc_text stretches = {0};

    if (cc_add_stretches(t, start, parameters, i, &stretches)) {
        cc_text_puts(text, copies);
        cc_text_add(text, stretches.data, stretches.length);
    } else if (cc_is_row_kernel(t, start, i)) {
        cc_text_puts(text, copies);
        add_rows(t, text, i);
    }
    cc_text_free(&stretches);
}

/* At the `{` of a kernel, whose declaration begins at `start`: adds its description. */
static void enter_kernel(translator *t, size_t start, size_t i, size_t parameters)
{
    const cc_token *name = &t->token[parameters - 1];
    size_t cluster = attribute_of(t, "__cluster_dims__", start, i), dimensions = 0;
    size_t bounds = attribute_of(t, "__launch_bounds__", start, i),
           end = bounds == NONE ? NONE : cc_matching(t, bounds);
    cc_text text = {0}, says = {0}, moves = {0};

    add_parameters(t, parameters, &says, &moves);
    cc_text_printf(&text, " static ::simt_kernel simt_here = {\"%.*s\"", (int)name->length, name->start);
    cc_add_place(&text, name);
    cc_text_puts(&text, ", (int)(");
    if (is(t, i + 1, "__simt_host_only__")) { /* passes.c: the device's text has no such kernel */
        cc_note(t, i + 1, INSTEAD);
        cc_text_puts(&text, "-1 + ");
        bounds = end = NONE;
    }
    for (size_t k = bounds + 1, depth = 0; end != NONE && k < end && (depth || !is(t, k, ",")); k++) {
        size_t angle = is(t, k, "<") && is_word(t, k - 1) ? cc_angle(t, k) : NONE;

        for (; angle != NONE && angle < end && is(t, angle + 1, "::") && k < angle; k++) { /* T<a, b>::threads */
            cc_add_token(&text, &t->token[k]);
            cc_text_puts(&text, " ");
        }
        depth += cc_opens(t, k);
        depth -= cc_closes(t, k);
        cc_add_token(&text, &t->token[k]);
        cc_text_puts(&text, " ");
    }
    cc_text_puts(&text, end == NONE ? "0), {" : "), {");
    for (size_t k = cluster + 1; cluster != NONE && k < cc_matching(t, cluster); k++) {
        cc_add_token(&text, &t->token[k]);
        cc_text_puts(&text, " ");
    }
    for (size_t k = cluster + 1; cluster != NONE && k < cc_matching(t, cluster); dimensions++)
        k = cc_part_end(t, k, cc_matching(t, cluster)) + 1;
    for (; dimensions > 0 && dimensions < 3; dimensions++)
        cc_text_puts(&text, ", 1"); /* what __cluster_dims__ leaves out; 0 blocks are an error of the launch */
    cc_text_puts(&text, "}, 0, 0, ::simt::launch_array<");
    add_parameter_types(t, &text, parameters);
    cc_text_puts(&text, ">}; if (__builtin_expect(simt_probe != nullptr, 0)) { *simt_probe = &simt_here;");
    cc_text_add(&text, says.data, says.length);
    cc_text_puts(&text, " return; }");
    if (moves.length > 0) {
        cc_text_puts(&text, " if (::simt::checking && __builtin_expect(simt_moved_any, 0)) {");
        cc_text_add(&text, moves.data, moves.length);
        cc_text_puts(&text, " }");
    }
    cc_text_free(&says);
    cc_text_free(&moves);
    add_loops(t, &text, start, parameters, i);
    cc_text_add(cc_note(t, i, AFTER), text.data, text.length);
    cc_text_free(&text);
}

/* At the `{` of a function or lambda with the head [from, i): if only the device has it, the checking build tells calls
 * by the host. One that is constexpr may be called when the host's code is compiled. */
static void check_caller(translator *t, size_t from, size_t i, size_t name)
{
    cc_text *text;

    if (t->token[i].system || !cc_any_word(t, from, i, "__device__") || cc_any_word(t, from, i, "__host__") ||
        cc_any_word(t, from, i, "constexpr"))
        return;
    text = cc_note(t, i, AFTER);
    cc_text_printf(text, " ::simt::device_only(\"%.*s\"", is_word(t, name) ? (int)t->token[name].length : 0,
                   t->token[name].start);
    cc_add_place(text, &t->token[name]);
    cc_text_puts(text, ");");
}

/* At `{` in a function. */
static void open_block(translator *t, size_t i)
{
    cc_scope *outer = cc_here(t);
    size_t head = cc_lambda_head(t, i), lambda = outer->lambda;

    outer->statement = i + 1;
    enter(t, FUNCTION, outer->device, i + 1);
    cc_here(t)->lambda = lambda;
    if (is(t, i - 1, "__device__") || is(t, i - 1, "__host__")) /* the two bodies that passes.c makes */
        cc_here(t)->device = is(t, i - 1, "__device__");
    if (head == NONE)
        return;
    cc_here(t)->lambda = t->depth;
    cc_here(t)->device |= is_device_head(t, head, i);
    check_caller(t, head, i, head);
    cc_check_parameters(t, head, i);
}

/* Is the brace at i part of a function's head: in its parameters, or behind them in noexcept(...) or decltype(...)? */
static bool is_in_head(const translator *t, size_t parameters, size_t i)
{
    for (size_t k = parameters; k < i; k++)
        if (is(t, k, "(") && (k = cc_matching(t, k)) > i)
            return true;
    return false;
}

/* Does the function whose body opens at `open` return a number, and has `return;`? nvcc warns of that. */
static bool returns_nothing(const translator *t, size_t first, size_t parameters, size_t open)
{
    static const char *const numbers[] = {"int", "unsigned", "long", "char", "bool", "float", "double", NULL};
    const size_t close = cc_matching(t, open);
    bool is_number = false;

    for (size_t i = first; i < parameters; i++)
        is_number |= is_any(t, i, numbers);
    if (!is_number || t->token[first].system || cc_any_word(t, first, parameters, "void"))
        return false;
    for (size_t i = open; i < close && i < t->count; i++)
        if (is(t, i, "return") && is(t, i + 1, ";"))
            return true;
    return false;
}

/* `static const T zero = 0;` in a class, at its first word. Without constexpr, gcc takes it for integers only. If T turns out to be
 * float, nvcc takes it in device code, which its host compiler does not instantiate. The initialiser is a constant in any case. */
static bool is_constant_of_named_type(const translator *t, size_t i)
{
    static const char *const integral[] = {"bool", "char", "int", "long", "short", "signed", "unsigned", NULL};

    return ((is(t, i, "static") && is(t, i + 1, "const")) || (is(t, i, "const") && is(t, i + 1, "static"))) &&
           is_word(t, i + 2) && !is_any(t, i + 2, integral) && is_word(t, i + 3) && is(t, i + 4, "=");
}

/* At `{`. Returns the token after which reading continues. */
static size_t open_brace(translator *t, size_t i)
{
    cc_scope *outer = cc_here(t);
    size_t parameters;
    cc_scope_kind kind;

    if (!cc_in_declarations(t)) {
        open_block(t, i);
        return i;
    }
    kind = cc_opened(t, outer->statement, i, &parameters);
    if (kind == FUNCTION && (is_in_head(t, parameters, i) || cc_is_member_initialiser(t, parameters, i))) {
        size_t end = cc_matching(t, i);

        return end == NONE ? i : end;
    }
    if (kind == FUNCTION && cc_any_word(t, outer->statement, i, "__global__") && parameters > 0)
        enter_kernel(t, outer->statement, i, parameters);
    else if (kind == FUNCTION && parameters > 0)
        check_caller(t, outer->statement, i, parameters - 1);
    if (kind == FUNCTION && parameters > 0 && returns_nothing(t, outer->statement, parameters, i))
        t->permissive = true;
    enter(t, kind, kind == FUNCTION && is_device_head(t, outer->statement, i), i + 1);
    if (kind == FUNCTION && parameters > 0)
        cc_hide_by_parameters(t, parameters, i);
    return i;
}

static void close_brace(translator *t, size_t i)
{
    cc_scope_kind kind = cc_here(t)->kind;

    if (t->depth == 1)
        return; /* one too many: the compiler reports it */
    t->depth--;
    cc_forget_shared(t);
    if (!cc_in_declarations(t) || kind == FUNCTION || kind == NAMESPACE)
        cc_here(t)->statement = i + 1; /* after a class or an initialiser the declaration continues */
}

/* nvcc takes a function that is always_inline without being inline; the host compiler wants both words. */
static void add_inline(translator *t, size_t i, size_t start)
{
    size_t end = cc_statement_end(t, i), parameters;

    for (size_t k = i; k < t->count && !is(t, k, ";"); k++)
        if (is(t, k, "{")) {
            if (cc_opened(t, start, k, &parameters) != FUNCTION)
                return;
            end = k;
            break;
        }
    if (end == NONE || end <= i || cc_any_word(t, start, end, "inline") || cc_any_word(t, start, end, "__inline__"))
        return;
    while (is(t, start, "template") && is(t, start + 1, "<")) {
        start = cc_angle(t, start + 1);
        if (start == NONE)
            return;
        start++;
    }
    if (is(t, start, "extern") && t->token[start + 1].kind == CC_STRING)
        start += 2;
    cc_text_puts(cc_note(t, start, BEFORE), "inline ");
}

static void word(translator *t, size_t i, size_t *next)
{
    static const char *const attributes[] = {"__launch_bounds__", "__cluster_dims__", NULL};
    static const char *const assembly[] = {"asm", "__asm__", "__asm", NULL};
    static const char *const heap[] = {"malloc", "free", "new", "delete", NULL};
    size_t start = cc_in_declarations(t) ? cc_here(t)->statement : cc_statement_start(t, i);

    if (is(t, i, "__shared__")) {
        size_t end = cc_statement_end(t, i);

        if (end == NONE)
            cc_refuse(t, i, "this __shared__ declaration is not understood");
        else
            *next = cc_translate_shared(t, start, end, i);
        if (end != NONE)
            cc_here(t)->statement = end + 1;
        return;
    }
    if (cc_is_cuda_word(t, i)) {
        cc_note(t, i, INSTEAD);
        if (cc_is_device_word(t, i) && !cc_in_declarations(t))
            cc_device_word_in_function(t, i);
        return;
    }
    if ((is(t, i, "always_inline") || is(t, i, "__always_inline__")) && cc_in_declarations(t) && !t->token[i].system)
        add_inline(t, i, start);
    if (is(t, i, "__noinline__") && i > 0 && !is(t, i - 1, "(") && !is(t, i - 1, ",")) { /* no part of an attribute */
        cc_text_puts(cc_note(t, i, INSTEAD), "__attribute__((noinline))");
        return;
    }
    if (is_any(t, i, attributes) && is(t, i + 1, "(") && cc_matching(t, i + 1) != NONE) {
        for (size_t end = cc_matching(t, i + 1); i <= end; i++)
            cc_note(t, i, INSTEAD);
        *next = i - 1;
        return;
    }
    if (is(t, i, "using") && cc_here(t)->kind == CLASS && is_word(t, i + 1) && is(t, i + 2, "=") && is(t, i + 4, "<") &&
        t->token[i + 1].length == t->token[i + 3].length &&
        !memcmp(t->token[i + 1].start, t->token[i + 3].start, t->token[i + 1].length))
        t->permissive = true;
    if (cc_here(t)->kind == CLASS && !t->token[i].system && is_constant_of_named_type(t, i))
        cc_text_puts(cc_note(t, is(t, i, "const") ? i : i + 1, INSTEAD), "constexpr");
    if (is_any(t, i, assembly) && cc_here(t)->device)
        cc_translate_asm(t, i);
    if (is_any(t, i, heap) && cc_here(t)->device)
        t->heap = true;
    if (t->shared_count && i > 0)
        cc_use_of_shared(t, i);
    cc_translate_member(t, i);
    cc_check_word(t, i);
}

static void walk(translator *t)
{
    enter(t, NAMESPACE, false, 0);
    for (size_t i = 0; i < t->count; i++) {
        if (t->token[i].kind == CC_WORD) {
            word(t, i, &i);
        } else if (is(t, i, "<<") && is(t, i + 1, "<") && (i == 0 || !is(t, i - 1, "operator"))) {
            cc_translate_launch(t, i);
        } else if (is(t, i, "{")) {
            i = open_brace(t, i);
        } else if (is(t, i, "}")) {
            close_brace(t, i);
        } else if (is(t, i, ";")) {
            if (cc_here(t)->kind == NAMESPACE)
                cc_register_variables(t, cc_here(t)->statement, i);
            cc_here(t)->statement = i + 1;
        }
    }
}

/* Removes pragmas that only nvcc knows; the lines stay, empty. */
static void add_between(cc_text *output, const char *from, const char *to)
{
    static const char *const pragmas[] = {"unroll", "nounroll", "nv_", "nvcc", "hd_warning_disable"};

    while (from < to) {
        const char *newline = memchr(from, '\n', (size_t)(to - from));
        const char *end = newline ? newline + 1 : to;
        const char *at = from;
        bool keep = true;

        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if (end - at > 8 && memcmp(at, "#pragma ", 8) == 0)
            for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++)
                if (strncmp(at + 8, pragmas[i], strlen(pragmas[i])) == 0)
                    keep = false;
        if (keep)
            cc_text_add(output, from, (size_t)(end - from));
        else
            cc_text_puts(output, "\n");
        from = end;
    }
}

static void write_out(translator *t, const cc_text *source, cc_text *output)
{
    const char *at = source->data;
    size_t e = 0;

    if (t->edit_count)
        qsort(t->edits, t->edit_count, sizeof *t->edits, by_place);
    for (size_t i = 0; i < t->count; i++) {
        bool gone = false;

        add_between(output, at, t->token[i].start);
        at = t->token[i].start + t->token[i].length;
        for (; e < t->edit_count && t->edits[e].token == i && t->edits[e].where != AFTER; e++) {
            cc_text_add(output, t->edits[e].text.data, t->edits[e].text.length);
            gone |= t->edits[e].where == INSTEAD;
        }
        if (!gone)
            cc_add_token(output, &t->token[i]);
        for (; e < t->edit_count && t->edits[e].token == i; e++)
            cc_text_add(output, t->edits[e].text.data, t->edits[e].text.length);
    }
    add_between(output, at, source->data + source->length);
}

bool cc_translate(const cc_text *source, const char *path, bool separate, bool specific, const char *rows,
                  cc_text *output, cc_found *found)
{
    cc_tokens tokens;
    translator t = {.path = path, .separate = separate, .specific = specific, .rows = rows};
    bool good;

    if (!source->length) {
        *found = (cc_found){0};
        return true;
    }
    cc_lex(source->data, source->length, false, &tokens);
    t.text = source->data;
    t.text_length = source->length;
    t.token = tokens.token;
    t.count = tokens.count;
    walk(&t);
    cc_check_host_variables(&t);
    if (!t.errors)
        write_out(&t, source, output);
    good = !t.errors;
    *found = (cc_found){tokens.has_volatile, t.permissive, t.heap, t.pending_registers};
    for (size_t i = 0; i < t.edit_count; i++)
        cc_text_free(&t.edits[i].text);
    for (size_t i = 0; i < t.shared_count; i++)
        cc_text_free(&t.shared[i].use);
    free(t.edits);
    free(t.scopes);
    free(t.shared);
    free(t.functions);
    free(t.templates);
    free(t.aliases);
    cc_tokens_free(&tokens);
    return good;
}
