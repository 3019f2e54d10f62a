/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One piece of memory for the texts of all slots, side by side: texts of neighbouring slots are then one copy from or
 * to a device. In large pages, for a first touch costs more than the copy; and pinned where the device can.
 */
#ifndef SBZ_SLAB_H
#define SBZ_SLAB_H

#include "codec.h"
#include <pthread.h>
#include <stdatomic.h>

enum { SBZ_SLAB_THREADS = 4 };

typedef struct sbz_slab {
    uint8_t *memory;
    size_t bytes, text;
    bool pinned;
    atomic_size_t touched; /* bytes of it, or soon */
    pthread_t thread[SBZ_SLAB_THREADS];
    size_t threads; /* that touch more; on few cores none */
} sbz_slab;

/* Room for so many texts of so many bytes; false: there is not, and the slab is empty. What it had is lost. `codec`: of
 * the device that pinned, if one did. */
bool sbz_slab_resize(sbz_slab *slab, size_t text, size_t texts, const sbz_codec *codec);
void sbz_slab_free(sbz_slab *slab, const sbz_codec *codec);
/* The memory of a slot. */
void *sbz_slab_text(const sbz_slab *slab, size_t slot);
/* Takes the memory of so many texts from a slot on, which otherwise who writes there first waits for. */
void sbz_slab_prefault_texts(const sbz_slab *slab, size_t slot, size_t texts);
/* Begins to take all of its memory, from the front on, while others read into it already. The slab may not move
 * until that has ended. */
void sbz_slab_prefault(sbz_slab *slab);
/* No more of it is needed. */
void sbz_slab_stop_prefault(sbz_slab *slab);
/* Pins all of it, once, touched by then; before the device works, for it is slow afterwards. Not being able to is no
 * fault. */
void sbz_slab_pin(sbz_slab *slab, const sbz_codec *codec);

#endif
