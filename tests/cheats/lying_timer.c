/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device says that every launch takes a microsecond. Results are right; the time is not. */
#include "cheat.h"

static sb_device changed;

static sb_status stop(double *seconds)
{
    *seconds = 1e-6;
    return SB_OK;
}

const sb_device *samebits_device(uint32_t version)
{
    changed = *honest_device(version);
    changed.timer_stop = stop;
    return &changed;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
