/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the end of a thread means to barriers and warp operations.
 */
#ifndef SIMT_SYNC_H
#define SIMT_SYNC_H

#include "../core/machine.h"

#pragma GCC visibility push(hidden)

/* --- barrier.c */

void simt_barrier_after_exit(block *b);

/* --- named_barrier.c */

bool simt_named_after_exit(block *b);
bool simt_report_named(const block *b);

/* --- collective.c */

void simt_lane_exits(warp *w, uint32_t lane_bit);
bool simt_report_waiting_group(const block *b);

/* --- deadlock.c */

void simt_report_deadlock(void);

#pragma GCC visibility pop

#endif
