/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the machine's memory share: memory.c, heap.c, shared.c and describe.c.
 */
#ifndef SIMT_MEMORY_PRIVATE_H
#define SIMT_MEMORY_PRIVATE_H

#include "memory.h"

#pragma GCC visibility push(hidden)

/* Bytes of an arena that are mapped: 227 KiB of shared memory, alignment and redzones. What follows faults. */
enum { SIMT_ARENA_USED = 512 << 10 };

static const uint64_t SIMT_CANARY = 0xfdc3a5fd96e7b1c5; /* arbitrary; no byte is 0 */

/* --- memory.c: fill patterns */

void simt_paint(char *memory, size_t size, uint64_t pattern);
void simt_fill_lazily(void *memory, size_t size);                          /* as simt_fill */
void simt_set_state_lazily(uintptr_t address, size_t size, uint8_t state); /* as simt_set_state */
size_t simt_unlike(const char *memory, size_t size, uint64_t pattern);     /* the first offset that differs, or size */

/* --- element.c */

typedef struct simt_named {
    const char *name;
    uintptr_t start, size;
    bool sized; /* the name includes the size */
} simt_named;

void simt_describe_within(const simt_named *n, uintptr_t address, size_t element, char *text, size_t size);

/* --- shared.c */

void simt_describe_shared(uintptr_t address, size_t element, char *text, size_t size);

#pragma GCC visibility pop

#endif
