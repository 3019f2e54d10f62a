/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Growing text, and lists of words for command lines. Running out of memory ends the program through cc_fatal, so no
 * function here returns an error.
 */
#ifndef SIMTCC_TEXT_H
#define SIMTCC_TEXT_H

#include <stddef.h>

typedef struct cc_text {
    char *data; /* ends in a zero byte once anything was added; NULL before */
    size_t length;
    size_t capacity;
} cc_text;

typedef struct cc_words {
    char **word; /* word[count] is NULL once anything was added */
    size_t count;
    size_t capacity;
} cc_words;

/* Prints `simtcc: MESSAGE`, removes temporary files and exits with status 1. */
_Noreturn void cc_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *cc_allocate(void *old, size_t size); /* realloc */
char *cc_copy(const char *string, size_t length);

void cc_text_add(cc_text *text, const char *bytes, size_t length);
void cc_text_puts(cc_text *text, const char *string);
void cc_text_printf(cc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cc_text_free(cc_text *text);

void cc_words_add(cc_words *words, const char *word); /* copies it */
void cc_words_join(cc_words *words, const cc_words *more);
void cc_words_split(cc_words *words, const char *list, char separator); /* empty pieces are dropped */
void cc_words_free(cc_words *words);

#endif
