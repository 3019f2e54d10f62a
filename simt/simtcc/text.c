/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Growing text and lists of words: see text.h.
 */
#include "text.h"
#include "process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cc_fatal(const char *format, ...)
{
    va_list arguments;

    fputs("simtcc: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    cc_remove_temporaries();
    exit(1);
}

void *cc_allocate(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);

    if (!memory)
        cc_fatal("out of memory");
    return memory;
}

char *cc_copy(const char *string, size_t length)
{
    char *copy = cc_allocate(NULL, length + 1);

    memcpy(copy, string, length);
    copy[length] = 0;
    return copy;
}

static void reserve(cc_text *text, size_t more)
{
    size_t needed = text->length + more + 1;

    if (needed <= text->capacity)
        return;
    text->capacity = needed > 2 * text->capacity ? needed : 2 * text->capacity;
    text->data = cc_allocate(text->data, text->capacity);
}

void cc_text_add(cc_text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void cc_text_puts(cc_text *text, const char *string)
{
    cc_text_add(text, string, strlen(string));
}

void cc_text_printf(cc_text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        cc_fatal("cannot format text");
    reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void cc_text_free(cc_text *text)
{
    free(text->data);
    *text = (cc_text){0};
}

static void add_owned(cc_words *words, char *word)
{
    if (words->count + 1 >= words->capacity) {
        words->capacity = 2 * words->capacity + 8;
        words->word = cc_allocate(words->word, words->capacity * sizeof *words->word);
    }
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

void cc_words_add(cc_words *words, const char *word)
{
    add_owned(words, cc_copy(word, strlen(word)));
}

void cc_words_join(cc_words *words, const cc_words *more)
{
    for (size_t i = 0; i < more->count; i++)
        cc_words_add(words, more->word[i]);
}

void cc_words_split(cc_words *words, const char *list, char separator)
{
    while (*list) {
        const char *end = strchr(list, separator);
        size_t length = end ? (size_t)(end - list) : strlen(list);

        if (length)
            add_owned(words, cc_copy(list, length));
        list += length + (end != NULL);
    }
}

void cc_words_free(cc_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (cc_words){0};
}
