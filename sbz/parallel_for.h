/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads, and work on the parts of a batch by several of them.
 */
#ifndef SBZ_PARALLEL_FOR_H
#define SBZ_PARALLEL_FOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Those that work now: at least one. */
size_t sbz_cores(void);
/* A thread to which no signal comes. False: the system gives none. */
bool sbz_thread_begin(pthread_t *thread, void *(*work)(void *with), void *with);
/* Calls `work` for each number below `count`, in any order and from any thread, and returns when all is done. */
void sbz_parallel_for(size_t count, void (*work)(void *with, size_t i), void *with);

#endif
