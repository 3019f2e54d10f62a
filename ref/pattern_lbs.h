/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Load-balancing search: for each item its segment, and its rank, which is its index in this segment. The items of segment s
 * are offset[s] .. offset[s + 1] - 1; offset has segments + 1 elements, starts at 0 and does not descend. Empty segments
 * have no item and are skipped. `segment` and `rank` have offset[segments] elements.
 *
 * Source: S. Baxter, "Modern GPU", 2013, chapter "Load-balancing search".
 */
#ifndef REF_PATTERN_LBS_H
#define REF_PATTERN_LBS_H

#include <stdint.h>

void sb_ref_pattern_lbs(const uint64_t *offset, uint64_t segments, uint32_t *segment, uint32_t *rank);

#endif
