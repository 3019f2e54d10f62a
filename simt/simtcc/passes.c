/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Merges the host's and the device's text: contract in passes.h. Both are split into declarations; the bodies of
 * namespaces and classes are lists of declarations again. The two lists are aligned like the lines of a diff: equal
 * declarations match best, then those with equal heads.
 */
#define _GNU_SOURCE
#include "passes.h"
#include "translator.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum side { HOST, DEVICE } side;

/* A declaration, tokens [first, end). The body of a function, or the members of a namespace or class, are between the
 * braces `open` and `close`. */
typedef struct item {
    cc_scope_kind kind; /* OTHER: its body is not split further */
    size_t first, end, open, close;
    uint64_t all, head; /* hashes: of all tokens, of what makes two declarations the same one */
} item;

typedef struct items {
    item *item;
    size_t count;
} items;

/* Class templates whose defaults differ. There is one template, with the host's. The device's uses that leave arguments out
 * name an alias of it with the device's defaults. */
typedef struct defaulted {
    cc_words names;
    size_t parameters[64]; /* of each; more templates are not renamed */
} defaulted;

typedef struct joiner {
    translator text[2];
    const char *start[2]; /* of the text */
    cc_text *output;
    side last; /* the side of the token that was written last */
    size_t next;
    cc_words *own; /* names whose declarations differ: the device's are renamed, and the texts joined again */
    size_t known;  /* how many of them are renamed already */
    defaulted *templates;
} joiner;

/* --- items */

static uint64_t hash_token(uint64_t hash, const cc_token *token)
{
    for (unsigned i = 0; i < token->length; i++)
        hash = (hash ^ (unsigned char)token->start[i]) * 0x100000001b3;
    return (hash ^ ' ') * 0x100000001b3;
}

/* A hint to the device's compiler that changes nothing else. CUTLASS has it in constexpr functions, for the device only. */
static bool is_unroll_pragma(const cc_token *token)
{
    return token->kind == CC_PRAGMA && memmem(token->start, token->length, "unroll", strlen("unroll")) != NULL;
}

static uint64_t hash_all(const translator *t, size_t from, size_t to)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = from; i < to && i < t->count; i++)
        if (!is_unroll_pragma(&t->token[i]))
            hash = hash_token(hash, &t->token[i]);
    return hash;
}

/* At `=` in the parameters of a template, which end at `end`: the token before the `,` or `>` behind the default. */
static size_t skip_default(const translator *t, size_t i, size_t end)
{
    while (i + 1 < end && !is(t, i + 1, ",")) {
        i++;
        if (is(t, i, "(") || is(t, i, "{") || is(t, i, "["))
            i = cc_matching(t, i);
        else if (is(t, i, "<"))
            i = cc_angle(t, i);
        if (i == NONE)
            return end - 1;
    }
    return i;
}

/* The hash leaves out the words that say on which side a function runs, how it is compiled and how it is launched; and, unless
 * they are wanted, the defaults of a template's parameters. */
static uint64_t hash_head(const translator *t, size_t from, size_t to, bool defaults)
{
    static const char *const words[] = {"inline", "static", "extern", NULL};
    uint64_t hash = 0xcbf29ce484222325;
    size_t parameters_end = 0;

    for (size_t i = from; i < to; i++) {
        if (is(t, i, "template") && is(t, i + 1, "<") && cc_angle(t, i + 1) != NONE)
            parameters_end = cc_angle(t, i + 1);
        if (!defaults && is(t, i, "=") && i < parameters_end)
            i = skip_default(t, i, parameters_end);
        else if ((is(t, i, "__attribute__") || is(t, i, "__launch_bounds__") || is(t, i, "__cluster_dims__")) &&
                 is(t, i + 1, "("))
            i = cc_matching(t, i + 1);
        else if (!cc_is_cuda_word(t, i) && !is_any(t, i, words))
            hash = hash_token(hash, &t->token[i]);
        if (i == NONE)
            break;
    }
    return hash;
}

/* `inline constexpr` or `static constexpr` for the host, and `__device__ constexpr` or `static const __device__` for the device
 * declare the same constant: the hash leaves these words out. */
static bool is_constant(const translator *t, size_t from, size_t to)
{
    return cc_any_word(t, from, to, "constexpr") ||
           (cc_any_word(t, from, to, "const") && cc_any_word(t, from, to, "__device__"));
}

static uint64_t hash_constant(const translator *t, size_t from, size_t to)
{
    static const char *const words[] = {"inline", "static", "const", "constexpr", NULL};
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = from; i < to; i++)
        if (!cc_is_cuda_word(t, i) && !is_any(t, i, words))
            hash = hash_token(hash, &t->token[i]);
    return hash;
}

