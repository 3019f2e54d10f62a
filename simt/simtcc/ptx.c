/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: contract in ptx.h. This file reads statements: scopes, labels, declarations of registers, predicates and the parts
 * of an instruction.
 */
#include "ptx_parts.h"

#include <stdlib.h>

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

void cc_ptx_refuse(ptx *p, range what, const char *why)
{
    if (!p->refused->length) {
        cc_text_add(p->refused, what.start, what.length);
        cc_text_puts(p->refused, why);
    }
    puts_body(p, "::simt::ptx::unsupported(\"");
    for (size_t i = 0; i < what.length; i++)
        if (!strchr("\"\\\n", what.start[i]))
            cc_text_add(p->body, what.start + i, 1);
    puts_body(p, why);
    puts_body(p, "\"); ");
}

static void read_name(instruction *in)
{
    range r = in->whole;
    size_t from = 0;

    for (size_t i = 0; i <= r.length && in->parts < MAX_PARTS; i++)
        if (i == r.length || r.start[i] == '.') {
            in->part[in->parts++] = (range){r.start + from, i - from};
            from = i + 1;
        }
}

/* The operands are separated by commas outside brackets. */
static void read_operands(instruction *in, range r)
{
    size_t from = 0, depth = 0;

    r = trimmed(r);
    for (size_t i = 0; r.length && i <= r.length && in->operands < MAX_PARTS; i++) {
        if (i < r.length)
            depth += strchr("{[(", r.start[i]) ? 1 : strchr("}])", r.start[i]) ? (size_t)-1 : 0;
        if (i == r.length || (r.start[i] == ',' && depth == 0)) {
            in->operand[in->operands++] = trimmed((range){r.start + from, i - from});
            from = i + 1;
        }
    }
}

/* bfe.u32 %0, %1, 4, 8 */
static void translate_instruction(ptx *p, range r)
{
    instruction in = {0};
    size_t undo = p->body->length;
    bool good = false;

    while (in.whole.length < r.length && !isspace((unsigned char)r.start[in.whole.length]) &&
           r.start[in.whole.length] != '[')
        in.whole.length++;
    in.whole.start = r.start;
    read_name(&in);
    read_operands(&in, (range){r.start + in.whole.length, r.length - in.whole.length});
    for (size_t i = 0; i < in.operands; i++)
        if (!in.operand[i].length)
            in.operand[i] = (range){"?", 1};
    if (!cc_ptx_by_table(p, &in, &good) && !cc_ptx_by_tensor(p, &in, &good) && !cc_ptx_by_call(p, &in, &good) &&
        !cc_ptx_of_matrices(p, &in, &good))
        cc_ptx_by_form(p, &in, &good);
    if (!good) {
        p->body->length = undo;
        if (p->body->data)
            p->body->data[undo] = 0;
        cc_ptx_refuse(p, in.whole, "");
    }
}

/* Is the statement .reg, or .param, a register that a call takes or gives? */
static bool is_declaration(const char *at)
{
    return strncmp(at, ".reg", 4) == 0 || strncmp(at, ".param", 6) == 0;
}

static void declare_variable(ptx *p, range type, const cc_text *name)
{
    cc_text_printf(p->body, "%s %s __attribute__((unused)) = {}; ",
                   in_list(type, "f16 bf16")       ? "uint16_t"
                   : in_list(type, "f16x2 bf16x2") ? "uint32_t"
                                                   : cc_ptx_type(type),
                   name->data);
}

/* `a`; `b<4>`, which is b0 to b3; or a vector `c`, which is c.x to c.w. */
static void declare_name(ptx *p, range type, range name, size_t elements)
{
    const char *open = memchr(name.start, '<', name.length);
    const long count = elements > 1 ? (long)elements : open ? strtol(open + 1, NULL, 10) : 1;

    for (long k = 0; k < count; k++) {
        cc_text variable = {0};

        cc_ptx_add_register(&variable, open ? (range){name.start, (size_t)(open - name.start)} : name);
        if (elements > 1)
            cc_text_printf(&variable, "_e_%c", "xyzw"[k]);
        else if (open)
            cc_text_printf(&variable, "%ld", k);
        declare_variable(p, type, &variable);
        cc_text_free(&variable);
    }
}

/* .reg .u32 a, b<4>; or .reg .v2 .f32 c; The registers of a scope are declared at its start, so that a branch does not pass a
 * declaration. */
static void declare(ptx *p, range r)
{
    const size_t word = r.start[1] == 'r' ? 4 : 6;
    range type = trimmed((range){r.start + word, r.length - word});
    size_t length = 0, elements = 1;

    if (begins(type, ".v2") || begins(type, ".v4")) {
        elements = (size_t)(type.start[2] - '0');
        type = trimmed((range){type.start + 3, type.length - 3});
    }
    while (length < type.length && !isspace((unsigned char)type.start[length]))
        length++;
    for (size_t i = length, from = length; i <= type.length; i++) {
        range name, spelling = {type.start + 1, length - 1};

        if (i < type.length && type.start[i] != ',')
            continue;
        name = trimmed((range){type.start + from, i - from});
        from = i + 1;
        if (!cc_ptx_type(spelling) || p->register_count == MAX_REGISTERS ||
            (elements > 1 && memchr(name.start, '<', name.length))) {
            cc_ptx_refuse(p, r, "");
            return;
        }
        p->elements[p->register_count] = elements;
        p->registers[p->register_count++] = name;
        declare_name(p, spelling, name, elements);
    }
}

