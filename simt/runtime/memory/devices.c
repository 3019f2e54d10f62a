/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which device may access which memory. There is one machine for all devices: they differ in the memory that they own. While a
 * kernel of one device runs, the bytes of the others' memory are marked as foreign, unless it has peer access to them. Copies need
 * no access. In plain builds there is no shadow, and nothing is marked.
 */
#include "memory.h"

#include "../core/options.h"

static bool peers[SIMT_MAX_DEVICES][SIMT_MAX_DEVICES];
static int running;

bool simt_is_peer(int device, int other)
{
    return device == other || peers[device][other];
}

void simt_set_peer(int device, int other, bool is)
{
    peers[device][other] = is;
}

static void change(uintptr_t start, size_t size, uint8_t from, uint8_t to)
{
    uint8_t *shadow = simt_shadow + (start - simt_base);

    simt_pages_change(start, size);
    for (size_t i = 0; i < size; i++)
        if (shadow[i] & from)
            shadow[i] = (uint8_t)((shadow[i] & ~from) | to);
}

static bool hide(uintptr_t start, size_t size)
{
    const allocation *a = simt_allocation_at(start);

    if (a->kind == DEVICE_MEMORY && !simt_is_peer(running, a->device))
        change(start, size, ACCESSIBLE, FOREIGN_BYTE);
    return true;
}

static bool show(uintptr_t start, size_t size)
{
    change(start, size, FOREIGN_BYTE, ACCESSIBLE);
    return true;
}

void simt_hide_foreign(int device)
{
    running = device;
    if (simt_options.devices > 1 && simt_shadow)
        simt_visit_allocations(hide);
}

void simt_show_foreign(void)
{
    if (simt_options.devices > 1 && simt_shadow)
        simt_visit_allocations(show);
}
