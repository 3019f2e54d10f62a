/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables in device memory: a __shared__ variable becomes a reference into the block's arena; __device__ and
 * __constant__ variables register themselves with the machine. translate.h shows the results.
 */
#include "refused.h"
#include "translator.h"

#include <string.h>

static void remove_words(translator *t, size_t from, size_t to, const char *const *words)
{
    for (size_t i = from; i < to; i++)
        if (is_any(t, i, words))
            cc_note(t, i, INSTEAD);
}

/* Device variables are aligned to this, so that the padding after one of them serves as a redzone. */
static const char apart[] = "__attribute__((aligned(64)))";

/* A variable of namespace scope is the file's own, as with nvcc, unless -rdc=true joins the files' device code. `extern` then
 * declares nothing of another file: it is a definition. */
static void make_static(translator *t, size_t start, size_t device, cc_declaration *d)
{
    size_t word = start;

    if (d->qualified[0] != d->name[0] || is(t, start + 1, "\"C\"") || cc_any_word(t, start, d->name[0], "static"))
        return;
    while (d->is_extern && word < d->name[0] && !is(t, word, "extern"))
        word++;
    cc_text_puts(d->is_extern ? cc_note(t, word, INSTEAD) : cc_note(t, start, BEFORE), "static ");
    if (d->is_extern)
        cc_warn(t, device, "without -rdc=true %.*s is a variable of this file alone, not one of another file",
                (int)t->token[d->name[0]].length, t->token[d->name[0]].start);
    d->is_extern = false;
}

/* The parameters of the template whose `<` is at `open`, without their defaults, and as arguments: `typename T, int N` and
 * `T, N`. False if one has no name. */
static bool read_parameters(const translator *t, size_t open, cc_text *parameters, cc_text *arguments)
{
    size_t close = cc_angle(t, open), from = open + 1, to = NONE;

    for (size_t i = from; i <= close; i++) {
        size_t name;

        if (cc_opens(t, i) || is(t, i, "<"))
            i = is(t, i, "<") ? cc_angle(t, i) : cc_matching(t, i);
        if (to == NONE && (is(t, i, "=") || is(t, i, ",") || i == close))
            to = i;
        if (!is(t, i, ",") && i != close)
            continue;
        name = cc_template_parameter(t, from, to);
        if (name == NONE)
            return false;
        for (size_t k = from; k < to; k++) {
            cc_add_token(parameters, &t->token[k]);
            cc_text_puts(parameters, " ");
        }
        cc_add_token(arguments, &t->token[name]);
        cc_text_puts(arguments, is(t, name - 1, "...") ? "..." : "");
        if (i != close) {
            cc_text_puts(parameters, ", ");
            cc_text_puts(arguments, ", ");
        }
        from = i + 1;
        to = NONE;
    }
    return true;
}

/* A variable template is registered for each type that it is used with, by a static member of a template beside it. */
static void register_template(translator *t, size_t start, size_t end, bool constant, const cc_declaration *d)
{
    size_t open = start + 1;
    const cc_token *name = &t->token[d->name[0]];
    cc_text parameters = {0}, arguments = {0};
    cc_text *text;

    if (!is(t, start, "template") || cc_angle(t, open) == NONE || d->is_extern || d->count != 1 ||
        d->qualified[0] != d->name[0] || cc_here(t)->kind == CLASS ||
        !read_parameters(t, open, &parameters, &arguments))
        goto done;
    text = cc_note(t, start, BEFORE);
    cc_text_printf(text, "template <%s> struct %.*s__simt_registration { static ::simt::device_variable is; }; ",
                   parameters.data, (int)name->length, name->start);
    cc_text_printf(cc_note(t, cc_angle(t, open), AFTER),
                   " alignas(::simt::registered<%.*s__simt_registration<%s>::is>())", (int)name->length, name->start,
                   arguments.data);
    text = cc_note(t, end, AFTER);
    cc_text_printf(text, " template <%s> ::simt::device_variable %.*s__simt_registration<%s>::is(&", parameters.data,
                   (int)name->length, name->start, arguments.data);
    cc_text_printf(text, "%.*s<%s>, sizeof(%.*s<%s>), \"%.*s\"", (int)name->length, name->start, arguments.data,
                   (int)name->length, name->start, arguments.data, (int)name->length, name->start);
    cc_add_place(text, name);
    cc_text_printf(text, ", %s);", constant ? "true" : "false");
done:
    cc_text_free(&parameters);
    cc_text_free(&arguments);
}

