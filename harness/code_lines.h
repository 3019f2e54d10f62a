/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lines of a candidate's source, for findings of a worker that may start no process to look for them.
 */
#ifndef HARNESS_CODE_LINES_H
#define HARNESS_CODE_LINES_H

#include <stddef.h>

/* Puts FILE:LINE, of a file that --source names, in place of each code+0xOFFSET:0 in the text, by addr2line in a sandbox, which sees the module
 * alone. Where that finds none, the text stays. */
void sb_code_lines(const char *module, char *text, size_t size);

#endif
