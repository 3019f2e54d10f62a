/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Other programs and temporary files. Programs are started directly, never through a shell; temporary files are removed
 * at the end, on failure and on the signals that end a program.
 */
#ifndef SIMTCC_PROCESS_H
#define SIMTCC_PROCESS_H

#include "text.h"

/* Call once, first. */
void cc_process_start(void);

/* Runs the program `command` (searched in PATH) and waits. `input` is what it reads from standard input (NULL: what
 * simtcc has); its standard output is added to `output` (NULL: goes where simtcc's goes). Both at once are not
 * supported. Returns its exit status; 128 + n when signal n ended it; 127, with a message, when it could not be
 * started. */
int cc_run(const cc_words *command, const cc_text *input, cc_text *output);

/* A new temporary file name that ends in `suffix`, valid to the end of the program. */
const char *cc_temporary(const char *suffix);
void cc_remove_temporaries(void);

#endif