void cc_register_variables(translator *t, size_t start, size_t end)
{
    cc_declaration d;
    bool constant = false, local = !cc_in_declarations(t);
    size_t device = NONE;

    for (size_t i = start; i < end; i++) {
        if (cc_opens(t, i) && cc_matching(t, i) < end)
            i = cc_matching(t, i); /* members of a structure have words of their own */
        constant |= is(t, i, "__constant__");
        if (cc_is_device_word(t, i) && device == NONE)
            device = i;
    }
    if (device == NONE)
        return;
    cc_read_declaration(t, start, end, &d);
    if (d.is_template && !d.is_function && !d.is_type && !local)
        register_template(t, start, end, constant, &d);
    if (d.is_function || d.is_template || d.is_type)
        return;
    if (!local && !t->separate && d.count)
        make_static(t, start, device, &d);
    cc_text_puts(cc_note(t, device, INSTEAD), apart);
    for (size_t k = 0; k < d.count; k++) {
        const cc_token *name = &t->token[d.name[k]];
        cc_text *text;

        if (d.is_extern && d.initialiser[k] == NONE)
            continue;
        text = cc_note(t, end, AFTER);
        cc_text_printf(text, " %s %.*s__simt_registration%s&",
                       local ? "alignas(64) static ::simt_variable" : "static ::simt::device_variable",
                       (int)name->length, name->start, local ? " = {" : "(");
        for (size_t i = d.qualified[k]; i <= d.name[k]; i++)
            cc_add_token(text, &t->token[i]);
        cc_text_puts(text, ", sizeof(");
        for (size_t i = d.qualified[k]; i <= d.name[k]; i++)
            cc_add_token(text, &t->token[i]);
        cc_text_printf(text, "), \"%.*s\"", (int)name->length, name->start);
        cc_add_place(text, name);
        if (local) /* aligned, and without a guard variable, which would lie next to a device variable */
            cc_text_printf(text, ", %d, nullptr, 0}; ::simt::register_once(%.*s__simt_registration);", constant,
                           (int)name->length, name->start);
        else
            cc_text_printf(text, ", %s);", constant ? "true" : "false");
    }
}

/* A __device__ or __constant__ in a function: a lambda, or a static variable. */
void cc_device_word_in_function(translator *t, size_t i)
{
    size_t start, end;

    if (is(t, i - 1, "]") || is(t, i - 1, ")") || is(t, i + 1, "(") || is(t, i + 1, "{") || is(t, i + 1, "mutable") ||
        is(t, i + 1, "->"))
        return;
    if (cc_is_device_word(t, i - 1))
        return; /* `__device__ __constant__`: once is enough */
    start = cc_statement_start(t, i);
    end = cc_statement_end(t, i);
    if (end != NONE && !cc_any_word(t, start, end, "__shared__"))
        cc_register_variables(t, start, end);
}

/* The alignment of NAME__simt_type, with the declaration's alignas. */
static void add_alignment(cc_text *text, const cc_token *name, const cc_declaration *d)
{
    int length = (int)name->length;

    if (d->align_count)
        cc_text_printf(text,
                       "alignof(%.*s__simt_type) > alignof(%.*s__simt_align) ? alignof(%.*s__simt_type) : "
                       "alignof(%.*s__simt_align)",
                       length, name->start, length, name->start, length, name->start, length, name->start);
    else
        cc_text_printf(text, "alignof(%.*s__simt_type)", length, name->start);
}

static void add_reference(cc_text *text, const cc_token *name, const cc_declaration *d)
{
    int length = (int)name->length;

    cc_text_printf(text, "(*static_cast<%.*s__simt_type *>(", length, name->start);
    if (d->is_extern) {
        cc_text_puts(text, "::simt::dynamic_shared(");
        add_alignment(text, name, d);
        cc_text_puts(text, ")))");
    } else {
        cc_text_printf(text, "%.*s__simt_slot.here()))", length, name->start);
    }
}

static void add_slot(const translator *t, cc_text *text, const cc_token *name, const cc_declaration *d)
{
    int length = (int)name->length;

    cc_text_printf(text, " static ::simt::shared_slot %.*s__simt_slot(sizeof(%.*s__simt_type), ", length, name->start,
                   length, name->start);
    add_alignment(text, name, d);
    cc_text_printf(text, ", \"%.*s\"", length, name->start);
    cc_add_place(text, name);
    cc_text_printf(text, ", %d << 10);", t->specific ? 227 : 48); /* as nvcc: more than 48 KiB for sm_90a alone */
}

/* `alignas` cannot stand in a typedef: an empty type takes it instead. */
static void move_alignas(translator *t, const cc_declaration *d, size_t name)
{
    cc_text *text = cc_note(t, d->end, AFTER);

    cc_text_puts(text, " struct ");
    for (size_t k = 0; k < d->align_count; k++) {
        size_t end = cc_matching(t, d->align[k] + 1);

        for (size_t i = d->align[k]; i != NONE && i <= end; i++) {
            cc_add_token(text, &t->token[i]);
            cc_text_puts(text, " ");
        }
    }
    cc_text_printf(text, " %.*s__simt_align {};", (int)t->token[name].length, t->token[name].start);
}

