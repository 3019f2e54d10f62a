/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Origins: the places in the code at which the accesses of a cell were made. One cell may stand for accesses of several
 * lines, each to some of its four bytes. So an origin is a link of a list: a place in the code, the bytes that were
 * accessed there, and the origin before it. Equal links are stored once, in a hash table; a cell holds the index of its
 * newest link.
 *
 * Index 0 is no origin. When the table is full, a cell keeps the origin it has, and its finding names one place only.
 * The table takes 1 MiB.
 */
#ifndef SIMT_ORIGIN_H
#define SIMT_ORIGIN_H

#include "detect.h"

#pragma GCC visibility push(hidden)

enum {
    SIMT_ORIGINS = 1 << SIMT_ORIGIN_BITS, /* entries: as many as a cell can name */
    PLACE_BITS = 48                       /* user addresses of x86-64 have 47 bits; the bytes stand above */
};

extern struct simt_origin {
    uint64_t place;  /* code address, and above it which of the four bytes; 0: free */
    uint32_t before; /* index of the origin before this one */
} simt_origins[SIMT_ORIGINS];

extern unsigned simt_origins_made;

uint32_t simt_origin_add(uint64_t key, uint32_t before);      /* 0: the table is full */
const void *simt_origin_place(uint64_t word, unsigned bytes); /* of the newest access to one of the bytes, or NULL */
void simt_origins_reset(void);

static inline uint64_t origin_hash(uint64_t key, uint32_t before)
{
    return (key ^ (uint64_t)before << 20) * 0x9e3779b97f4a7c15u >> 40;
}

static inline uint64_t simt_origin_key(unsigned bytes, const void *place)
{
    return (uint64_t)(uintptr_t)place ^ (uint64_t)bytes << PLACE_BITS;
}

static inline uint32_t simt_origin_after(uint32_t before, unsigned bytes, const void *place)
{
    uint64_t key = simt_origin_key(bytes, place);
    uint32_t at = origin_hash(key, before) & (SIMT_ORIGINS - 1);

    if (__builtin_expect(simt_origins[at].place == key && simt_origins[at].before == before, 1))
        return at;
    return simt_origin_add(key, before);
}

#pragma GCC visibility pop

#endif
