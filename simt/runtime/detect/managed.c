/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Managed memory: what of it has the host written? Its code is not instrumented, but new memory holds the pattern of
 * the seed. What still
 * holds it where no kernel and no copy has written was not written by the host either. This is asked 16 bytes at a time, so that
 * padding which the host's assignment of a structure leaves out is no finding, and of at least 4 bytes: the host's value is the
 * pattern by chance once in 2^32 at most.
 */
#include "detect.h"

#include "../memory/memory.h"

enum {
    LINE = 16,   /* bytes that count as written together: the largest vector is as long */
    PART = 4096, /* bytes that are looked at together: most arrays take the long way once in 1024 words */
    FEW = 4,     /* bytes of a line: fewer may be the pattern by chance */
};

/* Of the bytes that nothing is known to have written, is at least one unlike the pattern? Too few of them may be like it by chance. */
static bool line_was_written(uintptr_t line, size_t size, uint64_t pattern)
{
    const uint8_t *shadow = simt_shadow + (line - simt_base);
    size_t asked = 0;

    for (size_t i = 0; i < size; i++) {
        if (shadow[i] & INITIALISED)
            continue;
        if (*(const uint8_t *)(line + i) != (uint8_t)(pattern >> 8 * ((line + i) & 7)))
            return true;
        asked++;
    }
    return asked < FEW;
}

/* Marks what the host has written, of these bytes and their neighbours. */
bool simt_host_wrote(uintptr_t address, size_t size)
{
    const allocation *a = simt_host_shares && simt_shadow ? simt_allocation_at(address) : NULL;
    uint64_t pattern = simt_poison();
    uintptr_t begin, end;

    if (!a || a->kind != MANAGED_MEMORY || address < a->start || address + size > a->start + a->size)
        return false;
    begin = address & ~(uintptr_t)(PART - 1);
    end = (address + size + PART - 1) & ~(uintptr_t)(PART - 1);
    if (begin < a->start)
        begin = a->start;
    if (end > a->start + a->size)
        end = a->start + a->size;
    for (uintptr_t line = begin, next; line < end; line = next) {
        next = (line | (LINE - 1)) + 1;
        if (next > end)
            next = end;
        if (line_was_written(line, next - line, pattern))
            for (uintptr_t i = line; i < next; i++)
                simt_shadow[i - simt_base] |= INITIALISED;
    }
    return true;
}
