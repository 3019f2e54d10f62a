/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two accesses that race.
 */
#ifndef SIMT_PAIR_H
#define SIMT_PAIR_H

#include "cells.h"

#pragma GCC visibility push(hidden)

void simt_pairs_launch(void);
void simt_pair_report(simt_cell recorded, uintptr_t address, size_t size, unsigned kind, const void *place,
                      unsigned bytes);

#pragma GCC visibility pop

#endif
