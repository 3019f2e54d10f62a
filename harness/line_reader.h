/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading a line of text from left to right: names, values and key=value items, with the column of what is wrong.
 */
#ifndef HARNESS_LINE_READER_H
#define HARNESS_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_reader {
    const char *start, *at, *end; /* the line, and how far it was read */
    const char *folder;           /* of the files that it names; NULL: it must name none */
    char *error;
    size_t size;
} sb_reader;

typedef struct sb_span {
    const char *from, *to; /* from NULL: not there */
} sb_span;

/* Writes "column N: ..." into the reader's error, N being that of `at`. Returns false. */
bool sb_fail_at(const sb_reader *r, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The start of a span, printable, for a message. */
typedef struct sb_excerpt {
    char text[48]; /* 40 characters, "..." and the zero */
} sb_excerpt;

sb_excerpt sb_quote(sb_span s);

bool sb_span_is(sb_span s, const char *word);
bool sb_is_blank(char c);
bool sb_is_digit(char c);
/* A character of ids, names and file names. */
bool sb_is_name(char c);

void sb_skip_blanks(sb_reader *r);
/* The name that starts here; empty when none does. */
sb_span sb_read_name(sb_reader *r);

/* Reads key=value items up to the end of the line or to `=>`. values[i] becomes the value of names[i]; a key that is not
 * one of the names, or comes twice, is an error. `what`: whose items they are, for the message. */
bool sb_read_items(sb_reader *r, const char *what, const char *const *names, size_t count, sb_span *values);

#endif
