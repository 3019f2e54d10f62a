/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading JSON: contract in json.h.
 */
#include "json.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists in lists at most. Files of samebits have four; more would be no file of ours, and could exhaust the stack. */
enum { MAX_DEPTH = 16 };

typedef struct reader {
    const char *at, *end;
    unsigned depth;
} reader;

static void skip_blanks(reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) != NULL)
        r->at++;
}

static bool take(reader *r, char wanted)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != wanted)
        return false;
    r->at++;
    return true;
}

static void put_utf8(char **to, unsigned long c)
{
    if (c < 0x80) {
        *(*to)++ = (char)c;
    } else if (c < 0x800) {
        *(*to)++ = (char)(0xc0 | c >> 6);
        *(*to)++ = (char)(0x80 | (c & 63));
    } else {
        *(*to)++ = (char)(0xe0 | c >> 12);
        *(*to)++ = (char)(0x80 | (c >> 6 & 63));
        *(*to)++ = (char)(0x80 | (c & 63));
    }
}

/* The text after its opening quote; allocated. NULL: it has no end, an unknown escape, or there is no memory. samebits
 * escapes no character beyond the first 65,536. */
static char *read_text(reader *r)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char *text = malloc((size_t)(r->end - r->at) + 1), *to = text;

    while (text != NULL && r->at < r->end && *r->at != '"') {
        char c = *r->at++;
        const char *letter;

        if (c != '\\') {
            *to++ = c;
            continue;
        }
        c = r->at < r->end ? *r->at++ : '\0';
        letter = c != '\0' ? strchr(letters, c) : NULL;
        if (letter != NULL) {
            *to++ = values[letter - letters];
        } else if (c == 'u' && r->end - r->at >= 4) {
            char digits[5] = {r->at[0], r->at[1], r->at[2], r->at[3], '\0'};

            put_utf8(&to, strtoul(digits, NULL, 16));
            r->at += 4;
        } else {
            free(text);
            return NULL;
        }
    }
    if (text == NULL || r->at == r->end) {
        free(text);
        return NULL;
    }
    r->at++;
    *to = '\0';
    return text;
}

static sb_json *read_value(reader *r);

/* The elements up to `close`; names of members too, in an object. */
static bool read_elements(reader *r, sb_json *list, char close)
{
    sb_json **end = &list->first;

    if (take(r, close))
        return true;
    do {
        char *name = NULL;

        if (list->kind == SB_JSON_OBJECT && (!take(r, '"') || (name = read_text(r)) == NULL || !take(r, ':'))) {
            free(name);
            return false;
        }
        *end = read_value(r);
        if (*end == NULL) {
            free(name);
            return false;
        }
        (*end)->name = name;
        end = &(*end)->next;
    } while (take(r, ','));
    return take(r, close);
}

static bool read_word(reader *r, sb_json *value)
{
    size_t length = 0;

    while (r->at + length < r->end && strchr(",]} \t\r\n", r->at[length]) == NULL)
        length++;
    value->text = strndup(r->at, length);
    r->at += length;
    if (value->text == NULL || length == 0)
        return false;
    if (strcmp(value->text, "null") == 0)
        value->kind = SB_JSON_NULL;
    else if (strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0)
        value->kind = SB_JSON_WORD;
    else {
        char *rest;

        value->kind = SB_JSON_NUMBER;
        (void)strtod(value->text, &rest);
        return *rest == '\0';
    }
    return true;
}

static sb_json *read_value(reader *r)
{
    sb_json *value = r->depth < MAX_DEPTH ? calloc(1, sizeof *value) : NULL;
    bool good;

    if (value == NULL)
        return NULL;
    r->depth++;
    if (take(r, '{')) {
        value->kind = SB_JSON_OBJECT;
        good = read_elements(r, value, '}');
    } else if (take(r, '[')) {
        value->kind = SB_JSON_LIST;
        good = read_elements(r, value, ']');
    } else if (take(r, '"')) {
        value->kind = SB_JSON_TEXT;
        value->text = read_text(r);
        good = value->text != NULL;
    } else {
        good = read_word(r, value);
    }
    r->depth--;
    if (good)
        return value;
    sb_json_free(value);
    return NULL;
}

void sb_json_free(sb_json *value)
{
    while (value != NULL) {
        sb_json *next = value->next;

        sb_json_free(value->first);
        free(value->name);
        free(value->text);
        free(value);
        value = next;
    }
}

sb_json *sb_json_read(const char *path, char *error, size_t size)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0, got;
    char piece[8192];
    FILE *out = in != NULL ? open_memstream(&text, &length) : NULL;
    sb_json *value = NULL;

    if (in == NULL) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return NULL;
    }
    while (out != NULL && (got = fread(piece, 1, sizeof piece, in)) > 0)
        fwrite(piece, 1, got, out);
    if (out == NULL || ferror(in) || fclose(out) != 0) {
        snprintf(error, size, "%s: cannot be read", path);
    } else {
        reader r = {text, text + length, 0};

        value = read_value(&r);
        skip_blanks(&r);
        if (value == NULL || r.at != r.end) {
            snprintf(error, size, "%s: no JSON at byte %zu", path, (size_t)(r.at - text));
            sb_json_free(value);
            value = NULL;
        }
    }
    free(text);
    fclose(in);
    return value;
}

const sb_json *sb_json_member(const sb_json *object, const char *name)
{
    for (const sb_json *m = object != NULL && object->kind == SB_JSON_OBJECT ? object->first : NULL; m != NULL;
         m = m->next)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

const char *sb_json_text(const sb_json *object, const char *name)
{
    const sb_json *m = sb_json_member(object, name);

    return m != NULL && m->kind == SB_JSON_TEXT ? m->text : NULL;
}

double sb_json_number(const sb_json *object, const char *name)
{
    const sb_json *m = sb_json_member(object, name);

    return m != NULL && m->kind == SB_JSON_NUMBER ? strtod(m->text, NULL) : 0;
}

uint64_t sb_json_count(const sb_json *object, const char *name)
{
    const sb_json *m = sb_json_member(object, name);

    return m != NULL && m->kind == SB_JSON_NUMBER ? strtoull(m->text, NULL, 10) : 0;
}
