/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two accesses that race.
 */
#ifndef SIMT_PAIR_H
#define SIMT_PAIR_H

#include "actor.h"

#pragma GCC visibility push(hidden)

/* Of a cell of that launch: which thread made the access. */
void simt_launched_thread(const simt_launched *l, simt_cell word, uint3 *in_block, uint3 *by);

void simt_pairs_launch(void);
void simt_pair_report(simt_cell recorded, uintptr_t address, size_t size, unsigned kind, const void *place,
                      unsigned bytes);

#pragma GCC visibility pop

#endif
