/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading values: contract in array_read.h.
 */
#include "array_read.h"
#include "../common/number.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Characters of a float at most. A C hexfloat of any f64 needs 24, and the longest exact decimal is never needed. */
enum { MAX_NUMBER = 128 };

static int hex_digit(char c)
{
    if (sb_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool read_digits(const sb_reader *r, sb_span s, sb_span digits, uint64_t max, const char *type, uint64_t *number)
{
    uint64_t value = 0;

    if (digits.from == digits.to)
        return sb_fail_at(r, s.from, "'%s' is not a number of type %s", sb_quote(s).text, type);
    for (const char *c = digits.from; c < digits.to; c++) {
        if (!sb_is_digit(*c))
            return sb_fail_at(r, s.from, "'%s' is not a number of type %s", sb_quote(s).text, type);
        if (value > (max - (uint64_t)(*c - '0')) / 10)
            return sb_fail_at(r, s.from, "%s is out of the range of %s", sb_quote(s).text, type);
        value = 10 * value + (uint64_t)(*c - '0');
    }
    *number = value;
    return true;
}

bool sb_read_u64(const sb_reader *r, sb_span s, uint64_t *number)
{
    return read_digits(r, s, s, UINT64_MAX, "u64", number);
}

static bool read_integer(const sb_reader *r, sb_span s, uint32_t type, uint64_t *bits)
{
    bool has_sign = sb_type_kind(type) == SB_KIND_SIGNED, negative = has_sign && s.from < s.to && *s.from == '-';
    sb_span digits = {s.from + negative, s.to};
    uint64_t max = UINT64_MAX >> (64 - 8 * sb_type_size(type));

    if (has_sign)
        max = max / 2 + negative;
    if (!read_digits(r, s, digits, max, sb_type_name(type), bits))
        return false;
    if (negative)
        *bits = -*bits;
    return true;
}

/* #7fc00001: the bits of the element, all digits given. */
static bool read_bits(const sb_reader *r, sb_span s, uint32_t type, uint64_t *bits)
{
    size_t digits = 2 * sb_type_size(type);

    *bits = 0;
    if ((size_t)(s.to - s.from) != 1 + digits)
        return sb_fail_at(r, s.from, "# and %zu hexadecimal digits make the bits of %s", digits, sb_type_name(type));
    for (const char *c = s.from + 1; c < s.to; c++) {
        if (hex_digit(*c) < 0)
            return sb_fail_at(r, c, "a hexadecimal digit is expected here");
        *bits = *bits << 4 | (uint64_t)hex_digit(*c);
    }
    return true;
}

/* A decimal or a C hexfloat, rounded correctly, narrower types than f32 from f64; inf and -inf. */
static bool read_float(const sb_reader *r, sb_span s, uint32_t type, uint64_t *bits)
{
    char text[MAX_NUMBER + 1], *end = text;
    size_t length = (size_t)(s.to - s.from), sign = length > 0 && *s.from == '-';
    bool infinite;
    double wide = 0;

    if (length > MAX_NUMBER)
        return sb_fail_at(r, s.from, "a number of more than %d characters", MAX_NUMBER);
    memcpy(text, s.from, length);
    text[length] = '\0';
    infinite = strcmp(text + sign, "inf") == 0;
    if (infinite || sb_is_digit(text[sign]) || text[sign] == '.') {
        wide = type == SB_F32 ? (double)strtof(text, &end) : strtod(text, &end);
    }
    if (end != text + length || length == 0)
        return sb_fail_at(r, s.from, "'%s' is not a number of type %s", sb_quote(s).text, sb_type_name(type));
    *bits = sb_number_to_bits(type, wide);
    if (!infinite && !isfinite(sb_bits_to_number(type, *bits)))
        return sb_fail_at(r, s.from, "%s is out of the range of %s", sb_quote(s).text, sb_type_name(type));
    if (infinite && type == SB_F8_E4M3)
        return sb_fail_at(r, s.from, "%s has no infinity", sb_type_name(type));
    return true;
}

/* a:b */
static bool read_affine(const sb_reader *r, sb_span s, sb_affine *map)
{
    const char *colon = memchr(s.from, ':', (size_t)(s.to - s.from));
    uint64_t a, b;

    if (colon == NULL)
        return sb_fail_at(r, s.from, "'%s' is not an affine map a:b", sb_quote(s).text);
    if (!read_integer(r, (sb_span){s.from, colon}, SB_U32, &a) ||
        !read_integer(r, (sb_span){colon + 1, s.to}, SB_U32, &b))
        return false;
    if (a % 2 == 0)
        return sb_fail_at(r, s.from, "the first number of an affine map must be odd");
    *map = (sb_affine){(uint32_t)a, (uint32_t)b};
    return true;
}

static bool read_element(const sb_reader *r, sb_span s, uint32_t type, void *element)
{
    uint64_t bits;
    bool good;

    if (type == SB_AFFINE)
        return read_affine(r, s, element);
    if (s.from < s.to && *s.from == '#')
        good = read_bits(r, s, type, &bits);
    else if (sb_type_kind(type) == SB_KIND_FLOAT)
        good = read_float(r, s, type, &bits);
    else
        good = read_integer(r, s, type, &bits);
    if (good)
        memcpy(element, &bits, sb_type_size(type));
    return good;
}

/* Decodes the escape at *at, a backslash, and moves past it. */
static bool read_escape(const sb_reader *r, const char **at, const char *end, char *byte)
{
    static const char letters[] = "abfnrtv\\\"'?", meanings[] = "\a\b\f\n\r\t\v\\\"'?";
    const char *c = *at + 1;
    const char *letter = c < end && *c != '\0' ? strchr(letters, *c) : NULL;
    unsigned value = 0;

    if (letter != NULL) {
        *byte = meanings[letter - letters];
        *at = c + 1;
        return true;
    }
    if (end - c >= 3 && *c == 'x' && hex_digit(c[1]) >= 0 && hex_digit(c[2]) >= 0) {
        value = (unsigned)(16 * hex_digit(c[1]) + hex_digit(c[2]));
        c += 3;
    } else {
        const char *first = c;

        while (c < end && c < first + 3 && *c >= '0' && *c <= '7')
            value = 8 * value + (unsigned)(*c++ - '0');
        if (c == first)
            return sb_fail_at(r, *at, "unknown escape; \\x takes two digits, octal one to three");
    }
    if (value > 255)
        return sb_fail_at(r, *at, "an escape of more than 255");
    *byte = (char)value;
    *at = c;
    return true;
}

bool sb_read_text(const sb_reader *r, sb_span s, char **text, size_t *length)
{
    char *to = malloc((size_t)(s.to - s.from));

    *text = to;
    if (to == NULL)
        return sb_fail_at(r, s.from, "out of memory");
    for (const char *at = s.from + 1; at < s.to - 1;) {
        if (*at != '\\') {
            if ((unsigned char)*at < ' ' || *at == 0x7f) {
                free(*text);
                return sb_fail_at(r, at, "a control character; write it as an escape");
            }
            *to++ = *at++;
        } else if (!read_escape(r, &at, s.to - 1, to++)) {
            free(*text);
            return false;
        }
    }
    *to = '\0';
    *length = (size_t)(to - *text);
    return true;
}

static bool read_array_text(const sb_reader *r, sb_span s, sb_array *array)
{
    char *text;
    size_t length;
    bool good;

    if (array->type != SB_U8)
        return sb_fail_at(r, s.from, "text is for bytes; this array holds %s", sb_type_name(array->type));
    if (!sb_read_text(r, s, &text, &length))
        return false;
    good = sb_array_set(array, text, length) || sb_fail_at(r, s.from, "out of memory");
    free(text);
    return good;
}

static sb_span trim(sb_span s)
{
    while (s.from < s.to && sb_is_blank(*s.from))
        s.from++;
    while (s.from < s.to && sb_is_blank(s.to[-1]))
        s.to--;
    return s;
}

static bool read_list(const sb_reader *r, sb_span s, sb_array *array)
{
    sb_span inside = trim((sb_span){s.from + 1, s.to - 1});
    uint64_t count = inside.from < inside.to;

    for (const char *c = inside.from; c < inside.to; c++)
        count += *c == ',';
    if (!sb_array_resize(array, count))
        return sb_fail_at(r, s.from, "out of memory");
    for (uint64_t i = 0; i < count; i++) {
        const char *comma = memchr(inside.from, ',', (size_t)(inside.to - inside.from));
        sb_span element = trim((sb_span){inside.from, comma != NULL ? comma : inside.to});

        if (!read_element(r, element, array->type, (uint8_t *)array->data + i * sb_type_size(array->type)))
            return false;
        inside.from = comma != NULL ? comma + 1 : inside.to;
    }
    return true;
}

/* A number without brackets is an array of one element. */
static bool read_single(const sb_reader *r, sb_span s, sb_array *array)
{
    if (!sb_array_resize(array, 1))
        return sb_fail_at(r, s.from, "out of memory");
    return read_element(r, s, array->type, array->data);
}

/* hex: and the bytes of the elements in the order of a file. */
static bool read_hex(const sb_reader *r, sb_span s, sb_array *array)
{
    const char *digit = s.from + strlen("hex:");
    size_t digits = (size_t)(s.to - digit), element = 2 * sb_type_size(array->type);

    if (digits % element != 0)
        return sb_fail_at(r, s.from, "%zu hexadecimal digits are not a whole number of elements of %s", digits,
                          sb_type_name(array->type));
    if (!sb_array_resize(array, digits / element))
        return sb_fail_at(r, s.from, "out of memory");
    for (size_t i = 0; i < digits; i += 2, digit += 2) {
        if (hex_digit(digit[0]) < 0 || hex_digit(digit[1]) < 0)
            return sb_fail_at(r, digit + (hex_digit(digit[0]) >= 0), "a hexadecimal digit is expected here");
        ((uint8_t *)array->data)[i / 2] = (uint8_t)(16 * hex_digit(digit[0]) + hex_digit(digit[1]));
    }
    return true;
}

/* A file must be below the folder of the case. */
static bool file_name_allowed(sb_span name)
{
    if (name.from == name.to)
        return false;
    for (const char *c = name.from; c < name.to; c++) {
        bool starts = c == name.from || c[-1] == '/';

        if (!sb_is_name(*c) && (*c != '/' || starts))
            return false;
        if (starts && name.to - c >= 2 && c[0] == '.' && c[1] == '.' && (name.to - c == 2 || c[2] == '/'))
            return false;
    }
    return true;
}

static bool read_open_file(const sb_reader *r, sb_span s, FILE *in, sb_array *array)
{
    struct stat status;

    if (fstat(fileno(in), &status) != 0)
        return sb_fail_at(r, s.from, "%s: %s", sb_quote(s).text, strerror(errno));
    if ((uint64_t)status.st_size > SB_MAX_FILE)
        return sb_fail_at(r, s.from, "%s: larger than 4 GiB", sb_quote(s).text);
    if ((uint64_t)status.st_size % sb_type_size(array->type) != 0)
        return sb_fail_at(r, s.from, "%s: %lld bytes are not a whole number of elements of %s", sb_quote(s).text,
                          (long long)status.st_size, sb_type_name(array->type));
    if (!sb_array_resize(array, (uint64_t)status.st_size / sb_type_size(array->type)))
        return sb_fail_at(r, s.from, "%s: out of memory", sb_quote(s).text);
    if (fread(array->data, 1, (size_t)status.st_size, in) != (size_t)status.st_size)
        return sb_fail_at(r, s.from, "%s: could not be read", sb_quote(s).text);
    return true;
}

static bool read_file(const sb_reader *r, sb_span s, sb_array *array)
{
    sb_span name = {s.from + 1, s.to};
    struct stat status;
    char *path;
    FILE *in = NULL;
    bool good;

    if (r->folder == NULL)
        return sb_fail_at(r, s.from, "no files can be named here");
    if (!file_name_allowed(name))
        return sb_fail_at(r, s.from, "'%s' is not the name of a file below the folder of the case",
                          sb_quote(name).text);
    if (asprintf(&path, "%s/%.*s", r->folder, (int)(name.to - name.from), name.from) < 0)
        return sb_fail_at(r, s.from, "out of memory");
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        good = sb_fail_at(r, s.from, "%s: not a regular file", path);
    else if ((in = fopen(path, "rb")) == NULL)
        good = sb_fail_at(r, s.from, "%s: %s", path, strerror(errno));
    else
        good = read_open_file(r, s, in, array);
    if (in != NULL)
        fclose(in);
    free(path);
    return good;
}

bool sb_read_array(const sb_reader *r, sb_span s, sb_array *array)
{
    if (*s.from == '"')
        return read_array_text(r, s, array);
    if (*s.from == '[')
        return read_list(r, s, array);
    if (*s.from == '@')
        return read_file(r, s, array);
    if (s.to - s.from >= 4 && memcmp(s.from, "hex:", 4) == 0)
        return read_hex(r, s, array);
    if (sb_is_digit(*s.from) || strchr("-.#", *s.from) != NULL)
        return read_single(r, s, array);
    return sb_fail_at(r, s.from, "an array is \"text\", [a list], hex:digits, @file or one number");
}
