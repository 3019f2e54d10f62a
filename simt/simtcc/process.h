/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Child programs and temporary files. Programs are started directly, never through a shell. Temporary files are
 * removed at the end, on failure, and on the signals that end a program.
 */
#ifndef SIMTCC_PROCESS_H
#define SIMTCC_PROCESS_H

#include "text.h"

/* Must be called first, once. */
void cc_process_start(void);

/* Runs the program `command`, which is searched in PATH, and waits. Its standard output is appended to `output`, its messages
 * to `messages` (NULL: they go to simtcc's own). Returns its exit status; 128 + n if signal n ended it; 127, with a message, if it could not
 * be started. */
int cc_run(const cc_words *command, cc_text *output, cc_text *messages);

/* A new temporary file name that ends in `suffix`, valid to the end of the program. */
const char *cc_temporary(const char *suffix);
void cc_remove_temporaries(void);

#endif