/* The end of the statement that begins at `at`: its `;`, or a `{` or `}` that stands alone. */
static const char *statement_end(const char *at)
{
    size_t depth = 0;

    for (; *at && !(*at == ';' && depth == 0); at++) {
        if (*at == '{' || *at == '[')
            depth++;
        if ((*at == '}' || *at == ']') && depth-- == 0)
            break;
    }
    return at;
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at) || *at == ';')
        at++;
    return at;
}

/* A label: NAME and a colon, which is not the one of a name like shared::cta. */
static size_t label_length(const char *at)
{
    size_t length = 0, blanks;

    while (is_name_character(at[length]))
        length++;
    blanks = strspn(at + length, " \t\n");
    return length && at[length + blanks] == ':' && at[length + blanks + 1] != ':' ? length : 0;
}

static const char *label_end(const char *at)
{
    return strchr(at, ':') + 1;
}

/* Declares the registers and labels of the scope that begins at `at`. */
static void declare_scope(ptx *p, const char *at)
{
    size_t depth = 0;

    for (at = skip_space(at); *at; at = skip_space(at)) {
        const char *end;

        if (*at == '{' || *at == '}') {
            if (*at == '}' && depth-- == 0)
                return;
            depth += *at++ == '{';
            continue;
        }
        if (label_length(at)) {
            if (!depth)
                cc_text_printf(p->body, "__label__ simt_l_%.*s; ", (int)label_length(at), at);
            at = label_end(at);
            continue;
        }
        end = statement_end(at);
        if (!depth && is_declaration(at))
            declare(p, trimmed((range){at, (size_t)(end - at)}));
        at = end;
    }
}

static bool find_word(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

/* Copies the text without comments. */
static void strip_comments(const char *text, cc_text *clean)
{
    while (*text) {
        if (text[0] == '/' && text[1] == '/') {
            text += strcspn(text, "\n");
        } else if (text[0] == '/' && text[1] == '*') {
            const char *end = strstr(text, "*/");

            text = end ? end + 2 : text + strlen(text);
        } else {
            cc_text_add(clean, text++, 1);
        }
    }
    cc_text_puts(clean, "");
}

/* Labels first: __label__ must open a block. */
static void open_scope(ptx *p, const char *at)
{
    cc_text whole = *p->body, labels = {0}, others = {0};
    const char *from;

    *p->body = (cc_text){0};
    declare_scope(p, at);
    for (from = p->body->data ? p->body->data : ""; *from;) {
        const char *end = strchr(from, ';');
        size_t length = end ? (size_t)(end - from) + 2 : strlen(from);

        cc_text_add(strncmp(from, "__label__", 9) == 0 ? &labels : &others, from, length);
        from += length;
    }
    cc_text_free(p->body);
    *p->body = whole;
    cc_text_puts(p->body, labels.data ? labels.data : "");
    cc_text_puts(p->body, others.data ? others.data : "");
    cc_text_free(&labels);
    cc_text_free(&others);
}

/* @p or @!p before an instruction. */
static const char *predicate(ptx *p, const char *at)
{
    bool negated;
    range name;

    at = skip_space(at + 1);
    negated = *at == '!';
    at = skip_space(at + negated);
    name = (range){at, 0};
    if (*at == '%' && at[1] == '[')
        name.length = strcspn(at, "]") + 1;
    while (is_name_character(name.start[name.length]))
        name.length++;
    puts_body(p, negated ? "if (!(bool)" : "if ((bool)");
    if (!cc_ptx_add_source(p, p->body, name, (range){"pred", 4}))
        puts_body(p, "0");
    puts_body(p, ") { ");
    return skip_space(at + name.length);
}

void cc_ptx_translate(const char *text, const cc_ptx_operands *operands, cc_text *body, cc_text *refused)
{
    ptx p = {.operands = operands, .body = body, .refused = refused};
    cc_text clean = {0};
    size_t depth = 0;

    strip_comments(text, &clean);
    if (find_word(clean.data, ".cc"))
        puts_body(&p, "bool simt_carry = false; ");
    puts_body(&p, "{ ");
    open_scope(&p, clean.data);
    for (const char *at = skip_space(clean.data); *at; at = skip_space(at)) {
        bool conditional = *at == '@';
        const char *end;

        if (*at == '{') {
            puts_body(&p, "{ ");
            open_scope(&p, ++at);
            depth++;
            continue;
        }
        if (*at == '}') {
            puts_body(&p, depth ? "} " : "");
            depth -= depth > 0;
            at++;
            continue;
        }
        if (label_length(at)) {
            cc_text_printf(body, "simt_l_%.*s: ; ", (int)label_length(at), at);
            at = label_end(at);
            continue;
        }
        if (conditional)
            at = predicate(&p, at);
        end = statement_end(at);
        if (!is_declaration(at) && strncmp(at, ".pragma", 7) != 0 && strncmp(at, ".loc", 4) != 0)
            translate_instruction(&p, trimmed((range){at, (size_t)(end - at)}));
        puts_body(&p, conditional ? "} " : "");
        at = end;
    }
    for (; depth; depth--)
        puts_body(&p, "} ");
    puts_body(&p, "} ");
    cc_text_free(&clean);
}
