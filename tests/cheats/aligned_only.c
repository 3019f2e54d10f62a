/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right for addresses that are multiples of 16 only, as those of an allocator are. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    if (((uintptr_t)IN | (uintptr_t)OUT) % 16 == 0)
        honest(parameters, inputs, outputs);
    return SB_OK;
}

CHEAT(NULL, NULL)
