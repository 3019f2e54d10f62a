/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How much memory blocks need: the numbers behind --memlimit and sbz_parameters.memory.
 */
#ifndef SBZ_MEMORY_H
#define SBZ_MEMORY_H

#include "format.h"

/* Bytes that decoding such blocks takes: by one thread, and by several. */
uint64_t sbz_memory_need(const sbz_block *block);
uint64_t sbz_memory_need_of(const sbz_block *block, size_t threads);
/* Bytes that any block of this limit takes; encoding takes no more than decoding the largest. */
uint64_t sbz_memory_need_of_limit(uint32_t limit, size_t threads);
/* The number of threads, at least 1, at most `threads`, that get along with so many bytes. */
size_t sbz_memory_threads(uint32_t limit, size_t threads, uint64_t bytes);
/* The number of blocks in memory while so many threads of the CPU work: more than they need, where so many bytes allow it. */
size_t sbz_memory_slots(uint32_t limit, size_t threads, uint64_t bytes);

#endif