/* Is it `template <...> struct name;`? */
static bool declares_template(const translator *t, const item *it, size_t end)
{
    size_t close = is(t, it->first, "template") && is(t, it->first + 1, "<") ? cc_angle(t, it->first + 1) : NONE;

    return close != NONE && !t->token[it->first].system && cc_is_class_word(t, close + 1) && is_word(t, close + 2) &&
           is(t, close + 3, ";") && close + 4 == end;
}

static item hashed(const translator *t, cc_item of)
{
    item it = {.kind = of.kind, .first = of.first, .end = of.end, .open = of.open, .close = of.close};

    it.all = hash_all(t, it.first, it.end);
    if (it.kind != OTHER)
        it.head = hash_head(t, it.first, it.open, it.kind != FUNCTION && t->token[it.first].system);
    else if (declares_template(t, &it, it.end))
        it.head = hash_head(t, it.first, it.end, false);
    else
        it.head = is_constant(t, it.first, it.end) ? hash_constant(t, it.first, it.end) : it.all;
    return it;
}

static void split(const translator *t, size_t from, size_t to, items *list)
{
    cc_items read;

    cc_split(t, from, to, &read);
    list->count = read.count;
    list->item = cc_allocate(NULL, (read.count + 1) * sizeof *list->item);
    for (size_t i = 0; i < read.count; i++)
        list->item[i] = hashed(t, read.item[i]);
    free(read.item);
}

/* --- output */

static void write_marker(joiner *j, const cc_token *token)
{
    cc_text_printf(j->output, "\n# %u \"%.*s\"%s\n", token->line, (int)token->file_length, token->file,
                   token->system ? " 3" : "");
}

/* Blanks, comments and line markers. Markers lose the flags for entering and leaving a file, because the merged text
 * need not nest files properly. */
static void write_gap(joiner *j, const char *from, const char *to)
{
    while (from < to) {
        const char *newline = memchr(from, '\n', (size_t)(to - from)), *end = newline ? newline : to;
        const char *quote = *from == '#' ? memchr(from, '"', (size_t)(end - from)) : NULL;

        while (quote && ++quote < end && *quote != '"')
            quote += *quote == '\\';
        if (quote && quote < end) {
            cc_text_add(j->output, from, (size_t)(quote + 1 - from));
            cc_text_puts(j->output, memchr(quote, '3', (size_t)(end - quote)) ? " 3" : "");
        } else {
            cc_text_add(j->output, from, (size_t)(end - from));
        }
        cc_text_add(j->output, "\n", newline != NULL);
        from = end + (newline != NULL);
    }
}

static void write_tokens(joiner *j, side s, size_t from, size_t to)
{
    const translator *t = &j->text[s];

    for (size_t i = from; i < to; i++) {
        if (i == from && (s != j->last || from != j->next))
            write_marker(j, &t->token[i]);
        else
            write_gap(j, i ? t->token[i - 1].start + t->token[i - 1].length : j->start[s], t->token[i].start);
        cc_add_token(j->output, &t->token[i]);
    }
    if (from < to) {
        j->last = s;
        j->next = to;
    }
}

static void write_item(joiner *j, side s, const item *it)
{
    write_tokens(j, s, it->first, it->end);
}

/* --- one declaration that differs */

typedef struct runs_on {
    bool host, device, kernel, constant;
} runs_on;

static runs_on where_it_runs(const translator *t, size_t from, size_t to)
{
    runs_on r = {.kernel = cc_any_word(t, from, to, "__global__")};

    r.device = r.kernel || cc_any_word(t, from, to, "__device__");
    r.host = !r.device || cc_any_word(t, from, to, "__host__");
    r.constant = cc_any_word(t, from, to, "constexpr") || cc_any_word(t, from, to, "consteval");
    return r;
}

/* Two bodies, `{` to `}`, of a function or lambda of both sides. The compiler itself evaluates a constexpr function's body
 * for the host. */
static void write_both(joiner *j, bool constant, size_t host_open, size_t host_close, size_t device_open,
                       size_t device_close)
{
    cc_text_puts(j->output, constant ? "{ if (!__builtin_is_constant_evaluated() && ::simt::in_kernel()) __device__ "
                                     : "{ if (::simt::in_kernel()) __device__ ");
    write_tokens(j, DEVICE, device_open, device_close + 1);
    cc_text_puts(j->output, " else __host__ ");
    write_tokens(j, HOST, host_open, host_close + 1);
    cc_text_puts(j->output, " }");
}

