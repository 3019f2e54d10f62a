/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Only the first 100 elements are computed, if somebody looks at those only. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    encode(IN, LENGTH < 100 ? LENGTH : 100, parameters[SB_MTF_CHUNK], OUT);
    return SB_OK;
}

CHEAT(NULL, NULL)
