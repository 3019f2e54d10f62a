/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One allocation for the texts of all slots, side by side, so that texts of neighbouring slots are one copy to or from
 * a device. It uses large pages, because the first access to each small page takes longer than the copy, and it is
 * pinned if the device can do that.
 *
 * Prefaulting means touching pages before they are used, so that the first writer does not fault on them.
 */
#ifndef SBZ_SLAB_H
#define SBZ_SLAB_H

#include "codec.h"
#include <pthread.h>
#include <stdatomic.h>

/* Threads that prefault. One takes 17 ms for 64 MiB, four take 3 ms (measured with 16 cores). */
enum { SBZ_SLAB_THREADS = 4 };

typedef struct sbz_slab {
    uint8_t *memory;
    size_t bytes, text;
    bool pinned;
    atomic_size_t prefaulted; /* bytes that are prefaulted, or about to be */
    pthread_t thread[SBZ_SLAB_THREADS];
    size_t threads; /* that are prefaulting; none on few cores */
} sbz_slab;

/* Makes the capacity `texts` texts of `text` bytes; the contents are lost. `codec` is one of the device that pinned the
 * memory, if one did. False: out of memory, and the slab is empty. */
bool sbz_slab_resize(sbz_slab *slab, size_t text, size_t texts, const sbz_codec *codec);
void sbz_slab_free(sbz_slab *slab, const sbz_codec *codec);
/* The memory of a slot. */
void *sbz_slab_text(const sbz_slab *slab, size_t slot);
/* Prefaults the memory of `texts` texts from a slot on. */
void sbz_slab_prefault_texts(const sbz_slab *slab, size_t slot, size_t texts);
/* Starts threads that prefault all of the memory, from the front on; texts may be used meanwhile. The threads
 * hold a pointer to the slab, so it must not move until sbz_slab_pin or sbz_slab_stop_prefault has returned. */
void sbz_slab_prefault(sbz_slab *slab);
/* Stops these threads. */
void sbz_slab_stop_prefault(sbz_slab *slab);
/* Waits for these threads and pins the memory, once. To be called before the device works, since pinning is slow while
 * it does. If the device cannot pin, copies are only slower. */
void sbz_slab_pin(sbz_slab *slab, const sbz_codec *codec);

#endif