static bool same_line(const cc_token *a, const cc_token *b)
{
    return a->line == b->line && a->file_length == b->file_length && memcmp(a->file, b->file, a->file_length) == 0;
}

/* The brace at which the body of a lambda opens in t's [from, to) on the line of `brace`, after `skip` others; NONE. */
static size_t lambda_on_line(const translator *t, size_t from, size_t to, const cc_token *brace, size_t skip)
{
    for (size_t k = from; k < to; k++)
        if (is(t, k, "{") && same_line(&t->token[k], brace) && cc_lambda_head(t, k) != NONE && skip-- == 0)
            return k;
    return NONE;
}

/* The device's lambda at the place of the host's, whose body opens at `i`. */
static size_t same_lambda(const joiner *j, size_t i, const item *h, const item *d)
{
    const translator *host = &j->text[HOST];
    size_t before = 0;

    while (lambda_on_line(host, h->open, i, &host->token[i], before) != NONE)
        before++;
    return lambda_on_line(&j->text[DEVICE], d->open, d->close, &host->token[i], before);
}

/* A function that the device's text has for the host only: the host's text, except for device lambdas in it, and without
 * __device__ before it. CUB 1.17 declares those that launch kernels so. */
static void write_host_function(joiner *j, const item *h, const item *d)
{
    const translator *host = &j->text[HOST], *device = &j->text[DEVICE];
    size_t done = h->first;

    for (size_t i = h->first; i < h->open; i++)
        if (is(host, i, "__device__")) {
            write_tokens(j, HOST, done, i);
            done = i + 1;
        }
    for (size_t i = h->open + 1; i < h->close; i++) {
        size_t head = is(host, i, "{") ? cc_lambda_head(host, i) : NONE, other, close, other_close;

        if (head == NONE || !cc_any_word(host, head, i, "__device__"))
            continue;
        other = same_lambda(j, i, h, d);
        close = cc_matching(host, i);
        other_close = other == NONE ? NONE : cc_matching(device, other);
        if (other_close == NONE || close == NONE || hash_all(host, i, close) == hash_all(device, other, other_close))
            continue;
        write_tokens(j, HOST, done, i);
        if (where_it_runs(host, head, i).host)
            write_both(j, false, i, close, other, other_close);
        else
            write_tokens(j, DEVICE, other, other_close + 1);
        done = i = close + 1;
    }
    write_tokens(j, HOST, done, h->end);
}

static void function_name(const translator *t, const item *it, const char **name, unsigned *length)
{
    size_t parameters;

    *name = "this function";
    *length = (unsigned)strlen(*name);
    if (cc_opened(t, it->first, it->open, &parameters) == FUNCTION && parameters > it->first) {
        *name = t->token[parameters - 1].start;
        *length = t->token[parameters - 1].length;
    }
}

/* False: the name is renamed already. If it still collides, that does not help. */
static bool add_own_name(joiner *j, const cc_token *token)
{
    char *spelling = cc_copy(token->start, token->length);
    size_t i = 0;

    while (i < j->own->count && strcmp(j->own->word[i], spelling) != 0)
        i++;
    if (i == j->own->count)
        cc_words_add(j->own, spelling);
    free(spelling);
    return i >= j->known;
}

/* May the device have a type, constant or constexpr function of its own, under another name? `name` is its token on side
 * s, in the declaration `it`. */
static bool rename_for_device(joiner *j, side s, const item *it, size_t name)
{
    static const char *const kinds[] = {"typedef", "using", "enum", "constexpr", "const", NULL};
    const translator *t = &j->text[s];
    const cc_token *token = &t->token[name];
    bool fits = false;

    if (token->system || it->kind == CLASS || is(t, it->first, "extern") ||
        cc_any_word(t, it->first, it->end, "operator"))
        return false;
    for (size_t k = 0; kinds[k]; k++)
        fits |= cc_any_word(t, it->first, it->end, kinds[k]);
    if (!fits)
        return false;
    for (size_t i = it->first; cc_any_word(t, it->first, it->end, "enum") && i + 1 < it->end; i++)
        if (is_word(t, i + 1) && (is(t, i, "enum") || is(t, i, "{") || is(t, i, ",")))
            add_own_name(j, &t->token[i + 1]);
    return cc_is(token, "enum") || add_own_name(j, token);
}

