/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Estimates of the payload sizes of the entropy stages, from a sample, without running any stage. All arithmetic is in
 * integers, so that the choice is the same on every computer.
 */
#ifndef SBZ_ESTIMATE_H
#define SBZ_ESTIMATE_H

#include "format.h"

/* n log2(n), in units of 2^-16 bits. */
uint64_t sbz_times_logarithm(uint64_t n);

/* The order-0 entropy of the counted symbols, all together, in bits. */
uint64_t sbz_entropy_bits(const uint32_t *count, int symbols);

/* Estimates the bits that each stage takes for the sample; UINT64_MAX for stages that are never chosen by an estimate.
 * True: some of the bytes are noise of few values, such as digits of checksums, so that several Huffman tables may win.
 */
bool sbz_estimate(const uint8_t *sample, size_t size, uint64_t bits[SBZ_ENTROPIES]);

#endif
