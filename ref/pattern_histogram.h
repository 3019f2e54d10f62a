/* SPDX-License-Identifier: BSD-2-Clause
 *
 * count[v] is the number of bytes of value v. Any bytes are valid; the counts add up to n.
 */
#ifndef REF_PATTERN_HISTOGRAM_H
#define REF_PATTERN_HISTOGRAM_H

#include <stdint.h>

void sb_ref_pattern_histogram(const uint8_t *bytes, uint64_t n, uint64_t count[256]);

#endif
