/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One allocation for the texts of all slots. The texts are adjacent, so one copy to or from a device transfers the
 * texts of adjacent slots. The allocation uses large pages, because the first access to a small page takes longer than
 * its copy. It is pinned if the device can pin memory.
 *
 * To prefault a page is to touch it before it is used, so that the first writer does not wait for a page fault.
 */
#ifndef SBZ_SLAB_H
#define SBZ_SLAB_H

#include "codec.h"
#include <pthread.h>
#include <stdatomic.h>

/* Max threads that prefault. One thread needs 17 ms for 64 MiB, four need 3 ms (measured with 16 cores). */
enum { SBZ_SLAB_THREADS = 4 };

typedef struct sbz_slab {
    uint8_t *memory;
    size_t bytes, text; /* size of the memory; size of the text of a slot */
    bool pinned;
    atomic_size_t prefaulted; /* bytes that are prefaulted, or about to be */
    pthread_t thread[SBZ_SLAB_THREADS];
    size_t threads; /* running; 0 on fewer than 4 cores */
} sbz_slab;

/* Sets the capacity to `texts` texts of `text` bytes. The contents are lost. If the memory is pinned, `codec` must be
 * of the device that pinned it. False: out of memory, and the slab is empty. */
bool sbz_slab_resize(sbz_slab *slab, size_t text, size_t texts, const sbz_codec *codec);
void sbz_slab_free(sbz_slab *slab, const sbz_codec *codec);
/* The memory of a slot. */
void *sbz_slab_text(const sbz_slab *slab, size_t slot);
/* Prefaults the memory of `texts` texts from a slot on. */
void sbz_slab_prefault_texts(const sbz_slab *slab, size_t slot, size_t texts);
/* Starts threads that prefault all memory from its start on. Texts may be used meanwhile. The threads have a pointer
 * to the slab, so it must not move until sbz_slab_pin or sbz_slab_stop_prefault has returned. */
void sbz_slab_prefault(sbz_slab *slab);
/* Stops these threads. */
void sbz_slab_stop_prefault(sbz_slab *slab);
/* Waits for these threads, then pins the memory unless it is pinned. Call it before the device works, because pinning
 * is slow meanwhile. If the device cannot pin memory, copies are slower. */
void sbz_slab_pin(sbz_slab *slab, const sbz_codec *codec);

#endif
