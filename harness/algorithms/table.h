/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of algorithms: the built-in ones, and behind them those of contract modules. build-aux/make-table generates the former
 * from the list ALGORITHMS in Makefile.am.
 */
#ifndef HARNESS_ALGORITHMS_TABLE_H
#define HARNESS_ALGORITHMS_TABLE_H

#include "../../common/algorithm.h"

/* What to do about an algorithm that there is not, for the end of a message. */
#define SB_UNKNOWN_HINT "see samebits list; --contract=FILE brings algorithms that are not built in"

/* The algorithm at this index of the list; NULL past the last. */
const sb_algorithm *sb_algorithm_at(size_t index);

/* The same of the list ALGORITHMS alone. */
const sb_algorithm *sb_built_in_at(size_t index);

/* The algorithm of this name, or NULL. */
const sb_algorithm *sb_algorithm_find(const char *name);

/* Adds an algorithm, whose name no other has, and the directory of its contract module, which has its worked cases in the file
 * NAME.cases, if there are any. Before threads start. False: out of memory. */
bool sb_algorithm_add(const sb_algorithm *algorithm, const char *folder);

/* That directory; NULL for a built-in algorithm. */
const char *sb_algorithm_folder(const sb_algorithm *algorithm);

#endif
