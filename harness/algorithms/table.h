/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of algorithms. build-aux/make-table generates it from the list ALGORITHMS in Makefile.am.
 */
#ifndef HARNESS_ALGORITHMS_TABLE_H
#define HARNESS_ALGORITHMS_TABLE_H

#include "../../common/algorithm.h"

/* The algorithm at this index of the list; NULL past the last. */
const sb_algorithm *sb_algorithm_at(size_t index);

/* The algorithm of this name, or NULL. */
const sb_algorithm *sb_algorithm_find(const char *name);

#endif
