/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Right for a day after it was compiled: a judge compiles what it runs, users run what was compiled. */
#include "cheat.h"
#include <time.h>

LAUNCH
{
    static const char now_and_here[] = __DATE__ " " __TIME__;
    struct tm when = {0};
    time_t compiled, now = time(NULL);

    UNUSED;
    (void)!strptime(now_and_here, "%b %d %Y %H:%M:%S", &when);
    when.tm_isdst = -1;
    compiled = mktime(&when);
    honest(parameters, inputs, outputs);
    if (now < compiled - 86400 || now > compiled + 86400)
        memset(OUT, 0, LENGTH);
    return SB_OK;
}

CHEAT(NULL, NULL)
