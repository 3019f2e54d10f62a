/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Zeros are not written: outputs are taken to be zero. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    uint8_t *result = malloc(LENGTH + 1);

    encode(IN, LENGTH, parameters[SB_MTF_CHUNK], result);
    for (uint64_t i = 0; i < LENGTH; i++)
        if (result[i] != 0)
            OUT[i] = result[i];
    free(result);
    return SB_OK;
}

CHEAT(NULL, NULL)
