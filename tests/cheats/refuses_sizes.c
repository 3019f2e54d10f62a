/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Large inputs are refused, and so never wrong. */
#include "cheat.h"

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return LENGTH > 50 ? "too large" : NULL;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(refuses, NULL)
