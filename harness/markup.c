/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Texts inside JSON, XML and HTML: contract in markup.h.
 */
#include "markup.h"
#include <stdint.h>

/* Bytes of the UTF-8 character at `c`. 0: it is not UTF-8, or XML forbids it; texts of modules may hold anything. */
static size_t character_size(const unsigned char *c)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    uint32_t character = c[0] & (0xffu >> size);

    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        character = character << 6 | (c[i] & 0x3f);
    }
    if (character < min[size] || (character >= 0xd800 && character < 0xe000) || character > 0x10ffff ||
        character == 0xfffe || character == 0xffff)
        return 0;
    return size;
}

void sb_json_string(FILE *out, const char *text)
{
    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        size_t size = character_size(c);

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
        size_t size = character_size(c);

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
