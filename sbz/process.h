/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The process of sbz: its signals and its standard streams.
 */
#ifndef SBZ_PROCESS_H
#define SBZ_PROCESS_H

#include <stdbool.h>

/* To be called first. Installs handlers for the signals that end the program, except those that are ignored. Opens
 * /dev/null for standard streams that are closed, so that no file gets their descriptors, and remembers which were. */
void sbz_process_begin(void);
/* False: standard input, or output, was closed when the program began, and that is reported. */
bool sbz_process_can_read(void);
bool sbz_process_can_write(void);
/* Closes a descriptor, unless it is that of a standard stream, and sets it to -1. */
void sbz_process_close(int *descriptor);

/* Block and unblock these signals; calls do not nest. Threads that are started in between keep them blocked. */
void sbz_signals_hold(void);
void sbz_signals_release(void);
/* The file that a signal removes from now on; NULL: none. To be called while signals are held. Returns the one before. */
const char *sbz_process_unfinished(const char *path);

#endif
