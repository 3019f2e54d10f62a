/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An asm statement of device code becomes a block. Its operands keep their tokens, so that other edits of these apply:
 *
 *   asm volatile("bfe.u32 %0, %1, 4, 8;" : "=r"(x[i]) : "r"(y));
 *   do { auto &&simt_o0 = (x[i]); uint32_t simt_p0 = 0; uint32_t simt_p1 = ::simt::ptx::in<uint32_t>(y);
 *        { put(simt_p0, ...bfe...); } ::simt::ptx::out(simt_o0, simt_p0); } while (0);
 *
 * ptx.c translates the text between.
 */
#include "ptx.h"
#include "refused.h"
#include "translator.h"

#include <stdlib.h>
#include <string.h>

/* The type of an operand by its letter, which stands after = or + and perhaps &. n and i are constants. */
static const char *type_of(const cc_text *constraint, bool output)
{
    size_t at = output + (constraint->length > 1 && constraint->data[1] == '&');

    if (constraint->length != at + 1)
        return NULL;
    switch (constraint->data[at]) {
    case 'h':
        return "uint16_t";
    case 'r':
        return "uint32_t";
    case 'l':
    case 'n':
    case 'i':
        return "uint64_t";
    case 'f':
        return "float";
    case 'd':
        return "double";
    case 'q':
        return "unsigned __int128";
    default:
        return NULL;
    }
}

/* Appends the characters of a string literal. */
static void add_string(cc_text *text, const cc_token *token)
{
    const char *at = token->start, *end = token->start + token->length;
    const char *quote = memchr(at, '"', token->length);

    if (!quote)
        return;
    if (quote > at && quote[-1] == 'R') { /* R"delimiter(...)delimiter" */
        const char *open = memchr(quote, '(', (size_t)(end - quote));
        size_t delimiter = open ? (size_t)(open - quote) : 0;

        if (open)
            cc_text_add(text, open + 1, (size_t)(end - open) - 1 - delimiter - 1);
        return;
    }
    for (at = quote + 1; at < end && *at != '"'; at++) {
        if (*at != '\\' || at + 1 >= end) {
            cc_text_add(text, at, 1);
            continue;
        }
        at++;
        cc_text_add(text, *at == 'n' || *at == 't' || *at == 'r' ? &" \n"[*at == 'n'] : at, 1);
    }
}

static void merge_percents(cc_text *text)
{
    size_t to = 0;

    for (size_t i = 0; i < text->length; i++) {
        text->data[to++] = text->data[i];
        if (text->data[i] == '%' && i + 1 < text->length && text->data[i + 1] == '%')
            i++;
    }
    text->length = to;
    if (text->data)
        text->data[to] = 0;
}

/* The operand at token `i`: [name] "constraint" (expression). Returns the token after it, or NONE. */
static size_t translate_operand(translator *t, size_t i, cc_ptx_operands *operands, cc_text *results)
{
    const char *type;
    size_t first, open, close, number = operands->count;
    bool output, both;
    cc_text constraint = {0}, *text;

    if (number == sizeof operands->name / sizeof *operands->name)
        return NONE;
    operands->name[number] = NULL;
    if (is(t, i, "[") && is_word(t, i + 1) && is(t, i + 2, "]")) {
        operands->name[number] = cc_copy(t->token[i + 1].start, t->token[i + 1].length);
        cc_note(t, i, INSTEAD);
        cc_note(t, i + 1, INSTEAD);
        cc_note(t, i + 2, INSTEAD);
        i += 3;
    }
    operands->count++;
    first = i;
    for (; i < t->count && t->token[i].kind == CC_STRING; i++) { /* "=" "r" */
        add_string(&constraint, &t->token[i]);
        if (i > first)
            cc_note(t, i, INSTEAD);
    }
    open = i;
    close = is(t, open, "(") ? cc_matching(t, open) : NONE;
    both = constraint.length && *constraint.data == '+';
    output = both || (constraint.length && *constraint.data == '=');
    type = type_of(&constraint, output);
    cc_text_free(&constraint);
    if (close == NONE || !type)
        return NONE;
    text = cc_note(t, first, INSTEAD);
    if (!output && operands->unchecked) {
        cc_text_printf(text, "[[maybe_unused]] constexpr bool simt_k%zu = ", number);
        if (close == open + 2 &&
            is_word(t, open + 1)) { /* a parameter that is no reference may end before the product does */
            cc_text_puts(text, "std::is_reference_v<decltype(");
            cc_add_token(text, &t->token[open + 1]);
            cc_text_puts(text, ")>");
        } else {
            cc_text_puts(text, is(t, close - 1, "]") ? "true" : "false");
        }
        cc_text_printf(text, "; auto &&simt_i%zu = ", number);
        cc_text_printf(
            cc_note(t, close, AFTER),
            "; %s simt_p%zu __attribute__((unused)) = ::simt::ptx::in<%s>(::simt::ptx::unchecked(simt_i%zu));", type,
            number, type, number);
        return close + 1;
    }
    if (!output) {
        cc_text_printf(text, "%s simt_p%zu __attribute__((unused)) = ::simt::ptx::in<%s>", type, number, type);
        cc_text_puts(cc_note(t, close, AFTER), ";");
        return close + 1;
    }
    cc_text_printf(text, "auto &&simt_o%zu = ", number);
    text = cc_note(t, close, AFTER);
    if (both) {
        cc_text_printf(text, "; %s simt_p%zu = ::simt::ptx::in<%s>(", type, number, type);
        cc_text_printf(text, operands->unchecked ? "::simt::ptx::unchecked(simt_o%zu));" : "simt_o%zu);", number);
    } else
        cc_text_printf(text, "; %s simt_p%zu = 0;", type, number);
    cc_text_printf(results, "::simt::ptx::out%s(simt_o%zu, simt_p%zu); ", operands->unchecked ? "_unchecked" : "",
                   number, number);
    return close + 1;
}

