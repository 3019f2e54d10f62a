/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tokens of preprocessed C++: see lex.h.
 */
#define _GNU_SOURCE
#include "lex.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

typedef struct lexer {
    const char *at;
    const char *end;
    cc_tokens *tokens;
    const char *file;
    unsigned file_length;
    unsigned line;
    bool system;
    bool whole;
    bool line_start; /* only blanks since the last newline */
} lexer;

/* A line marker: # LINE "FILE" FLAGS, where flag 3 says system header. */
typedef struct marker {
    unsigned line;
    const char *file;
    unsigned file_length;
    bool system;
} marker;

static bool is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    return newline ? newline : end;
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static bool read_marker(const char *at, const char *end, marker *m)
{
    *m = (marker){0};
    at = skip_blanks(at + 1); /* the # */
    if (strncmp(at, "line", 4) == 0)
        at = skip_blanks(at + 4);
    if (!is_digit(*at))
        return false;
    while (is_digit(*at))
        m->line = m->line * 10 + (unsigned)(*at++ - '0');
    at = skip_blanks(at);
    if (*at != '"')
        return true;
    m->file = ++at;
    while (at < end && *at != '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    m->file_length = (unsigned)(at - m->file);
    for (; at < end; at++)
        m->system |= *at == '3';
    return true;
}

static bool same_name(const char *a, unsigned a_length, const char *b, unsigned b_length)
{
    return a && b && a_length == b_length && memcmp(a, b, a_length) == 0;
}

/* From the line marker `in`, which enters a system header: where the text of the next file that is not one begins. A marker of the same
 * file without the flag is the expansion of a macro in that header, amid a function. */
static const char *system_end(const char *at, const char *end, marker in)
{
    while (at < end) {
        marker m;
        const char *next = line_end(at, end);

        if (*at == '#' && read_marker(at, next, &m) && m.file) {
            if (!m.system && !same_name(m.file, m.file_length, in.file, in.file_length))
                return at;
            in = m;
        }
        at = next + (next < end);
    }
    return end;
}

/* A header of samebits with kernels or parts of them, wherever it is installed. */
static bool is_samebits(const marker *m)
{
    static const char folder[] = "/include/samebits/";

    return m->file_length > 0 && memmem(m->file, m->file_length, folder, sizeof folder - 1) != NULL;
}

void cc_mark_system(const cc_text *text, const char *directory, cc_text *marked)
{
    size_t length = strlen(directory);
    const char *end = text->data + text->length;

    for (const char *at = text->data; at < end;) {
        const char *newline = line_end(at, end);
        marker m = {0};
        bool ours = *at == '#' && read_marker(at, newline, &m) && m.system && is_samebits(&m);

        if (ours) {
            const char *flags = m.file + m.file_length + 1;

            cc_text_add(marked, at, (size_t)(flags - at));
            for (; flags < newline; flags++)
                cc_text_add(marked, *flags == '1' || *flags == '2' ? flags : " ", 1);
        } else {
            cc_text_add(marked, at, (size_t)(newline - at));
        }
        if (*at == '#' && !m.system && m.file_length > length && memcmp(m.file, directory, length) == 0 &&
            m.file[length] == '/')
            cc_text_puts(marked, " 3");
        cc_text_add(marked, "\n", newline < end);
        at = newline + (newline < end);
    }
}

bool cc_any_file(const cc_text *text, bool (*visit)(const char *path))
{
    const char *end = text->data + text->length;
    cc_words seen = {0};
    bool found = false;

    for (const char *at = text->data; at < end && !found; at++) {
        const char *newline = line_end(at, end);
        size_t i = 0;
        marker m;

        if (*at == '#' && read_marker(at, newline, &m) && m.file_length) {
            while (i < seen.count &&
                   (strlen(seen.word[i]) != m.file_length || memcmp(seen.word[i], m.file, m.file_length)))
                i++;
            if (i == seen.count) {
                char *path = cc_copy(m.file, m.file_length);

                cc_words_add(&seen, path);
                free(path);
                found = visit(seen.word[i]);
            }
        }
        at = newline;
    }
    cc_words_free(&seen);
    return found;
}

bool cc_any_system_header(const cc_text *text, bool (*visit)(const cc_include *include))
{
    const char *end = text->data + text->length;
    cc_include at_include = {0};
    bool system = true, found = false;

    for (const char *at = text->data; at < end && !found; at++) {
        const char *newline = line_end(at, end);
        marker m;

        if (*at != '#' || !read_marker(at, newline, &m)) {
            at_include.line++;
        } else if (m.file) {
            at_include.header = m.file, at_include.header_length = m.file_length;
            found = m.system && !system && visit(&at_include);
            at_include.file = m.file, at_include.file_length = m.file_length, at_include.line = m.line;
            system = m.system;
        }
        at = newline;
    }
    return found;
}

static bool holds_cuda(const char *start, const char *end)
{
    static const char *const words[] = {"__host__", "__device__", "__global__", "__shared__", "__constant__", "<<<"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(start, (size_t)(end - start), words[i], strlen(words[i])))
            return true;
    return false;
}

static void add(lexer *l, cc_kind kind, const char *start, unsigned line)
{
    cc_tokens *t = l->tokens;

    if (t->count == t->capacity) {
        /* most texts have no more than a token for four characters, and so are not copied */
        t->capacity = 2 * t->capacity + (size_t)(l->end - l->at) / 4 + 4096;
        t->token = cc_allocate(t->token, t->capacity * sizeof *t->token);
    }
    t->token[t->count++] = (cc_token){
        .start = start,
        .length = (unsigned)(l->at - start),
        .line = line,
        .file = l->file,
        .file_length = l->file_length,
        .kind = (unsigned char)kind,
        .system = l->system,
    };
}

static bool same_file(const lexer *l, const marker *m)
{
    return m->file_length == l->file_length && memcmp(m->file, l->file, l->file_length) == 0;
}

static void directive(lexer *l)
{
    const char *end = line_end(l->at, l->end);
    marker m;

    if (!read_marker(l->at, end, &m)) {
        const char *start = l->at;

        l->at = end;
        if (l->whole)
            add(l, CC_PRAGMA, start, l->line);
        return;
    }
    if (m.system && !l->system && !l->whole && !same_file(l, &m)) { /* the same one: a macro of a header in a source */
        const char *after = system_end(end + (end < l->end), l->end, m);

        if (!holds_cuda(end, after)) {
            l->at = after;
            return; /* another line marker is there, or the end */
        }
    }
    if (m.file) {
        l->file = m.file;
        l->file_length = m.file_length;
        l->system = m.system;
    }
    l->line = m.line - 1; /* the newline of the marker adds 1 */
    l->at = end;
}

static void quoted(lexer *l, char quote)
{
    for (l->at++; l->at < l->end && *l->at != quote && *l->at != '\n'; l->at++)
        if (*l->at == '\\' && l->at + 1 < l->end)
            l->at++;
    if (l->at < l->end && *l->at == quote)
        l->at++;
}

/* At the quote of R"delimiter( ... )delimiter". */
static void raw_string(lexer *l)
{
    const char *delimiter = l->at + 1;
    const char *open = memchr(delimiter, '(', (size_t)(l->end - delimiter));
    size_t length = open ? (size_t)(open - delimiter) : 0;

    if (!open) {
        l->at = l->end;
        return;
    }
    for (l->at = open + 1; l->at < l->end; l->at++) {
        if (*l->at == '\n')
            l->line++;
        if (*l->at == ')' && (size_t)(l->end - l->at) > length + 1 && memcmp(l->at + 1, delimiter, length) == 0 &&
            l->at[1 + length] == '"') {
            l->at += length + 2;
            return;
        }
    }
}

static void number(lexer *l)
{
    /* A preprocessing number: digits, letters, points, digit separators, and signs after an exponent. */
    for (;; l->at++) {
        char c = *l->at;

        if ((c == '+' || c == '-') && strchr("eEpP", l->at[-1]))
            continue;
        if (c == '\'' && (is_digit(l->at[1]) || is_word_start(l->at[1])))
            continue;
        if (!is_digit(c) && !is_word_start(c) && c != '.')
            return;
    }
}

/* The quote that follows a word belongs to it when the word is an encoding prefix. */
static bool is_prefix(const char *word, size_t length, bool *raw)
{
    static const char *const prefixes[] = {"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == length && memcmp(prefixes[i], word, length) == 0) {
            *raw = word[length - 1] == 'R';
            return true;
        }
    return false;
}

static bool after_asm(const cc_tokens *t)
{
    const cc_token *last = t->count ? &t->token[t->count - 1] : NULL;

    return last && (cc_is(last, "asm") || cc_is(last, "__asm__") || cc_is(last, "__asm"));
}

static void word(lexer *l)
{
    const char *start = l->at;
    unsigned line = l->line;
    bool raw;

    while (is_word_start(*l->at) || is_digit(*l->at))
        l->at++;
    if ((*l->at == '"' || *l->at == '\'') && is_prefix(start, (size_t)(l->at - start), &raw)) {
        char quote = *l->at;

        if (raw && quote == '"')
            raw_string(l);
        else
            quoted(l, quote);
        add(l, quote == '"' ? CC_STRING : CC_CHARACTER, start, line);
        return;
    }
    if (!l->system && l->at - start == 8 && memcmp(start, "volatile", 8) == 0 && !after_asm(l->tokens))
        l->tokens->has_volatile = true;
    add(l, CC_WORD, start, line);
}

static void mark(lexer *l)
{
    static const char *const marks[] = {"...", "<<=", "->*", "::", "->", "<<", "<=", ">=", "&&", "||", "==", "!=",
                                        "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", ".*", "##"};
    const char *start = l->at;
    size_t length = 1;

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (marks[i][0] == start[0] && marks[i][1] == start[1] && (!marks[i][2] || marks[i][2] == start[2])) {
            length = strlen(marks[i]);
            break;
        }
    l->at += length;
    add(l, CC_MARK, start, l->line);
}

static void comment(lexer *l)
{
    bool block = l->at[1] == '*';

    if (!block) {
        l->at = line_end(l->at, l->end);
        return;
    }
    for (l->at += 2; l->at < l->end && !(l->at[0] == '*' && l->at[1] == '/'); l->at++)
        if (*l->at == '\n')
            l->line++;
    l->at = l->end - l->at < 2 ? l->end : l->at + 2;
}

static void next(lexer *l)
{
    char c = *l->at;
    bool line_start = l->line_start;

    if (c == '\n') {
        l->line++;
        l->line_start = true;
        l->at++;
        return;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        l->at++;
        return;
    }
    l->line_start = false;
    if (c == '#' && line_start) {
        directive(l);
        l->line_start = true; /* for the marker that ends a skipped system header */
    } else if (c == '/' && (l->at[1] == '/' || l->at[1] == '*')) {
        comment(l);
    } else if (is_word_start(c)) {
        word(l);
    } else if (is_digit(c) || (c == '.' && is_digit(l->at[1]))) {
        const char *start = l->at++;

        number(l);
        add(l, CC_NUMBER, start, l->line);
    } else if (c == '"' || c == '\'') {
        const char *start = l->at;

        quoted(l, c);
        add(l, c == '"' ? CC_STRING : CC_CHARACTER, start, l->line);
    } else {
        mark(l);
    }
}

void cc_lex(const char *text, size_t length, bool whole, cc_tokens *tokens)
{
    lexer l = {
        .at = text, .end = text + length, .tokens = tokens, .file = "", .line = 1, .whole = whole, .line_start = true};

    *tokens = (cc_tokens){0};
    while (l.at < l.end)
        next(&l);
}

void cc_tokens_free(cc_tokens *tokens)
{
    free(tokens->token);
    *tokens = (cc_tokens){0};
}