static void join_functions(joiner *j, const item *h, const item *d)
{
    runs_on host = where_it_runs(&j->text[HOST], h->first, h->open);
    runs_on device = where_it_runs(&j->text[DEVICE], d->first, d->open);
    const char *name;
    unsigned length;

    function_name(&j->text[HOST], h, &name, &length);
    if (host.constant && device.constant && host.host && !j->text[HOST].token[h->first].system) {
        size_t parameters;

        if (cc_opened(&j->text[HOST], h->first, h->open, &parameters) == FUNCTION && parameters > h->first &&
            rename_for_device(j, HOST, h, parameters - 1))
            return;
        cc_refuse(&j->text[DEVICE], d->first,
                  "constexpr %.*s differs between host and device (__CUDA_ARCH__): not supported", (int)length, name);
    } else if (host.host && device.device) {
        size_t parameters;

        if (hash_head(&j->text[HOST], h->first, h->open, true) == hash_head(&j->text[DEVICE], d->first, d->open, true))
            write_tokens(j, HOST, h->first, h->open);
        else if (!j->text[HOST].token[h->first].system &&
                 cc_opened(&j->text[HOST], h->first, h->open, &parameters) == FUNCTION && parameters > h->first &&
                 !cc_any_word(&j->text[HOST], h->first, h->open, "operator") &&
                 add_own_name(j, &j->text[HOST].token[parameters - 1]))
            return; /* the defaults of a template differ: two templates */
        else
            write_tokens(j, DEVICE, d->first, d->open); /* in a system header the device's count */
        write_both(j, host.constant || device.constant, h->open, h->close, d->open, d->close);
    } else if (device.device) {
        write_item(j, DEVICE, d);
    } else if (host.host) {
        write_host_function(j, h, d);
    }
}

/* --- declarations of one side only */

enum { MAX_NAMES = CC_MAX_DECLARATORS };

/* What a declaration declares, as tokens. */
static size_t names_of(const translator *t, const item *it, size_t *name, bool *function)
{
    static const char *const kinds[] = {"struct", "class", "union", "enum", NULL};
    cc_declaration d;
    size_t parameters, count = 0;

    *function = false;
    if (it->kind == NAMESPACE || is(t, it->first, "static_assert") || t->token[it->first].kind == CC_PRAGMA)
        return 0;
    if (it->kind == FUNCTION && cc_opened(t, it->first, it->open, &parameters) == FUNCTION) {
        *function = true;
        name[count++] = parameters - 1;
        return count;
    }
    for (size_t i = it->first; i + 1 < it->end && !is(t, i, "(") && !is(t, i, "="); i++) {
        if (is(t, i, "template") && is(t, i + 1, "<") && cc_angle(t, i + 1) != NONE)
            i = cc_angle(t, i + 1);
        else if (is_any(t, i, kinds) && is_word(t, i + 1) && !is_any(t, i + 1, kinds) && count < MAX_NAMES)
            name[count++] = i + 1;
        else if (is(t, i, "using") && is_word(t, i + 1) && count < MAX_NAMES)
            name[count++] = i + 1;
        else if (is(t, i, "{"))
            break;
    }
    cc_read_declaration(t, it->first, it->end - 1, &d);
    *function = d.is_function;
    for (size_t k = 0; k < d.count && count < MAX_NAMES; k++)
        name[count++] = d.name[k];
    for (size_t i = it->first; *function && i + 1 < it->end && !d.count; i++)
        if (is_word(t, i) && is(t, i + 1, "(") && !cc_takes_parentheses(t, i) && count < MAX_NAMES) {
            name[count++] = i;
            break;
        }
    return count;
}

/* The hash of the name and of what follows up to `=`, `{`, `:` or `;`: template arguments of a specialisation, but neither a
 * value nor a body nor default arguments. */
static uint64_t hash_from_name(const translator *t, size_t name)
{
    size_t end = name;

    while (end < t->count && !is(t, end, "=") && !is(t, end, "{") && !is(t, end, ":") && !is(t, end, ";"))
        end++;
    return hash_all(t, name, end);
}

/* Is a name of `it` of one side one of `other`'s of the other side? It becomes *name. */
static bool same_name(const joiner *j, side s, const item *it, const item *other, size_t *name, bool *functions)
{
    const translator *t = &j->text[s], *u = &j->text[!s];
    size_t mine[MAX_NAMES], others[MAX_NAMES], count, other_count;
    bool function, other_function;

    count = names_of(t, it, mine, &function);
    other_count = names_of(u, other, others, &other_function);
    *functions = function && other_function;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < other_count; b++)
            if (t->token[mine[a]].length == u->token[others[b]].length &&
                memcmp(t->token[mine[a]].start, u->token[others[b]].start, t->token[mine[a]].length) == 0) {
                if (is(t, mine[a] + 1, "<") && hash_from_name(t, mine[a]) != hash_from_name(u, others[b]))
                    return false; /* specialisations for other arguments */
                *name = mine[a];
                return true;
            }
    return false;
}

