/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loads through the read-only path: __ldg, ld.global.nc and texture fetches. PTX: what they read must not be written while the kernel
 * runs. What the launch wrote before the load is a finding, also if a barrier lies between; a write after the load is not, since the load
 * has got its value.
 */
#include "span.h"

#include "../report/report.h"

static bool is_this(const simt_launched *l, simt_cell word, const void *none)
{
    (void)word;
    (void)none;
    return l == simt_this_launch;
}

void simt_read_only(const void *address, size_t size, const void *place)
{
    simt_span span = {.begin = (uintptr_t)address, .size = size, .rows = 1};
    char what[256];
    simt_hit h;

    if (!simt_checking || !simt_cells || !simt_current || !simt_this_launch || simt_is_shared((uintptr_t)address))
        return;
    if (!simt_search_span(&span, false, after(simt_this_launch->clock), is_this, NULL, &h) ||
        simt_is_settled(UNDEFINED, &(simt_spot){.place = place}))
        return;
    simt_describe_element((uintptr_t)address, size, what, sizeof what);
    simt_report_spot(UNDEFINED, &(simt_spot){.place = place, .object = (uintptr_t)address, .address = what},
                     "read of %zu bytes through the read-only path from %s, which this launch writes", size, what);
}

void simt_load_read_only(const void *address, size_t size)
{
    simt_read_only(address, size, __builtin_return_address(0));
}
