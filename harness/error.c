/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Errors on stderr: contract in error.h.
 */
#include "error.h"
#include <stdarg.h>
#include <stdio.h>

static void print_error(const char *format, va_list arguments)
{
    fputs("samebits: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int sb_usage_error(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return SB_EXIT_ERROR;
}

int sb_error(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    return SB_EXIT_ERROR;
}
