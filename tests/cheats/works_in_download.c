/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The launch does nothing; the work is done when results are downloaded. Results are right; the time is not. */
#include "cheat.h"

static sb_device changed;
static const uint8_t *in;
static uint64_t n, chunk;
static uint8_t *pending;

static sb_status download(void *host, const void *device, uint64_t bytes)
{
    if (pending != NULL)
        encode(in, n, chunk, pending);
    pending = NULL;
    memcpy(host, device, bytes);
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
    pending = OUT;
    n = LENGTH;
    in = IN;
    chunk = parameters[SB_MTF_CHUNK];
    return SB_OK;
}

CHEAT(NULL, NULL)
