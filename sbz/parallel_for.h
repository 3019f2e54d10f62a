/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads, and loops whose iterations run on several of them.
 */
#ifndef SBZ_PARALLEL_FOR_H
#define SBZ_PARALLEL_FOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Processors that are online, at least 1. */
size_t sbz_cores(void);
/* Starts a thread that has all signals blocked. False: the system gives none. */
bool sbz_thread_begin(pthread_t *thread, void *(*work)(void *with), void *with);
/* Calls `work` once for each i below `count`, in any order, from several threads, and returns when all calls have. May
 * be called from several threads at once. */
void sbz_parallel_for(size_t count, void (*work)(void *with, size_t i), void *with);

#endif
