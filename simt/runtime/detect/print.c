/* SPDX-License-Identifier: BSD-2-Clause
 *
 * printf of code that a kernel may run. The C library reads the format and the strings of %s, where nobody inserts calls: in a kernel of
 * the checking build they are read here first, each byte up to the NUL or the precision as an access of the thread. And in a kernel it
 * returns how many arguments the format takes, not how many characters were printed (CUDA Programming Guide, "Formatted Output").
 */
#include "access.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 /* arguments that CUDA's printf takes */ };

typedef struct {
    va_list list;
    int taken;
} arguments;

static void read_string(const char *string, size_t limit, const void *place)
{
    for (size_t i = 0; i < limit; i++) {
        simt_access(string + i, 1, false, place);
        if (!string[i])
            return;
    }
}

/* A width or precision: digits, or an argument. */
static int read_number(const char **at, arguments *from)
{
    char *end;
    long number;

    if (**at == '*') {
        ++*at;
        from->taken++;
        return va_arg(from->list, int);
    }
    number = strtol(*at, &end, 10);
    *at = end;
    return number < INT_MAX ? (int)number : INT_MAX;
}

/* Takes the argument of a conversion. One that C does not have is printed as it stands, as on a GPU. */
static void take_argument(char conversion, bool is_long, int precision, arguments *from, const void *place)
{
    const char *string;

    if (!conversion || !strchr("diouxXcspnaAeEfFgG", conversion))
        return;
    from->taken++;
    if (conversion == 's') {
        string = va_arg(from->list, const char *);
        if (string && !is_long && simt_checking) /* the C library prints a null pointer as (null) */
            read_string(string, precision < 0 ? SIZE_MAX : (size_t)precision, place);
    } else if (conversion == 'p' || conversion == 'n') {
        (void)va_arg(from->list, void *);
    } else if (!strchr("diouxXc", conversion)) {
        (void)va_arg(from->list, double);
    } else if (is_long) { /* l, ll, j, z and t are all of 64 bits */
        (void)va_arg(from->list, long);
    } else {
        (void)va_arg(from->list, int);
    }
}

/* A kernel's printf has no precision that is an argument, and of the lengths only h, l and ll (CUDA Programming Guide, "Format Specifiers"):
 * an H200 counts no argument of such a conversion. The C library prints it. */
static void read_arguments(const char *format, arguments *from, const void *place)
{
    for (const char *at = strchr(format, '%'); at; at = strchr(at + 1, '%')) {
        const int before = from->taken;
        int precision = -1;
        bool known = true;
        size_t length;

        at += 1 + strspn(at + 1, "-+ #0");
        read_number(&at, from);
        if (*at == '.') {
            at++;
            known = *at != '*';
            precision = read_number(&at, from);
        }
        length = strspn(at, "hljzt");
        known = known && strspn(at, "jzt") == 0 && strncmp(at, "hh", 2) != 0;
        at += length;
        take_argument(*at, length && at[-1] != 'h', precision, from, place);
        if (!known)
            from->taken = before;
        if (!*at)
            return;
    }
}

#pragma GCC visibility push(hidden)

int __simt_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int __simt_printf(const char *format, ...)
{
    arguments from = {.taken = 0};
    int result;

    if (format && simt_current) { /* vprintf refuses a null pointer */
        if (simt_checking)
            read_string(format, SIZE_MAX, PLACE);
        va_start(from.list, format);
        read_arguments(format, &from, PLACE);
        va_end(from.list);
    }
    va_start(from.list, format);
    result = vprintf(format, from.list);
    va_end(from.list);
    if (!simt_current || result < 0)
        return result;
    return from.taken < MOST ? from.taken : MOST;
}

#pragma GCC visibility pop
