/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Watched memory: bytes that something asynchronous uses, so that an access of a kernel must be looked at: the two ends of a copy
 * that nobody has waited for, a barrier in memory. In the checking build only, and in the reserved range only.
 *
 * A watched byte is not ACCESSIBLE, so every access to it takes the way of an access out of bounds, and memory that nobody
 * watches costs nothing. Whoever watches is found by the granule in which the access lies.
 */
#include "detect.h"

#include "../core/tags.h"
#include "../memory/memory.h"

enum {
    BUCKETS = 4096, /* not tuned: 1024 threads of a block with 4 pending copies each fill every one once */
    GRANULE = SIMT_WATCHED_BYTES
};

static simt_watch *buckets[BUCKETS];

static simt_watch **bucket_of(uintptr_t address)
{
    return &buckets[address / GRANULE % BUCKETS];
}

static bool overlaps(const simt_watch *w, uintptr_t address, size_t size)
{
    return w->address < address + size && address < w->address + w->size;
}

void simt_watch_add(simt_watch *w)
{
    simt_watch **bucket = bucket_of(w->address);
    uint8_t *shadow = simt_shadow + (w->address - simt_base);

    w->watching = simt_shadow && w->address - simt_base < simt_size;
    if (!w->watching)
        return;
    simt_expire_tags();
    simt_pages_change(w->address, w->size);
    w->next = *bucket;
    *bucket = w;
    for (size_t i = 0; i < w->size; i++)
        shadow[i] = (uint8_t)((shadow[i] & ~ACCESSIBLE) | WATCHED_BYTE);
}

static bool is_watched(uintptr_t address)
{
    for (const simt_watch *w = *bucket_of(address); w; w = w->next)
        if (overlaps(w, address, 1))
            return true;
    return false;
}

void simt_watch_remove(simt_watch *w)
{
    simt_watch **link = bucket_of(w->address);

    if (!w->watching)
        return;
    w->watching = false;
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
    for (uintptr_t at = w->address; at < w->address + w->size; at++) {
        uint8_t *state = simt_shadow + (at - simt_base);

        if (*state & WATCHED_BYTE && !is_watched(at))
            *state = (uint8_t)((*state & ~WATCHED_BYTE) | ACCESSIBLE);
    }
}

/* An access to bytes that are not all accessible. False: some of them are not watched either. */
bool simt_watched(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    const uint8_t *shadow = simt_shadow + (address - simt_base);

    for (size_t i = 0; i < size; i++)
        if (!(shadow[i] & (ACCESSIBLE | WATCHED_BYTE)))
            return false;
    for (uintptr_t at = address / GRANULE * GRANULE; at < address + size; at += GRANULE)
        for (simt_watch *w = *bucket_of(at), *next; w; w = next) {
            next = w->next;
            if (w->address / GRANULE == at / GRANULE && overlaps(w, address, size))
                w->touched(w, kind, place);
        }
    return true;
}
