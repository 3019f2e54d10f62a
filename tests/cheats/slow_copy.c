/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device copies slowly, so that the time is many times the speed of a copy. Results are right; the time is not. */
#include "cheat.h"
#include <unistd.h>

static sb_device changed;

static sb_status copy(void *to, uint64_t to_step, const void *from, uint64_t from_step, uint64_t bytes, uint64_t rows)
{
    usleep(300000);
    return honest_device(SB_MODULE_VERSION)->copy(to, to_step, from, from_step, bytes, rows);
}

const sb_device *samebits_device(uint32_t version)
{
    changed = *honest_device(version);
    changed.copy = copy;
    return &changed;
}

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
