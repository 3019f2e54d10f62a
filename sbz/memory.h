/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How much memory there is, and how much blocks need: the numbers behind --memlimit and sbz_parameters.memory.
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
/* Of so many bytes, those that the reader leaves to blocks and to what works on them. */
uint64_t sbz_memory_jobs(uint32_t limit, uint64_t bytes);
/* The memory of the computer; UINT64_MAX: unknown. */
uint64_t sbz_physical_memory(void);
/* The number of blocks in memory while so many threads of the CPU work. */
size_t sbz_memory_slots(size_t threads);
/* Of so many bytes, those that the texts and payloads of all these blocks may take, so that threads can decode the largest.
 * UINT64_MAX: the largest blocks fit into all slots. */
uint64_t sbz_memory_space(uint32_t limit, size_t threads, uint64_t bytes);

#endif
