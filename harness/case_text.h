/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A case as a line of text, read and printed. docs/FORMAT.md has the grammar:
 *
 *     mtf.encode id=banana why="three symbols" chunk=0 bytes="banana" => rank=[98,98,110,1,1,1]
 *
 * A line names its algorithm, then id, why, parameters and inputs; after `=>` the outputs, or the word `invalid`. A
 * value is a number or word, "text" with C escapes, [list], hex:00ff, or @file (raw little-endian elements, the name
 * relative to the folder of the case file). A generated case has gen=, n= and seed= instead of inputs, and hash= to pin
 * them.
 */
#ifndef HARNESS_CASE_TEXT_H
#define HARNESS_CASE_TEXT_H

#include "../common/case.h"
#include <stdio.h>

typedef struct sb_case_line {
    sb_case c;
    bool has_expected;
    sb_result expected; /* status SB_OK or SB_INVALID, when has_expected */
    char *place;        /* "FILE:LINE" where it stands; NULL: unknown */
} sb_case_line;

void sb_case_line_free(sb_case_line *line);

/* The algorithm that the line names; NULL: none. */
const sb_algorithm *sb_case_algorithm(const char *text, size_t length);

/* Parses one line (without its newline). `folder` is where @files are looked for; `error` says which column and why.
 * The case has been checked with sb_case_shape. False: nothing is left allocated. */
bool sb_case_parse(const char *text, size_t length, const char *folder, sb_case_line *line, char *error, size_t size);

/* Parses the right-hand side of a line (`rank=[1,2]`, or `invalid`) as a result of the case `c`. */
bool sb_result_parse(const char *text, size_t length, const char *folder, const sb_case *c, sb_result *result,
                     char *error, size_t size);

/* Prints the result alone: NAME=array for each output, or "invalid". */
bool sb_result_print(FILE *out, const sb_case *c, const sb_result *result);

/* Prints the line. `folder` NULL: everything inline. Otherwise arrays of more than `inline_bytes` bytes (0: every
 * array) go to folder/ID.ARRAY and stand as @ID.ARRAY. `expected` may be NULL. False: could not write, errno says why.
 */
bool sb_case_print(FILE *out, const sb_case *c, const sb_result *expected, const char *folder, uint64_t inline_bytes);

/* Prints an array as a list, for reports: at most `limit` elements from `from` on, and "..." when there are more. */
void sb_array_print(FILE *out, const sb_array *array, uint64_t from, uint64_t limit);
/* One element, as in a list. */
void sb_element_text(char *text, size_t size, const sb_array *array, uint64_t index);

#endif
