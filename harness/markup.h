/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Texts inside JSON, XML and HTML. Bytes that are not UTF-8, and characters that the format forbids, become '?': what a
 * module says may be anything.
 */
#ifndef HARNESS_MARKUP_H
#define HARNESS_MARKUP_H

#include <stdio.h>

/* The text in quotes; null for NULL. */
void sb_json_string(FILE *out, const char *text);

/* "name":"value", with the comma. */
void sb_json_field(FILE *out, const char *name, const char *value);

/* Text for XML and HTML. */
void sb_markup(FILE *out, const char *text);

#endif
