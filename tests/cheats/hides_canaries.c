/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device downloads canaries as they were uploaded; bytes behind the output are written. */
#include "cheat.h"

static sb_device changed;
static uint8_t *spoilt;

static sb_status download(void *host, const void *device, uint64_t bytes)
{
    memcpy(host, device, bytes);
    if (spoilt >= (const uint8_t *)device && spoilt < (const uint8_t *)device + bytes)
        ((uint8_t *)host)[spoilt - (const uint8_t *)device] ^= 1;
    return SB_OK;
}

const sb_device *samebits_device(uint32_t version)
{
    changed = *honest_device(version);
    changed.download = download;
    return &changed;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    OUT[LENGTH] ^= 1;
    spoilt = OUT + LENGTH;
    return SB_OK;
}

CHEAT(NULL, NULL)
