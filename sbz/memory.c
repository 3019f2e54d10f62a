/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of blocks and of the computer: contract in memory.h.
 */
#include "memory.h"
#include "codec.h"
#include <unistd.h>

/* Half as many of the largest blocks again as threads, so that they are read and written while all threads work. */
static size_t min_slots(size_t threads)
{
    return threads * 3 / 2 + 2;
}

/* Slots for each of several threads. Blocks are written in order and differ in size, so behind a long one many short ones wait.
 * With 16 threads 256 MiB of headers and Python take 1.4 s instead of 2.0 at -6. More than 5 gain nothing there. */
enum { SLOTS_OF_THREAD = 5 };

size_t sbz_memory_slots(size_t threads)
{
    return threads > 1 ? SLOTS_OF_THREAD * threads + 2 : min_slots(threads);
}

/* Each slot holds a text and a payload; the window of the reader is up to twice as large as a payload. */
uint64_t sbz_memory_need_of(const sbz_block *block, size_t threads)
{
    return threads * sbz_decode_memory(block) + min_slots(threads) * ((uint64_t)block->original + block->encoded) +
           2 * (uint64_t)block->encoded;
}

uint64_t sbz_memory_need(const sbz_block *block)
{
    return sbz_memory_need_of(block, 1);
}

uint64_t sbz_memory_need_of_limit(uint32_t limit, size_t threads)
{
    const sbz_block largest = sbz_largest_block(limit);

    return sbz_memory_need_of(&largest, threads);
}

size_t sbz_memory_threads(uint32_t limit, size_t threads, uint64_t bytes)
{
    while (threads > 1 && sbz_memory_need_of_limit(limit, threads) > bytes)
        threads--;
    return threads;
}

uint64_t sbz_memory_space(uint32_t limit, size_t threads, uint64_t bytes)
{
    const sbz_block largest = sbz_largest_block(limit);
    const uint64_t one = (uint64_t)largest.original + largest.encoded, need = sbz_memory_need_of(&largest, threads);
    const uint64_t space = min_slots(threads) * one + (bytes > need ? bytes - need : 0);

    return space / sbz_memory_slots(threads) >= one ? UINT64_MAX : space;
}

/* A payload that waits, and the window. */
uint64_t sbz_memory_jobs(uint32_t limit, uint64_t bytes)
{
    const uint64_t reader = 3 * (uint64_t)limit;

    return bytes > reader ? bytes - reader : 0;
}

uint64_t sbz_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}
