/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The module has a memcpy of its own, which the device's download calls: the work is done there. Results are right; the time is not. */
#include "cheat.h"

/* Not memmove by name, which the compiler may take for memcpy. */
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static const uint8_t *in;
static uint64_t n, chunk;
static uint8_t *pending;

__attribute__((visibility("hidden"))) void *memcpy(void *to, const void *from, size_t bytes)
{
    if (pending != NULL && from == pending) {
        uint8_t *out = pending;

        pending = NULL;
        encode(in, n, chunk, out);
    }
    return move(to, from, bytes);
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
