/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Messages and progress: contract in report.h.
 */
#include "report.h"
#include "common/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static struct {
    unsigned quiet;
    bool no_warn;
    sbz_exit status;
    bool line_shown;
} state;

void sbz_report_begin(unsigned quiet, bool no_warn)
{
    state.quiet = quiet;
    state.no_warn = no_warn;
}

sbz_exit sbz_report_status(void)
{
    return state.status;
}

/* C0 and DEL; and C1, which UTF-8 writes as c2 80 to c2 9f. */
static bool is_control(const char *text)
{
    const unsigned char c = (unsigned char)text[0], next = c != '\0' ? (unsigned char)text[1] : 0;

    return c < ' ' || c == 127 || (c == 0xc2 && next >= 0x80 && next < 0xa0);
}

const char *sbz_shown(FILE *stream, const char *text, char to[SBZ_SHOWN])
{
    size_t length = 0;

    if (!isatty(fileno(stream)))
        return text;
    for (; *text != '\0' && length + sizeof "\\ooo" <= SBZ_SHOWN; text++)
        if (is_control(text))
            length += (size_t)sprintf(to + length, "\\%03o", (unsigned char)*text);
        else
            to[length++] = *text;
    to[length] = '\0';
    return to;
}

void sbz_put_name(FILE *stream, const char *name)
{
    for (; *name != '\0'; name++)
        if (is_control(name) || *name == '\\')
            fprintf(stream, "\\%03o", (unsigned char)*name);
        else
            fputc(*name, stream);
}

/* Prints one line. */
static void print(const char *format, va_list arguments)
{
    char line[SBZ_SHOWN], shown[SBZ_SHOWN];

    vsnprintf(line, sizeof line, format, arguments);
    fputs(sbz_shown(stderr, line, shown), stderr);
    fputc('\n', stderr);
}

static bool say(unsigned silenced_by, sbz_exit status, const char *format, va_list arguments)
{
    if (state.status < status)
        state.status = status;
    if (state.quiet >= silenced_by)
        return false;
    sbz_progress_end();
    fputs("sbz: ", stderr);
    print(format, arguments);
    return false;
}

bool sbz_fail(sbz_exit status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(2, status, format, arguments);
    va_end(arguments);
    return false;
}

bool sbz_warn(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(1, state.no_warn ? SBZ_EXIT_DONE : SBZ_EXIT_FAILED, format, arguments);
    va_end(arguments);
    return false;
}

void sbz_hint(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(1, SBZ_EXIT_DONE, format, arguments);
    va_end(arguments);
}

void sbz_note(const char *format, ...)
{
    va_list arguments;

    sbz_progress_end();
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

void sbz_progress_begin(sbz_progress *progress, const char *name, uint64_t total, bool wanted)
{
    *progress = (sbz_progress){.name = name, .total = total, .started = sb_now()};
    progress->wanted = wanted && state.quiet == 0 && isatty(STDERR_FILENO);
}

void sbz_progress_show(sbz_progress *progress, uint64_t finished, uint64_t written)
{
    double now = sb_now(), passed = now - progress->started, part;
    char shown[SBZ_SHOWN];

    if (!progress->wanted || passed < 1 || now - progress->shown < 0.1)
        return;
    progress->shown = now;
    state.line_shown = true;
    fprintf(stderr, "\r\033[K%s: %.1f MB to %.1f MB, %.1f MB/s", sbz_shown(stderr, progress->name, shown),
            (double)finished / 1e6, (double)written / 1e6, (double)finished / 1e6 / passed);
    if (progress->total > 0 && finished > 0 && finished <= progress->total) {
        part = (double)finished / (double)progress->total;
        fprintf(stderr, ", %.0f%%, %.0f s left", 100 * part, passed / part - passed);
    }
    fflush(stderr);
}

void sbz_progress_end(void)
{
    if (state.line_shown)
        fputs("\r\033[K", stderr);
    state.line_shown = false;
}
