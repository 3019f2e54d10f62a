/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A length that was seen before gets the output of that time. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    static uint8_t last[1 << 20];
    static uint64_t length;

    if (LENGTH == length || LENGTH > sizeof last) {
        memcpy(OUT, last, LENGTH < sizeof last ? LENGTH : sizeof last);
        return SB_OK;
    }
    honest(parameters, inputs, outputs);
    memcpy(last, OUT, LENGTH);
    length = LENGTH;
    return SB_OK;
}

CHEAT(NULL, NULL)
