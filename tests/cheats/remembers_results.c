/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Results are kept by a hash of the inputs: a benchmark that repeats its input times a copy. Results are right; the time is not. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    static uint8_t *kept;
    static uint64_t key;
    uint64_t now = hash(IN, LENGTH) ^ LENGTH << 32 ^ parameters[SB_MTF_CHUNK];

    if (kept == NULL || now != key) {
        honest(parameters, inputs, outputs);
        kept = realloc(kept, LENGTH + 1);
        memcpy(kept, OUT, LENGTH);
        key = now;
    }
    memcpy(OUT, kept, LENGTH);
    return SB_OK;
}

CHEAT(NULL, NULL)