/* From the first colon to `close`: outputs, inputs, clobbers. */
static bool translate_operands(translator *t, size_t i, size_t close, cc_ptx_operands *operands, cc_text *results)
{
    unsigned section = 0;

    while (i < close) {
        if (is(t, i, ":") || is(t, i, "::")) {
            section += t->token[i].length;
            cc_note(t, i++, INSTEAD);
        } else if (is(t, i, ",")) {
            cc_note(t, i++, INSTEAD);
        } else if (section >= 3) {
            cc_note(t, i++, INSTEAD); /* "memory" */
        } else {
            i = translate_operand(t, i, operands, results);
            if (i == NONE)
                return false;
        }
    }
    return true;
}

/* Is the token of a header from another directory than that of the program, or one below it? Such a library has
 * instructions for many devices, of which the program uses some. */
static bool is_of_library(const translator *t, size_t i)
{
    const char *slash = strrchr(t->path, '/');
    const size_t length = slash ? (size_t)(slash - t->path) + 1 : 0;
    const cc_token *token = &t->token[i];

    return token->system || (length ? token->file_length < length || memcmp(token->file, t->path, length) != 0
                                    : token->file_length && (*token->file == '/' || *token->file == '.'));
}

void cc_translate_asm(translator *t, size_t i)
{
    size_t open = i + 1, close, at;
    cc_ptx_operands operands = {.count = 0};
    cc_text source = {0}, body = {0}, refused = {0}, results = {0};

    while (is_word(t, open))
        open++; /* volatile */
    close = is(t, open, "(") ? cc_matching(t, open) : NONE;
    if (close == NONE || !is(t, close + 1, ";"))
        return;
    for (at = open + 1; at < close && t->token[at].kind == CC_STRING; at++)
        add_string(&source, &t->token[at]);
    if (source.length == 0) { /* only a barrier for the compiler: no use of the registers that it names */
        for (size_t k = i; k < close; k++)
            cc_note(t, k, INSTEAD);
        cc_text_puts(cc_note(t, close, INSTEAD), "__asm__ volatile(\"\" : : : \"memory\")");
        cc_text_free(&source);
        return;
    }
    merge_percents(&source);
    operands.unchecked = strstr(source.data, "wgmma.mma_async") != NULL;
    t->pending_registers |= operands.unchecked;
    for (size_t k = i; k < at; k++)
        cc_note(t, k, INSTEAD);
    cc_text_puts(cc_note(t, i, BEFORE), "do { ");
    if (!translate_operands(t, at, close, &operands, &results))
        cc_refuse(t, i, "the operands of this asm statement are not understood");
    cc_ptx_translate(source.data, &operands, &body, &refused);
    if (refused.length && !is_of_library(t, i) && cc_is_called(t, i))
        cc_refuse_feature(t, i, REFUSED_ASM, refused.data);
    cc_text_printf(cc_note(t, close, INSTEAD), "%s%s} while (0)", body.data, results.data ? results.data : "");
    for (size_t k = 0; k < operands.count; k++)
        free(operands.name[k]);
    cc_text_free(&source);
    cc_text_free(&body);
    cc_text_free(&refused);
    cc_text_free(&results);
}
