/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Skeletons: the files of harness/skeletons/, of which `samebits new` makes files. build-aux/make-table makes the program's table of
 * their texts. A skeleton is text with lines and words of its own:
 *
 *     @each LIST ... @end          the lines between, once for each element of the list
 *     @if WORD ... @else ... @end  the lines of one side; `@else` may be missing
 *     @NAME@                       a value; of the element, inside of @each
 *
 * Each of these lines begins a line of the skeleton. A @NAME@ that has no value stays as it is.
 */
#ifndef HARNESS_SKELETON_H
#define HARNESS_SKELETON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct sb_skeleton {
    const char *name; /* the file's, without .in; NULL ends the table */
    const char *text;
} sb_skeleton;

extern const sb_skeleton sb_skeletons[];

/* What a skeleton asks. `of` is the first argument of each function. */
typedef struct sb_values {
    const void *of;
    bool (*is)(const void *of, const char *word);
    size_t (*count)(const void *of, const char *list);
    /* Prints the value; of element `index`, unless `list` is NULL. False: there is none of this name. */
    bool (*put)(const void *of, const char *list, size_t index, const char *name, FILE *out);
} sb_values;

/* Prints the skeleton of this name, which must be one. */
void sb_skeleton_print(FILE *out, const char *name, const sb_values *values);

#endif
