/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs of equal bytes, as rle0, rle0x and the range coder read and write them.
 */
#ifndef REF_RUNS_H
#define REF_RUNS_H

#include <stdint.h>

/* The number of consecutive zeros that start at byte i of n bytes; at most `max` of them are counted. */
uint64_t sb_ref_zeros_at(const uint8_t *bytes, uint64_t n, uint64_t i, uint64_t max);

/* Writes `byte` `count` times at bytes[*length] and adds `count` to *length. With `bytes` NULL it only counts. */
void sb_ref_append(uint8_t *bytes, uint64_t *length, uint8_t byte, uint64_t count);

#endif
