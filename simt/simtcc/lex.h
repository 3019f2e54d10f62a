/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Preprocessed C++ (the output of -E) as a list of tokens. Everything between two tokens (blanks, line markers,
 * pragmas, comments) is kept by position, so that the text can be written again with single tokens changed.
 *
 * System headers without CUDA words are not split into tokens: their text lies between tokens.
 */
#ifndef SIMTCC_LEX_H
#define SIMTCC_LEX_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum cc_kind { CC_WORD, CC_NUMBER, CC_STRING, CC_CHARACTER, CC_MARK, CC_PRAGMA } cc_kind;

/* Marks are ( ) [ ] { } ; , . ... and operators. `>` is always a token of its own, except in `->` and `>=`. `<<` is one
 * token, so the start of a launch is `<<` and `<`. Identifiers and keywords are words. */
typedef struct cc_token {
    const char *start;
    unsigned length;
    unsigned line;    /* from the line markers */
    const char *file; /* as the line marker writes it: inside a string literal, escapes and all; not zero-terminated */
    unsigned file_length;
    unsigned char kind; /* cc_kind */
    bool system;        /* in a system header */
} cc_token;

typedef struct cc_tokens {
    cc_token *token;
    size_t count;
    size_t capacity;
    bool has_volatile; /* outside system headers, and not as part of asm */
} cc_tokens;

/* Adds `text` to `marked`, with the line markers of files in `directory` changed to those of system headers. simtcc
 * includes such files by name, so that they are among the dependencies; the marker keeps the compiler from warning
 * about them. Headers of samebits that the compiler found in a directory of the system lose that mark: they have kernels. */
void cc_mark_system(const cc_text *text, const char *directory, cc_text *marked);

/* A place in the text at which `file`, which is not the system's, includes a header of the system. Names as line markers write them. */
typedef struct cc_include {
    const char *header, *file;
    unsigned header_length, file_length, line;
} cc_include;

/* Calls `visit` for each such place until it returns true. Has it? */
bool cc_any_system_header(const cc_text *text, bool (*visit)(const cc_include *include));

/* Calls `visit` once for each file that the line markers name, until it returns true. Has it? */
bool cc_any_file(const cc_text *text, bool (*visit)(const char *path));

/* The tokens point into `text`, which ends in a zero byte at text[length]. Text that is not C++ (an unfinished string)
 * is split into tokens too: the compiler reports what is wrong. `whole`: system headers are split into tokens too, and
 * each pragma line is one token, so that only blanks, comments and line markers lie between tokens. */
void cc_lex(const char *text, size_t length, bool whole, cc_tokens *tokens);
void cc_tokens_free(cc_tokens *tokens);

/* Asked some hundred thousand times for a source; nearly always the first character says no. No token is empty. */
static inline bool cc_is(const cc_token *token, const char *spelling)
{
    return *token->start == *spelling && strlen(spelling) == token->length &&
           memcmp(token->start, spelling, token->length) == 0;
}

#endif
