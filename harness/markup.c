/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Texts inside JSON, XML and HTML: contract in markup.h.
 */
#include "markup.h"
#include <stdbool.h>
#include <stdint.h>

/* Bytes of the UTF-8 character at `c`, of which `length` bytes can be read, or which ends. 0: it is none, or XML forbids it; texts of modules may hold anything. */
static size_t character_size(const unsigned char *c, size_t length, uint32_t *character)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;

    if (size > length)
        return 0;
    *character = c[0] & (0xffu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (c[i] & 0x3f);
    }
    if (*character < min[size] || (*character >= 0xd800 && *character < 0xe000) || *character > 0x10ffff ||
        *character == 0xfffe || *character == 0xffff)
        return 0;
    return size;
}

/* Controls, those of Latin 1 too, and Unicode's characters of formatting, which are not shown, or change the order of others. */
static bool is_formatting(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},
                  {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                  {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

size_t sb_shown_size(const char *text, size_t length)
{
    uint32_t character;
    const size_t size = character_size((const unsigned char *)text, length, &character);

    return size == 0 || is_formatting(character) ? 0 : size;
}

void sb_json_string(FILE *out, const char *text)
{
    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        uint32_t character;
        size_t size = character_size(c, 4, &character);

        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else if (size == 0)
            fputc('?', out);
        else
            fwrite(c, 1, size, out);
        c += size > 0 ? size : 1;
    }
    fputc('"', out);
}

void sb_json_field(FILE *out, const char *name, const char *value)
{
    fprintf(out, "\"%s\":", name);
    sb_json_string(out, value);
    fputc(',', out);
}

void sb_markup(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c != '\0';) {
        uint32_t character;
        size_t size = character_size(c, 4, &character);

        switch (*c) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            if (size == 0 || (*c < 0x20 && *c != '\n' && *c != '\t'))
                fputc('?', out);
            else
                fwrite(c, 1, size, out);
        }
        c += size > 0 ? size : 1;
    }
}
