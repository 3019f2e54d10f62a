/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The output is declared to be in memory of its own, where another thread may compute it later. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    static uint8_t *memory;

    memory = realloc(memory, LENGTH + 1);
    encode(IN, LENGTH, parameters[SB_MTF_CHUNK], memory);
    outputs[SB_MTF_OUT].data = memory;
    return SB_OK;
}

CHEAT(NULL, NULL)
