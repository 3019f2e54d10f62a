/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Texts inside JSON, XML and HTML. Bytes that are not UTF-8, and characters that the format forbids, become '?': what a
 * module says may be anything.
 */
#ifndef HARNESS_MARKUP_H
#define HARNESS_MARKUP_H

#include <stdio.h>

/* Bytes of the character at `text`, of which `length` bytes can be read, or which ends, if it is one that a terminal shows. 0: it is not UTF-8, or a
 * terminal may obey it, or not show it, or change the order of others by it. */
size_t sb_shown_size(const char *text, size_t length);

/* The text in quotes; null for NULL. */
void sb_json_string(FILE *out, const char *text);

/* "name":"value", with the comma. */
void sb_json_field(FILE *out, const char *name, const char *value);

/* Text for XML and HTML. */
void sb_markup(FILE *out, const char *text);

#endif
