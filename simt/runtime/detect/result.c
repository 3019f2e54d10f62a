/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies to the host of device memory that nobody wrote. Where atomics have changed it, as counters without a cudaMemset, the copy
 * is the read that they were not: a finding. A copy none of whose bytes was written is a note: nothing tells whether the host
 * uses them, and benchmarks do not. One of which some were written has no word: whole buffers with unused parts are
 * copied everywhere.
 */
#include "detect.h"

#include "../memory/memory.h"
#include "../report/report.h"

#include <string.h>

static void report(const char *call, uintptr_t at, size_t size, const char *what, bool is_note)
{
    char where[256];

    simt_describe(at, where, sizeof where);
    simt_report_spot(UNINIT, &(simt_spot){.address = where, .object = at, .note = is_note},
                     "%s of %zu bytes to the host, %s: %s", call, size, what, where);
    simt_report_findings(false);
}

void simt_host_gets(const char *call, const void *from, size_t size, bool is_row)
{
    uintptr_t address = (uintptr_t)from, offset = address - simt_base;
    const allocation *a = simt_allocation_at(address);
    bool written = false;

    if (!simt_checking || !simt_options.kinds[UNINIT] || !a || a->kind == HOST_MEMORY)
        return;
    simt_host_wrote(address, size);
    for (size_t i = 0; i < size; i++) {
        uint8_t state = simt_shadow[offset + i];
        uint64_t word = 0;

        if (size - i >= sizeof word)
            memcpy(&word, simt_shadow + offset + i, sizeof word);
        if ((word & EVERY_INITIALISED) == EVERY_INITIALISED) { /* the frequent case */
            written = true;
            i += sizeof word - 1;
            continue;
        }
        written |= (state & INITIALISED) != 0;
        if ((state & (INITIALISED | UPDATED)) == UPDATED) {
            report(call, address + i, size, "of which atomics have changed what was never written", false);
            return;
        }
    }
    if (!written && !is_row)
        report(call, address, size, "none of which was ever written", true);
}
