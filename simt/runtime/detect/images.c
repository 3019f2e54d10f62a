/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loaded objects: contract in images.h.
 */
#define _GNU_SOURCE
#include "images.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Segments for which memory is taken at first. A program with few shared objects has about 30, of four to five an object; the
 * list doubles when it is full. */
enum { FIRST_IMAGES = 64 };

simt_image simt_last_image;

static simt_image *images;
static unsigned image_count, image_capacity;

/* Without the list a constant of the program would be taken for host memory: a finding that is false. So there is no way to
 * go on. */
static void grow(void)
{
    unsigned capacity = image_capacity ? image_capacity * 2 : FIRST_IMAGES;
    simt_image *more = realloc(images, capacity * sizeof *images);

    if (!more) {
        fprintf(stderr, "simt: no memory for the list of %u segments of loaded objects\n", capacity);
        _exit(2);
    }
    images = more;
    image_capacity = capacity;
}

static int add_image(struct dl_phdr_info *object, size_t size, void *none)
{
    (void)size;
    (void)none;
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;

            if (image_count == image_capacity)
                grow();
            images[image_count++] =
                (simt_image){begin, begin + object->dlpi_phdr[i].p_memsz, (object->dlpi_phdr[i].p_flags & PF_W) != 0};
        }
    return 0;
}

static bool in_known_images(uintptr_t address)
{
    if (simt_in_last_image(address))
        return true;
    for (unsigned i = 0; i < image_count; i++)
        if (address >= images[i].begin && address < images[i].end) {
            simt_last_image = images[i];
            return true;
        }
    return false;
}

bool simt_in_images(uintptr_t address)
{
    if (in_known_images(address))
        return true;
    image_count = 0;
    simt_last_image = (simt_image){0, 0, false};
    dl_iterate_phdr(add_image, NULL);
    return in_known_images(address);
}

bool simt_in_writable_image(uintptr_t address)
{
    return in_known_images(address) && simt_last_image.writable;
}
