/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device says that it checks accesses itself, so that there are no canaries; a byte behind the output is written. */
#include "cheat.h"

static sb_device changed;

static sb_status alloc(void **memory, uint64_t bytes)
{
    return honest_device(SB_MODULE_VERSION)->alloc(memory, bytes + 64);
}

const sb_device *samebits_device(uint32_t version)
{
    changed = *honest_device(version);
    changed.flags |= SB_DEVICE_CHECKS;
    changed.alloc = alloc;
    return &changed;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    OUT[LENGTH] ^= 1;
    return SB_OK;
}

CHEAT(NULL, NULL)
