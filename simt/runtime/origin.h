/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Origins.
 */
#ifndef SIMT_ORIGIN_H
#define SIMT_ORIGIN_H

#include "machine.h"

#pragma GCC visibility push(hidden)

enum { SIMT_ORIGINS = 1 << SIMT_ORIGIN_BITS, PLACE_BITS = 48 };

extern struct simt_origin {
    uint64_t place; /* and above it which bytes */
    uint32_t before;
} simt_origins[SIMT_ORIGINS];

extern unsigned simt_origins_made;

uint32_t simt_origin_add(uint64_t key, uint32_t before);
const void *simt_origin_place(uint64_t word, unsigned bytes);
void simt_origins_reset(void);

static inline uint64_t origin_hash(uint64_t key, uint32_t before)
{
    return (key ^ (uint64_t)before << 20) * 0x9e3779b97f4a7c15u >> 40;
}

static inline uint64_t simt_origin_key(unsigned bytes, const void *place)
{
    return (uint64_t)(uintptr_t)place ^ (uint64_t)bytes << PLACE_BITS; /* user addresses have 47 bits */
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
