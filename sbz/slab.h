/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One piece of memory for the texts of all slots, side by side: texts of neighbouring slots are then one copy from or
 * to a device. In large pages, for a first touch costs more than the copy; and pinned where the device can.
 */
#ifndef SBZ_SLAB_H
#define SBZ_SLAB_H

#include "codec.h"

typedef struct sbz_slab {
    uint8_t *memory;
    size_t bytes, text;
    bool pinned;
} sbz_slab;

/* Room for so many texts of so many bytes; false: there is not, and the slab is empty. What it had is lost. `codec`: of
 * the device that pinned, if one did. */
bool sbz_slab_resize(sbz_slab *slab, size_t text, size_t texts, const sbz_codec *codec);
void sbz_slab_free(sbz_slab *slab, const sbz_codec *codec);
/* The memory of a slot. */
void *sbz_slab_text(const sbz_slab *slab, size_t slot);
/* Takes the memory of so many texts from a slot on, which otherwise who writes there first waits for. */
void sbz_slab_populate(const sbz_slab *slab, size_t slot, size_t texts);
/* Pins all of it, once; before the device works, for it is slow afterwards. Not being able to is no fault. */
void sbz_slab_pin(sbz_slab *slab, const sbz_codec *codec);

#endif
