/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The process ends with status 0 before anybody compares. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    exit(0);
}

CHEAT(NULL, NULL)
