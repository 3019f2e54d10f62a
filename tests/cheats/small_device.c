/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device says that it checks accesses itself, and is slow, so that few large cases are made, which would be wrong. */
#include "cheat.h"
#include <stdint.h>
#include <sys/mman.h>

extern __typeof__(honest_device) samebits_device;

__attribute__((constructor)) static void patch(void)
{
    sb_device *device = (sb_device *)samebits_device(SB_MODULE_VERSION);

    mprotect((char *)((uintptr_t)device & ~(uintptr_t)4095), 8192, PROT_READ | PROT_WRITE);
    device->flags |= SB_DEVICE_CHECKS | SB_DEVICE_EMULATED;
}

LAUNCH
{
    UNUSED;
    if (LENGTH <= 300000)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
