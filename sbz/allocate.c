/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of libsbz: contract in allocate.h.
 *
 * An allocator need not know how large its pieces are, so each piece has its size in front. That takes as many bytes as malloc
 * aligns to.
 */
#include "allocate.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef union head {
    size_t size;
    max_align_t alignment;
} head;

static _Thread_local sbz_allocator current;

sbz_allocator sbz_use_allocator(sbz_allocator allocator)
{
    const sbz_allocator before = current;

    current = allocator;
    return before;
}

bool sbz_has_allocator(void)
{
    return current.allocate != NULL;
}

void *sbz_malloc(size_t size)
{
    head *piece;

    if (current.allocate == NULL)
        return malloc(size);
    piece = size <= SIZE_MAX - sizeof *piece ? current.allocate(current.with, sizeof *piece + size) : NULL;
    if (piece == NULL)
        return NULL;
    piece->size = size;
    return piece + 1;
}

void *sbz_calloc(size_t count, size_t size)
{
    void *memory;

    if (current.allocate == NULL)
        return calloc(count, size);
    memory = size == 0 || count <= SIZE_MAX / size ? sbz_malloc(count * size) : NULL;
    if (memory != NULL)
        memset(memory, 0, count * size);
    return memory;
}

void *sbz_realloc(void *memory, size_t size)
{
    void *grown;

    if (current.allocate == NULL)
        return realloc(memory, size);
    grown = sbz_malloc(size);
    if (grown == NULL || memory == NULL)
        return grown;
    const size_t kept = ((head *)memory - 1)->size;

    memcpy(grown, memory, kept < size ? kept : size);
    sbz_free(memory);
    return grown;
}

void sbz_free(void *memory)
{
    if (current.allocate == NULL)
        free(memory);
    else if (memory != NULL)
        current.release(current.with, (head *)memory - 1);
}
