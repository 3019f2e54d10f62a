/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What sbz says on standard error, the status that it will exit with, and the progress line. Called from one thread.
 */
#ifndef SBZ_REPORT_H
#define SBZ_REPORT_H

#include <stdbool.h>
#include <stdint.h>

/* A larger one wins over a smaller one. */
typedef enum sbz_exit {
    SBZ_EXIT_DONE = 0,
    SBZ_EXIT_FAILED = 1, /* usage, files, memory, devices; also a file that was skipped */
    SBZ_EXIT_DAMAGED = 2 /* compressed data are damaged, or none */
} sbz_exit;

/* quiet 1: no warnings, 2: no errors either. Both still count for the status. */
void sbz_report_begin(unsigned quiet);
sbz_exit sbz_report_status(void);

/* Prints "sbz: ", the text and a line feed, keeps the status, returns false. */
bool sbz_fail(sbz_exit status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for what need not stop anybody: a file that is skipped. */
bool sbz_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Information that was asked for: printed as it is. */
void sbz_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The progress of a file: a line on the terminal once the work has taken a second. */
typedef struct sbz_progress {
    const char *name;
    uint64_t total; /* bytes that will be read; 0: unknown */
    bool wanted;
    double started, shown;
} sbz_progress;

void sbz_progress_begin(sbz_progress *progress, const char *name, uint64_t total, bool wanted);
void sbz_progress_show(sbz_progress *progress, uint64_t read, uint64_t written);
/* Takes the line away. */
void sbz_progress_end(void);

#endif
