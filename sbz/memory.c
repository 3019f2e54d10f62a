/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory that blocks need: contract in memory.h.
 */
#include "memory.h"
#include "codec.h"

/* Half as many slots again as threads, so that blocks are read and written while all threads work. */
size_t sbz_memory_slots(size_t threads)
{
    return threads * 3 / 2 + 2;
}

/* Each slot holds a text and a payload; the window of the reader is up to twice as large as a payload. */
uint64_t sbz_memory_need_of(const sbz_block *block, size_t threads)
{
    return threads * sbz_decode_memory(block) +
           sbz_memory_slots(threads) * ((uint64_t)block->original + block->encoded) + 2 * (uint64_t)block->encoded;
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
