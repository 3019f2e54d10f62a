/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Origins: the places in the code at which the accesses of a cell were made. One cell may stand for accesses of several
 * lines, each to some of its four bytes. So an origin is a link of a list: a place in the code, the bytes that were
 * accessed there, and the origin before it. Equal links are stored once, in a hash table; a cell holds the index of its
 * newest link.
 *
 * Index 0 is no origin. When the table is full, a cell keeps the origin it has, and its finding names one place only.
 * The table takes 768 KiB.
 */
#ifndef SIMT_ORIGIN_H
#define SIMT_ORIGIN_H

#include "cell.h"

#pragma GCC visibility push(hidden)

enum {
    SIMT_ORIGINS = 1 << SIMT_ORIGIN_BITS, /* entries: as many as a cell can name */
    PLACE_BITS = 48                       /* user addresses of x86-64 have 47 bits; the bytes stand above */
};

/* The key of an origin is its place in the code, and above it, inverted, which of the four bytes; so the key of one that is the first
 * for a whole word, the most frequent, is the place itself. Another bit says that there is an origin before it. */
static const uint64_t SIMT_NOT_FIRST = (uint64_t)1 << 63;

extern uint64_t simt_origin_keys[SIMT_ORIGINS];    /* 0: free */
extern uint32_t simt_origins_before[SIMT_ORIGINS]; /* index of the origin before this one */

extern unsigned simt_origins_made;

uint32_t simt_origin_add(uint64_t key, uint32_t before);      /* 0: the table is full */
const void *simt_origin_place(uint64_t word, unsigned bytes); /* of the newest access to one of the bytes, or NULL */
void simt_origins_reset(void);

static inline uint32_t origin_hash(uint64_t key, uint32_t before)
{
    return (key ^ (uint64_t)before << 20) * 0x9e3779b97f4a7c15u >> (64 - SIMT_ORIGIN_BITS);
}

static inline uint64_t simt_origin_key(unsigned bytes, const void *place)
{
    return (uint64_t)(uintptr_t)place | (uint64_t)(bytes ^ ALL_BYTES) << PLACE_BITS;
}

/* The key of an origin, whatever is before it. */
static inline uint64_t simt_key_of_origin(uint32_t origin)
{
    return simt_origin_keys[origin] & ~SIMT_NOT_FIRST;
}

static inline uint32_t simt_origin_after(uint32_t before, unsigned bytes, const void *place)
{
    uint64_t key = simt_origin_key(bytes, place) | (before ? SIMT_NOT_FIRST : 0);
    uint32_t at = origin_hash(key, before);

    if (__builtin_expect(simt_origin_keys[at] == key && simt_origins_before[at] == before, 1))
        return at;
    return simt_origin_add(key, before);
}

#pragma GCC visibility pop

#endif
