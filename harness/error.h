/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How the judge reports errors. A function that can fail returns false, and writes into `error` what is wrong with which
 * file, case or byte. Only commands print, by these two functions.
 */
#ifndef HARNESS_ERROR_H
#define HARNESS_ERROR_H

/* Exit statuses of every subcommand. SB_EXIT_ERROR: a wrong command line, or an environment in which it cannot run. */
enum { SB_EXIT_EQUAL = 0, SB_EXIT_WRONG = 1, SB_EXIT_ERROR = 2, SB_EXIT_NOTHING = 3 };

/* Print "samebits: ..." on stderr and return SB_EXIT_ERROR: for a wrong command line, and for everything else (a file, a
 * module, memory). */
int sb_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sb_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
