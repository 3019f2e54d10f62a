/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of libsbz. A thread takes it from the allocator of the stream that it works for, which sbz.h describes, and from malloc
 * where there is none. What was taken from an allocator goes back to the same one: so each function of sbz.h uses that of its
 * stream from its beginning to its end, and so do the threads that it begins.
 */
#ifndef SBZ_ALLOCATE_H
#define SBZ_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sbz_allocator {
    void *(*allocate)(void *with, size_t size); /* NULL: malloc */
    void (*release)(void *with, void *memory);
    void *with;
} sbz_allocator;

/* Sets the allocator of this thread, and returns the one before. */
sbz_allocator sbz_use_allocator(sbz_allocator allocator);
/* True if it is not malloc. */
bool sbz_has_allocator(void);

/* As those of the C library. */
void *sbz_malloc(size_t size);
void *sbz_calloc(size_t count, size_t size);
void *sbz_realloc(void *memory, size_t size);
void sbz_free(void *memory);

#endif
