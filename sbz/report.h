/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Messages on standard error, the exit status, and the progress line. To be called from one thread only.
 */
#ifndef SBZ_REPORT_H
#define SBZ_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Of several files the largest counts. */
typedef enum sbz_exit {
    SBZ_EXIT_DONE = 0,
    SBZ_EXIT_FAILED = 1, /* usage, files, memory, devices; also a file that was skipped */
    SBZ_EXIT_DAMAGED = 2 /* compressed data are damaged, or are not compressed data */
} sbz_exit;

/* quiet 1: prints no warnings; 2: no errors either. Both still set the status. */
void sbz_report_begin(unsigned quiet, bool no_warn);
sbz_exit sbz_report_status(void);

/* On a terminal, control characters of `text` (and thereby of file names) are shown as \\ooo: they could change what it
 * shows. Returns `text` itself if nothing has to be escaped, else the beginning of it in `to`. */
enum { SBZ_SHOWN = 8192 }; /* bytes: a path of 4096 with some escapes, in a message */
const char *sbz_shown(FILE *stream, const char *text, char to[SBZ_SHOWN]);
/* Writes a name with control characters and backslashes as \\ooo, so that it ends where its line does. */
void sbz_put_name(FILE *stream, const char *name);

/* Prints an error after "sbz: ", raises the exit status to `status`, and returns false. */
bool sbz_fail(sbz_exit status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for warnings: a file is skipped. */
bool sbz_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for what is only worth mentioning: the status stays. */
void sbz_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a line of information that was asked for. */
void sbz_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The progress of a file: a line on the terminal, once the work has taken a second. */
typedef struct sbz_progress {
    const char *name;
    uint64_t total; /* bytes of the input; 0: unknown */
    bool wanted;
    double started, shown;
} sbz_progress;

void sbz_progress_begin(sbz_progress *progress, const char *name, uint64_t total, bool wanted);
/* `finished` bytes of the input, which became `written` bytes. */
void sbz_progress_show(sbz_progress *progress, uint64_t finished, uint64_t written);
/* Erases the line. */
void sbz_progress_end(void);

#endif
