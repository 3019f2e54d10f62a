/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading lines: contract in line_reader.h.
 */
#include "line_reader.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sb_fail_at(const sb_reader *r, const char *at, const char *format, ...)
{
    int used = snprintf(r->error, r->size, "column %zu: ", (size_t)(at - r->start) + 1);
    va_list arguments;

    va_start(arguments, format);
    if (used >= 0 && (size_t)used < r->size)
        vsnprintf(r->error + used, r->size - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

sb_excerpt sb_quote(sb_span s)
{
    sb_excerpt e;
    size_t length = (size_t)(s.to - s.from), shown = length < 40 ? length : 40;

    for (size_t i = 0; i < shown; i++)
        e.text[i] = s.from[i] < ' ' || s.from[i] > '~' ? '?' : s.from[i];
    strcpy(e.text + shown, shown < length ? "..." : "");
    return e;
}

bool sb_span_is(sb_span s, const char *word)
{
    size_t length = (size_t)(s.to - s.from);

    return strlen(word) == length && memcmp(s.from, word, length) == 0;
}

bool sb_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool sb_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool sb_is_name(char c)
{
    return sb_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c != '\0' && strchr("._:+-", c) != NULL);
}

void sb_skip_blanks(sb_reader *r)
{
    while (r->at < r->end && sb_is_blank(*r->at))
        r->at++;
}

sb_span sb_read_name(sb_reader *r)
{
    sb_span name = {r->at, r->at};

    while (r->at < r->end && sb_is_name(*r->at))
        r->at++;
    name.to = r->at;
    return name;
}

/* Takes the value that starts here, up to the blank behind it. */
static bool read_value(sb_reader *r, sb_span *value)
{
    value->from = r->at;
    if (r->at < r->end && *r->at == '"') {
        for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
            if (*r->at == '\\' && r->at + 1 < r->end)
                r->at++;
        if (r->at == r->end)
            return sb_fail_at(r, value->from, "this text has no closing quote");
        r->at++;
    } else if (r->at < r->end && *r->at == '[') {
        while (r->at < r->end && *r->at != ']')
            r->at++;
        if (r->at == r->end)
            return sb_fail_at(r, value->from, "this list has no closing bracket");
        r->at++;
    } else {
        while (r->at < r->end && !sb_is_blank(*r->at))
            r->at++;
    }
    value->to = r->at;
    if (value->from == value->to)
        return sb_fail_at(r, r->at, "a value is missing after '='");
    if (r->at < r->end && !sb_is_blank(*r->at))
        return sb_fail_at(r, r->at, "a blank must follow the value");
    return true;
}

static bool at_arrow(const sb_reader *r)
{
    return r->end - r->at >= 2 && r->at[0] == '=' && r->at[1] == '>' && (r->end - r->at == 2 || sb_is_blank(r->at[2]));
}

/* Says which names there are, as one of them may have been changed in the contract alone. */
static bool fail_unknown(const sb_reader *r, const char *what, sb_span key, const char *const *names, size_t count)
{
    char list[256] = "";
    size_t used = 0;

    for (size_t i = 0; i < count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? " " : "", names[i]);
    return sb_fail_at(r, key.from, "%s has no '%s'; it has: %s", what, sb_quote(key).text, list);
}

bool sb_read_items(sb_reader *r, const char *what, const char *const *names, size_t count, sb_span *values)
{
    for (sb_skip_blanks(r); r->at < r->end && !at_arrow(r); sb_skip_blanks(r)) {
        sb_span key = sb_read_name(r);
        size_t i = 0;

        if (key.from == key.to)
            return sb_fail_at(r, key.from, "a name is expected here");
        if (r->at == r->end || *r->at != '=')
            return sb_fail_at(r, r->at, "'=' is expected after '%s'", sb_quote(key).text);
        while (i < count && !sb_span_is(key, names[i]))
            i++;
        if (i == count)
            return fail_unknown(r, what, key, names, count);
        if (values[i].from != NULL)
            return sb_fail_at(r, key.from, "'%s' stands here a second time", names[i]);
        r->at++;
        if (!read_value(r, &values[i]))
            return false;
    }
    return true;
}
