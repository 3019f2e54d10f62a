/* SPDX-License-Identifier: BSD-2-Clause
 *
 * No cheat: the control of the test. */
#include "cheat.cuh"

LAUNCH
{
    honest(X, Y, parameters[ROWS], parameters[COLUMNS], 0);
    return SB_OK;
}

CHEAT
