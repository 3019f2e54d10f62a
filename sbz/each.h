/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Work on the parts of a batch, by several threads.
 */
#ifndef SBZ_EACH_H
#define SBZ_EACH_H

#include <stddef.h>

/* Calls `work` for each number below `count`, in any order and from any thread, and returns when all is done. */
void sbz_each(size_t count, void (*work)(void *with, size_t i), void *with);

#endif
