/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads, and loops whose iterations run on several of them.
 */
#ifndef SBZ_PARALLEL_FOR_H
#define SBZ_PARALLEL_FOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts a thread that has all signals blocked. False: the system gives none. */
bool sbz_thread_begin(pthread_t *thread, void *(*work)(void *with), void *with);
/* Calls `work` once for each i below `count`, in any order, from several threads, and returns when all calls have. May
 * be called from several threads at once. While the share is 1, as it is in programs that use the library, the calling
 * thread runs all iterations, because helpers outlive the call. */
void sbz_parallel_for(size_t count, void (*work)(void *with, size_t i), void *with);

/* The same, but other threads run iterations only while fewer threads work than the share: the callers, which say so by
 * sbz_parallel_work, and those that help them. So a loop inside the work of one thread does not slow down the others, and
 * threads that have nothing left to do help those that have. */
void sbz_parallel_for_idle(size_t count, void (*work)(void *with, size_t i), void *with);
/* Sets the share. It is 1 at first, so the calling thread runs all iterations. */
void sbz_parallel_share(size_t threads);
/* The share: a loop of more iterations at a time is in vain. */
size_t sbz_parallel_threads(void);
/* How many threads would take iterations of sbz_parallel_for_idle now: the caller, and those that have nothing to do. */
size_t sbz_parallel_available(void);
/* The calling thread begins, or ends, work that counts. */
void sbz_parallel_work(bool begins);

#endif
