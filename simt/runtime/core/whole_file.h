/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files that several processes write: those of a test suite, and those of a series.
 */
#ifndef SIMT_WHOLE_FILE_H
#define SIMT_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#pragma GCC visibility push(hidden)

/* Opens the file for reading and writing, locked, at its start. Closing it unlocks it. An error ends the program with status 2. */
FILE *simt_open_shared(const char *path);

/* A file that is whole at any time: each item is written over its end, and then the end again. */
typedef struct simt_whole {
    FILE *file;
    const char *end;
    char
        last; /* the byte before the end; 0: the file was empty, so what comes before all items must be written first */
} simt_whole;

/* Returns whether there is something to write: `item` (NULL: nothing is looked for) is not in the file, or the file is empty. It
 * is then at the place for it, to the call of simt_whole_close. A file that does not end so is not ours: that ends the program
 * with status 2 and a message with `what`, and the file stays as it is. */
bool simt_whole_open(simt_whole *w, const char *path, const char *what, const char *end, const char *item);
void simt_whole_close(simt_whole *w); /* writes the end */

/* The text of a JSON string, between its quotes. Bytes that are not UTF-8 are written as Latin-1, so that no file name can make
 * it invalid; < is written as a number, so that it may stand in a page. */
void simt_put_json_text(FILE *file, const char *text, size_t length);

/* The end of html=FILE: more lines of JSON go before it. */
extern const char simt_page_end[];

/* Adds how a run ended to html=FILE and, for a run of a series, to json=FILE. */
void simt_write_run(uint64_t seed, int status, bool of_series);

#pragma GCC visibility pop

#endif
