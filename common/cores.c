/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processors: contract in cores.h.
 */
#include "cores.h"
#include <sched.h>
#include <unistd.h>

size_t sb_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        cores = CPU_COUNT(&allowed);
    return cores > 0 ? (size_t)cores : 1;
}
