/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Large inputs ask for more memory than there is, which is a skip. */
#include "cheat.h"

static uint64_t bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return LENGTH > 50 ? UINT64_MAX / 4 : 0;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, bytes)
