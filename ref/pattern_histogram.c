/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Counting bytes: contract in pattern_histogram.h.
 */
#include "pattern_histogram.h"

void sb_ref_pattern_histogram(const uint8_t *bytes, uint64_t n, uint64_t count[256])
{
    for (int i = 0; i < 256; i++)
        count[i] = 0;
    for (uint64_t i = 0; i < n; i++)
        count[bytes[i]]++;
}
