/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contracts whose reference is a process: --contract-exec=COMMAND.
 */
#ifndef HARNESS_FOREIGN_H
#define HARNESS_FOREIGN_H

#include "declaration.h"

/* Starts the command, and reads what it declares. Its contracts have `reference` and `cost` set. A run of a reference takes up to
 * `limit` seconds; one that fails is SB_FAILED. They stay until sb_foreign_stop. NULL: `error` says why. */
const sb_declaration *sb_foreign_load(const char *command, double limit, char *error, size_t size);

/* Ends the processes of all commands. Nothing may use their contracts any more. */
void sb_foreign_stop(void);

#endif