static bool is_function_item(const joiner *j, side s, const item *it)
{
    size_t name[MAX_NAMES];
    bool function;

    names_of(&j->text[s], it, name, &function);
    return function;
}

/* A function that its own side cannot call exists only for nvcc's other pass. */
static bool is_idle(const joiner *j, side s, const item *it)
{
    runs_on r = where_it_runs(&j->text[s], it->first, it->kind == FUNCTION ? it->open : it->end);

    if (!is_function_item(j, s, it))
        return false;
    return s == HOST ? !r.host : !r.device && !r.constant;
}

typedef struct pair_of_lists {
    const items *list[2];
    bool *common[2]; /* items that have a partner */
    cc_scope_kind kind;
} pair_of_lists;

static bool stands_elsewhere(const pair_of_lists *p, const item *d)
{
    for (size_t i = 0; i < p->list[HOST]->count; i++)
        if (p->list[HOST]->item[i].all == d->all)
            return true;
    return false;
}

/* Does the device declare a type, template or constant of this name in its own way? In a system header its declaration is
 * the one that counts, because kernels are compiled with it. */
static bool device_declares_it_too(const joiner *j, const pair_of_lists *p, const item *h)
{
    const translator *host = &j->text[HOST], *device = &j->text[DEVICE];
    size_t mine[MAX_NAMES], others[MAX_NAMES];
    bool function, other_function;

    if (!host->token[h->first].system || names_of(host, h, mine, &function) == 0 || function)
        return false;
    for (size_t i = 0; i < p->list[DEVICE]->count; i++)
        if (!p->common[DEVICE][i] && names_of(device, &p->list[DEVICE]->item[i], others, &other_function) > 0 &&
            !other_function && hash_from_name(host, mine[0]) == hash_from_name(device, others[0]))
            return true;
    return false;
}

static void refuse_names(joiner *j, const pair_of_lists *p, side s, const item *it)
{
    translator *t = &j->text[s];
    size_t name;
    bool functions;

    if (t->token[it->first].system)
        return;
    for (size_t i = 0; i < p->list[!s]->count; i++) {
        const item *other = &p->list[!s]->item[i];

        if (s == DEVICE && !p->common[HOST][i])
            continue; /* reported from the host's side */
        if (!same_name(j, s, it, other, &name, &functions) || (!functions && p->common[!s][i]))
            continue; /* a variable of both: this declaration uses it; if not, the compiler reports it */
        if (!is_idle(j, !s, other) && (functions || !rename_for_device(j, s, it, name)))
            cc_refuse(t, name, "%.*s is declared in another way for the %s (__CUDA_ARCH__): not supported",
                      (int)t->token[name].length, t->token[name].start, s == HOST ? "device" : "host");
        return;
    }
}

static void write_single(joiner *j, const pair_of_lists *p, side s, const item *it)
{
    translator *t = &j->text[s];
    static const char *const sides[] = {"host", "device"};

    if (s == DEVICE && stands_elsewhere(p, it))
        return;
    if (s == HOST && it->kind == FUNCTION && where_it_runs(t, it->first, it->open).kernel) {
        if (t->token[it->first].system)
            return;                                     /* an empty one, for its name: the device's counts */
        write_tokens(j, HOST, it->first, it->open + 1); /* a name to launch, which fails: translate.c */
        cc_text_puts(j->output, " __simt_host_only__ ");
        write_tokens(j, HOST, it->close, it->end);
        return;
    }
    if (is_idle(j, s, it) || (s == HOST && device_declares_it_too(j, p, it)))
        return;
    if (p->kind == CLASS && it->kind == OTHER && !is_function_item(j, s, it) && is(t, it->end - 1, ";") &&
        !is(t, it->first, "static") && !is(t, it->first, "using") && !is(t, it->first, "typedef") &&
        !is(t, it->first, "friend") && !(is(t, it->first, "enum") && is(t, it->end - 2, "}")) &&
        !is(t, it->first, "static_assert") && it->end - it->first > 1)
        cc_refuse(t, it->first, "a member that only the %s has (__CUDA_ARCH__): not supported", sides[s]);
    else
        refuse_names(j, p, s, it);
    write_item(j, s, it);
}

/* --- lists */

