/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reads the JSON files that samebits writes (RFC 8259). Values are a tree. No library does it, because samebits is built with libc
 * alone: on a machine with a GPU there are often no headers of other libraries.
 */
#ifndef HARNESS_JSON_H
#define HARNESS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sb_json_kind {
    SB_JSON_NULL,
    SB_JSON_WORD,
    SB_JSON_NUMBER,
    SB_JSON_TEXT,
    SB_JSON_LIST,
    SB_JSON_OBJECT
} sb_json_kind;

typedef struct sb_json {
    sb_json_kind kind;
    char *name;            /* of a member of an object; else NULL */
    char *text;            /* of a text; of a number and a word (true, false), its characters */
    struct sb_json *first; /* of a list or an object */
    struct sb_json *next;  /* in the list or object that this is in */
} sb_json;

/* The value that the file holds. NULL: `error` says why not. The caller frees it. */
sb_json *sb_json_read(const char *path, char *error, size_t size);
void sb_json_free(sb_json *value);

/* The member of an object, or NULL. */
const sb_json *sb_json_member(const sb_json *object, const char *name);

/* The member as a text, a number, or an unsigned integer; NULL or 0 if there is none. */
const char *sb_json_text(const sb_json *object, const char *name);
double sb_json_number(const sb_json *object, const char *name);
uint64_t sb_json_count(const sb_json *object, const char *name);

#endif
