/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The work is done when inputs are uploaded; the launch copies the result. Results are right; the time is not. */
#include "cheat.h"

static sb_device changed;
static uint8_t *result;
static const void *uploaded;
static uint64_t length;

static sb_status upload(void *device, const void *host, uint64_t bytes)
{
    memcpy(device, host, bytes);
    uploaded = device;
    length = bytes;
    result = realloc(result, bytes + 1);
    encode(device, bytes, 0, result);
    return SB_OK;
}

const sb_device *samebits_device(uint32_t version)
{
    changed = *honest_device(version);
    changed.upload = upload;
    return &changed;
}

LAUNCH
{
    UNUSED;
    if (result != NULL && uploaded == IN && length == LENGTH && parameters[SB_MTF_CHUNK] == 0)
        memcpy(OUT, result, LENGTH);
    else
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