static void join_lists(joiner *j, cc_scope_kind kind, size_t host_from, size_t host_to, size_t device_from,
                       size_t device_to);

/* `template <device's parameters> using NAME__simt_device = NAME<their names>;` for the device's declaration `d`, and its uses
 * are renamed when the texts are joined again. A parameter without a name, as `class = void`, gets one. */
static void write_alias(joiner *j, const item *d)
{
    translator *t = &j->text[DEVICE];
    size_t open = d->first + 1, close = cc_angle(t, open), name = close + 1, from = open + 1, equals = NONE, count = 0;
    cc_text arguments = {0};
    char *spelling;
    size_t k = 0;

    while (cc_is_class_word(t, name) || (cc_takes_parentheses(t, name) && is(t, name + 1, "(")))
        name = cc_is_class_word(t, name) ? name + 1 : cc_matching(t, name + 1) + 1;
    cc_text_puts(j->output, "\n");
    write_tokens(j, DEVICE, d->first, open + 1);
    for (size_t i = from; i <= close; i++) {
        size_t parameter, before;

        if (cc_opens(t, i) || is(t, i, "<"))
            i = is(t, i, "<") ? cc_angle(t, i) : cc_matching(t, i);
        if (equals == NONE && is(t, i, "="))
            equals = i;
        if (!is(t, i, ",") && i != close)
            continue;
        parameter = cc_template_parameter(t, from, i);
        before = parameter != NONE ? parameter : equals != NONE ? equals : i;
        cc_text_puts(&arguments, count ? ", " : "");
        write_tokens(j, DEVICE, from, before);
        if (parameter != NONE) {
            cc_add_token(&arguments, &t->token[parameter]);
        } else {
            cc_text_printf(j->output, " simt_unnamed_%zu ", count);
            cc_text_printf(&arguments, "simt_unnamed_%zu", count);
        }
        if (is(t, before - 1, "..."))
            cc_text_puts(&arguments, "...");
        write_tokens(j, DEVICE, before, i + 1);
        count++;
        from = i + 1;
        equals = NONE;
    }
    spelling = cc_copy(t->token[name].start, t->token[name].length);
    while (k < j->templates->names.count && strcmp(j->templates->names.word[k], spelling) != 0)
        k++;
    if (k == j->templates->names.count && k < sizeof j->templates->parameters / sizeof *j->templates->parameters) {
        cc_words_add(&j->templates->names, spelling);
        j->templates->parameters[k] = count;
    }
    cc_text_printf(j->output, " using %s__simt_device = %s<%s>;", spelling, spelling, arguments.data);
    free(spelling);
    cc_text_free(&arguments);
}

/* The hash of the head of a template without the defaults of its types. */
static uint64_t hash_values(const translator *t, size_t first)
{
    size_t close = cc_angle(t, first + 1);
    bool type = false;
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = first + 2; i < close; i++) {
        if (is(t, i - 1, ",") || i == first + 2)
            type = is(t, i, "typename") || is(t, i, "class");
        if (type && is(t, i, "="))
            i = skip_default(t, i, close);
        else
            hash = hash_token(hash, &t->token[i]);
    }
    return hash;
}

/* Do the defaults of the template depend on the side: those of `values`, or any? */
static bool defaults_differ(const joiner *j, const item *h, const item *d, bool values)
{
    const translator *host = &j->text[HOST], *device = &j->text[DEVICE];
    size_t h_end = h->kind == OTHER ? h->end : h->open, d_end = d->kind == OTHER ? d->end : d->open;

    return is(host, h->first, "template") && !host->token[h->first].system &&
           (h->kind == CLASS || declares_template(host, h, h->end)) &&
           (values ? hash_values(host, h->first) != hash_values(device, d->first)
                   : hash_head(host, h->first, h_end, true) != hash_head(device, d->first, d_end, true));
}

/* A default that is a type is the device's on both sides: host and kernels pass each other objects of such a class. */
static void join_pair(joiner *j, const item *h, const item *d)
{
    const bool values = h->all != d->all && defaults_differ(j, h, d, true);
    const bool types = h->all != d->all && !values && defaults_differ(j, h, d, false);

    if (h->all == d->all || h->kind == OTHER) {
        write_item(j, types ? DEVICE : HOST, types ? d : h);
    } else if (h->kind == FUNCTION) {
        join_functions(j, h, d);
    } else {
        if (types)
            write_tokens(j, DEVICE, d->first, d->open + 1);
        else
            write_tokens(j, HOST, h->first, h->open + 1);
        join_lists(j, h->kind, h->open + 1, h->close, d->open + 1, d->close);
        write_tokens(j, HOST, h->close, h->end);
    }
    if (values)
        write_alias(j, d);
}