static void drop_alignas(translator *t, const cc_declaration *d)
{
    for (size_t k = 0; k < d->align_count; k++)
        for (size_t i = d->align[k], end = cc_matching(t, i + 1); i <= end && end != NONE; i++)
            cc_note(t, i, INSTEAD);
}

static const cc_shared *find_shared(const translator *t, const cc_token *name)
{
    for (size_t k = t->shared_count; k-- > 0;)
        if (t->shared[k].name->length == name->length &&
            memcmp(t->shared[k].name->start, name->start, name->length) == 0)
            return &t->shared[k];
    return NULL;
}

static cc_shared *append_shared(translator *t)
{
    if (t->shared_count == t->shared_capacity) {
        t->shared_capacity = 2 * t->shared_capacity + 16;
        t->shared = cc_allocate(t->shared, t->shared_capacity * sizeof *t->shared);
    }
    return &t->shared[t->shared_count++];
}

static void add_shared(translator *t, const cc_token *name, const cc_declaration *d)
{
    cc_shared *shared = append_shared(t);

    *shared = (cc_shared){.name = name, .depth = t->depth, .global = cc_in_declarations(t)};
    add_reference(&shared->use, name, d);
}

void cc_forget_shared(translator *t)
{
    while (t->shared_count > 0 && t->shared[t->shared_count - 1].depth > t->depth &&
           !t->shared[t->shared_count - 1].global)
        cc_text_free(&t->shared[--t->shared_count].use);
}

static void refuse_name(translator *t, size_t i)
{
    cc_refuse(t, i, "%.*s is also a __shared__ variable: rename one", (int)t->token[i].length, t->token[i].start);
}

/* Parameters of the function whose body was entered: their names hide variables of namespace scope. */
void cc_hide_by_parameters(translator *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is_word(t, i) && (is(t, i + 1, ",") || is(t, i + 1, ")") || is(t, i + 1, "[") || is(t, i + 1, "=")) &&
            find_shared(t, &t->token[i])) {
            cc_shared *hides = append_shared(t);

            *hides = (cc_shared){.name = &t->token[i], .depth = t->depth};
            cc_add_token(&hides->use, &t->token[i]);
        }
}

void cc_check_parameters(translator *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is_word(t, i) && (is(t, i + 1, ",") || is(t, i + 1, ")")) && find_shared(t, &t->token[i]))
            refuse_name(t, i);
}

/* The declaration [start, end) has __shared__ at token `i`. Returns the token after which reading continues. */
size_t cc_translate_shared(translator *t, size_t start, size_t end, size_t i)
{
    static const char *const gone[] = {"__shared__", "static", "extern", "__device__", NULL};
    bool global = cc_in_declarations(t);
    cc_declaration d;

    cc_read_declaration(t, start, end, &d);
    if (d.is_function || d.is_template || d.is_type || !d.count) {
        cc_refuse(t, i, "this __shared__ declaration is not understood");
        return end;
    }
    for (size_t k = start; k < end; k++)
        cc_check_word(t, k);
    cc_text_puts(cc_note(t, start, BEFORE), "typedef ");
    remove_words(t, start, d.name[0], gone);
    drop_alignas(t, &d);
    for (size_t k = 0; k < d.count; k++) {
        const cc_token *name = &t->token[d.name[k]];
        cc_text *text;

        if (d.initialiser[k] != NONE)
            cc_refuse_feature(t, d.initialiser[k], REFUSED_SHARED_INITIALISER, "");
        if (global && cc_here(t)->kind == CLASS)
            cc_refuse_feature(t, i, REFUSED_SHARED_MEMBER, "");
        cc_text_printf(cc_note(t, d.name[k], INSTEAD), "%.*s__simt_type", (int)name->length, name->start);
        if (d.align_count)
            move_alignas(t, &d, d.name[k]);
        text = cc_note(t, end, AFTER);
        if (!d.is_extern)
            add_slot(t, text, name, &d);
        if (!global) {
            cc_text_printf(text, " %.*s__simt_type &%.*s __attribute__((unused)) = ", (int)name->length, name->start,
                           (int)name->length, name->start);
            add_reference(text, name, &d);
            cc_text_puts(text, ";");
        }
        add_shared(t, name, &d);
    }
    return end;
}

void cc_use_of_shared(translator *t, size_t i)
{
    static const char *const not_types[] = {"return", "case", "else", "do", "co_return", "throw", "sizeof", NULL};
    const cc_shared *shared = find_shared(t, &t->token[i]);

    if (!shared || (!shared->global && cc_here(t)->lambda <= shared->depth))
        return;
    if (cc_in_declarations(t)) /* a parameter: a variable is used in functions only */
        return;
    if (is(t, i - 1, ".") || is(t, i - 1, "->") || is(t, i - 1, "::"))
        return;
    if (is_word(t, i - 1) && !is_any(t, i - 1, not_types))
        refuse_name(t, i);
    else
        cc_text_add(cc_note(t, i, INSTEAD), shared->use.data, shared->use.length);
}
