/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The lock of the machine: host threads, one after the other.
 */
#ifndef SIMT_LOCK_H
#define SIMT_LOCK_H

#include "machine.h"

#pragma GCC visibility push(hidden)

extern bool simt_pages_stale; /* what the host may access has changed: the call's end asks simt_up.end_of_call */

void simt_lock(void);
void simt_unlock(void);
void simt_end_call(const int *call);
unsigned simt_lock_depth(void);
void simt_set_lock_depth(unsigned before);
unsigned simt_release_lock(void);
void simt_retake_lock(unsigned before);

/* The first declaration of each runtime call: takes the lock until the function returns. */
#define SIMT_CALL __attribute__((cleanup(simt_end_call), unused)) const int simt_call = (simt_lock(), 0)

#pragma GCC visibility pop

#endif