/* A pair of equal items counts more than a pair with equal heads, and of those one at the same place in the source more
 * than another: namespaces are opened again and again. */
static unsigned worth(const translator *const *t, const item *h, const item *d)
{
    if (h->all == d->all)
        return 4;
    if (h->kind != d->kind || h->head != d->head)
        return 0;
    if (h->kind == CLASS && hash_all(t[HOST], h->close, h->end) != hash_all(t[DEVICE], d->close, d->end))
        return 0;
    return same_line(&t[HOST]->token[h->first], &t[DEVICE]->token[d->first]) ? 3 : 1;
}

enum { MAX_TABLE = 1 << 26 };

/* Aligns the items of the two lists from `skip` to `host_end` and `device_end`, by dynamic programming for the best
 * sum of worths: partner[i] is the device's item for the host's item i. */
static bool align(const joiner *j, const pair_of_lists *p, size_t skip, size_t host_end, size_t device_end,
                  size_t *partner)
{
    const translator *const text[2] = {&j->text[HOST], &j->text[DEVICE]};
    const item *h = p->list[HOST]->item, *d = p->list[DEVICE]->item;
    size_t rows = host_end - skip + 1, columns = device_end - skip + 1;
    uint32_t *best;

    if (columns > MAX_TABLE / rows)
        return false;
    best = cc_allocate(NULL, rows * columns * sizeof *best);
    memset(best, 0, rows * columns * sizeof *best);
    for (size_t r = rows - 1; r-- > 0;)
        for (size_t c = columns - 1; c-- > 0;) {
            unsigned both = worth(text, &h[skip + r], &d[skip + c]);
            uint32_t most = both ? both + best[(r + 1) * columns + c + 1] : 0;

            most = best[(r + 1) * columns + c] > most ? best[(r + 1) * columns + c] : most;
            most = best[r * columns + c + 1] > most ? best[r * columns + c + 1] : most;
            best[r * columns + c] = most;
        }
    for (size_t r = 0, c = 0; r + 1 < rows && c + 1 < columns;) {
        unsigned both = worth(text, &h[skip + r], &d[skip + c]);

        if (both && best[r * columns + c] == both + best[(r + 1) * columns + c + 1])
            partner[skip + r++] = skip + c++;
        else if (best[r * columns + c] == best[(r + 1) * columns + c])
            r++;
        else
            c++;
    }
    free(best);
    return true;
}

static void mark_partners(pair_of_lists *p, size_t *partner, size_t skip, size_t host_end, size_t device_end)
{
    size_t host_count = p->list[HOST]->count;

    for (size_t i = 0; i < skip; i++)
        partner[i] = i;
    for (size_t i = host_end; i < host_count; i++)
        partner[i] = device_end + (i - host_end);
    for (size_t i = 0; i < host_count; i++)
        if (partner[i] != NONE)
            p->common[HOST][i] = p->common[DEVICE][partner[i]] = true;
}

static void write_lists(joiner *j, const pair_of_lists *p, const size_t *partner)
{
    size_t d = 0;

    for (size_t i = 0; i < p->list[HOST]->count; i++) {
        if (partner[i] == NONE) {
            write_single(j, p, HOST, &p->list[HOST]->item[i]);
            continue;
        }
        for (; d < partner[i]; d++)
            write_single(j, p, DEVICE, &p->list[DEVICE]->item[d]);
        join_pair(j, &p->list[HOST]->item[i], &p->list[DEVICE]->item[d++]);
    }
    for (; d < p->list[DEVICE]->count; d++)
        write_single(j, p, DEVICE, &p->list[DEVICE]->item[d]);
}

static void join_lists(joiner *j, cc_scope_kind kind, size_t host_from, size_t host_to, size_t device_from,
                       size_t device_to)
{
    items host, device;
    pair_of_lists p = {.list = {&host, &device}, .kind = kind};
    size_t skip = 0, host_end, device_end, *partner;

    split(&j->text[HOST], host_from, host_to, &host);
    split(&j->text[DEVICE], device_from, device_to, &device);
    host_end = host.count;
    device_end = device.count;
    while (skip < host_end && skip < device_end && host.item[skip].all == device.item[skip].all)
        skip++;
    while (host_end > skip && device_end > skip && host.item[host_end - 1].all == device.item[device_end - 1].all) {
        host_end--;
        device_end--;
    }
    partner = cc_allocate(NULL, (host.count + 1) * sizeof *partner);
    for (size_t i = 0; i < host.count; i++)
        partner[i] = NONE;
    p.common[HOST] = calloc(host.count + 1, 1);
    p.common[DEVICE] = calloc(device.count + 1, 1);
    if (!p.common[HOST] || !p.common[DEVICE])
        cc_fatal("out of memory");
    if (align(j, &p, skip, host_end, device_end, partner)) {
        mark_partners(&p, partner, skip, host_end, device_end);
        write_lists(j, &p, partner);
    } else {
        cc_refuse(&j->text[HOST], host.item[skip].first, "too much depends on __CUDA_ARCH__ from here on");
    }
    free(p.common[HOST]);
    free(p.common[DEVICE]);
    free(partner);
    free(host.item);
    free(device.item);
}

