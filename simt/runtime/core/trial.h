/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trial is a copy of the process, made by fork, that goes on in another way than the process does, to see what comes of it.
 */
#ifndef SIMT_TRIAL_H
#define SIMT_TRIAL_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

extern bool simt_is_trial;

/* This process is one: it prints nothing, has no findings, and ends with its parent, or after so many seconds. */
void simt_begin_trial(unsigned seconds);

#pragma GCC visibility pop

#endif
