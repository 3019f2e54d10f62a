/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs of equal bytes: contract in runs.h.
 */
#include "runs.h"
#include <stddef.h>

uint64_t sb_ref_zeros_at(const uint8_t *bytes, uint64_t n, uint64_t i, uint64_t max)
{
    uint64_t run = 0;

    while (run < n - i && run < max && bytes[i + run] == 0)
        run++;
    return run;
}

void sb_ref_append(uint8_t *bytes, uint64_t *length, uint8_t byte, uint64_t count)
{
    for (uint64_t i = 0; i < count && bytes != NULL; i++)
        bytes[*length + i] = byte;
    *length += count;
}