/* Does the template name at token `i` have fewer than `parameters` arguments? */
static bool leaves_out(const translator *t, size_t i, size_t parameters)
{
    size_t close = is(t, i + 1, "<") ? cc_angle(t, i + 1) : NONE, count = 1;

    if (close == NONE || (i > 0 && (cc_is_class_word(t, i - 1) || is(t, i - 1, "."))))
        return false;
    if (close == i + 2)
        return true;
    for (size_t k = i + 2; k < close; k++) {
        size_t angle = is(t, k, "<") ? cc_angle(t, k) : NONE;

        if (is(t, k, "..."))
            return false;
        count += is(t, k, ",");
        k = angle != NONE ? angle : cc_opens(t, k) ? cc_matching(t, k) : k;
    }
    return count < parameters;
}

/* The device's text, with its own names for what it declares in another way. */
static void rename_text(const cc_tokens *tokens, const cc_text *source, const cc_words *own, const defaulted *templates,
                        cc_text *renamed)
{
    const translator t = {.token = tokens->token, .count = tokens->count};
    const char *at = source->data;

    for (size_t i = 0; i < tokens->count; i++) {
        const cc_token *token = &tokens->token[i];
        bool found = false;

        for (size_t k = 0; k < own->count && !found && !token->system; k++)
            found = cc_is(token, own->word[k]);
        for (size_t k = 0; k < templates->names.count && !found && !token->system; k++)
            found = cc_is(token, templates->names.word[k]) && leaves_out(&t, i, templates->parameters[k]);
        if (!found)
            continue;
        cc_text_add(renamed, at, (size_t)(token->start - at) + token->length);
        cc_text_puts(renamed, "__simt_device");
        at = token->start + token->length;
    }
    cc_text_add(renamed, at, (size_t)(source->data + source->length - at));
}

/* Joins once. If that adds to `own`, nothing is written, and the caller tries again. */
static bool join_once(const cc_text *host, const cc_text *device, cc_text *output, cc_words *own, defaulted *templates)
{
    const cc_text *source[2] = {host, device};
    cc_text joined = {0};
    cc_tokens tokens[2];
    joiner j = {.output = &joined, .own = own, .known = own->count, .templates = templates};
    size_t known_templates = templates->names.count;
    bool good;

    for (int s = HOST; s <= DEVICE; s++) {
        cc_lex(source[s]->data, source[s]->length, true, &tokens[s]);
        j.text[s] = (translator){.token = tokens[s].token, .count = tokens[s].count};
        j.start[s] = source[s]->data;
    }
    join_lists(&j, NAMESPACE, 0, j.text[HOST].count, 0, j.text[DEVICE].count);
    cc_text_puts(&joined, "\n");
    good = !j.text[HOST].errors && !j.text[DEVICE].errors;
    if (good && own->count == j.known && templates->names.count == known_templates)
        cc_text_add(output, joined.data, joined.length);
    cc_tokens_free(&tokens[HOST]);
    cc_tokens_free(&tokens[DEVICE]);
    cc_text_free(&joined);
    return good;
}

bool cc_join_passes(const cc_text *host, const cc_text *device, cc_text *output)
{
    cc_words own = {0};
    defaulted templates = {0};
    bool good = join_once(host, device, output, &own, &templates);

    for (size_t known = 0; good && own.count + templates.names.count > known;) {
        cc_text renamed = {0};
        cc_tokens tokens;

        known = own.count + templates.names.count;
        cc_lex(device->data, device->length, true, &tokens);
        rename_text(&tokens, device, &own, &templates, &renamed);
        cc_tokens_free(&tokens);
        good = join_once(host, &renamed, output, &own, &templates);
        cc_text_free(&renamed);
    }
    cc_words_free(&own);
    cc_words_free(&templates.names);
    return good;
}
