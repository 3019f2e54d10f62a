/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Origins: contract in origin.h.
 */
#include "origin.h"

#include <string.h>

enum { PROBES = 8 }; /* entries that are tried for a new origin; not tuned */

uint64_t simt_origin_keys[SIMT_ORIGINS];
uint32_t simt_origins_before[SIMT_ORIGINS];
unsigned simt_origins_made;

uint32_t simt_origin_add(uint64_t key, uint32_t before)
{
    uint32_t hash = origin_hash(key, before);

    for (unsigned i = 0; i < PROBES; i++) {
        uint32_t at = (hash + i) & (SIMT_ORIGINS - 1);

        if (simt_origin_keys[at] == key && simt_origins_before[at] == before)
            return at;
        if (simt_origin_keys[at] || !at)
            continue;
        simt_origin_keys[at] = key;
        simt_origins_before[at] = before;
        simt_origins_made++;
        return at;
    }
    return 0;
}

/* The newest link that has one of the bytes. */
const void *simt_origin_place(uint64_t word, unsigned bytes)
{
    uint32_t at = word & (SIMT_ORIGINS - 1);

    while (at && !((simt_origin_keys[at] >> PLACE_BITS ^ ALL_BYTES) & bytes))
        at = simt_origins_before[at];
    return (const void *)(uintptr_t)(simt_origin_keys[at] & (((uint64_t)1 << PLACE_BITS) - 1));
}

void simt_origins_reset(void)
{
    memset(simt_origin_keys, 0, sizeof simt_origin_keys);
    memset(simt_origins_before, 0, sizeof simt_origins_before);
    simt_origins_made = 0;
}
