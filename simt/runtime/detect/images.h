/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loaded objects: the segments of the program and of its shared objects, whose constants and variables a kernel may access.
 * What lies in none of them, nor in the reserved range, nor on a thread's stack, is host memory.
 *
 * The list is made when an address is in no segment of it, so it also has what was loaded meanwhile. A segment of an object that
 * was unloaded stays until then.
 */
#ifndef SIMT_IMAGES_H
#define SIMT_IMAGES_H

#include "detect.h"

#pragma GCC visibility push(hidden)

typedef struct simt_image {
    uintptr_t begin, end;
    bool writable;
} simt_image;

extern simt_image simt_last_image; /* in which the last address was that was looked up; empty at the start */

static inline bool simt_in_last_image(uintptr_t address)
{
    return address - simt_last_image.begin < simt_last_image.end - simt_last_image.begin;
}

bool simt_in_images(uintptr_t address);
bool simt_in_writable_image(uintptr_t address); /* of the list as it is */

#pragma GCC visibility pop

#endif
