/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many bytes each entropy stage would take, from a sample and without running any. The estimates are computed in
 * integers, so that every machine chooses alike.
 */
#ifndef SBZ_ESTIMATE_H
#define SBZ_ESTIMATE_H

#include "format.h"

/* The entropy of what was counted, in bits. */
uint64_t sbz_entropy_bits(const uint32_t *count, int symbols);

/* `sample`: `size` bytes of a block. Bits for them; UINT64_MAX for a stage that no estimate chooses. True: there is
 * noise in a part of all bytes, as numbers in digits are, so that several tables may be best. */
bool sbz_estimate(const uint8_t *sample, size_t size, uint64_t bits[SBZ_ENTROPIES]);

#endif
