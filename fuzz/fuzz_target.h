/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a fuzzer gives a target: the seed of a schedule in FUZZ_SEED_BYTES bytes, little-endian, then a case as in
 * harness/case_bytes.h. Where the input is too short, zeros stand.
 */
#ifndef FUZZ_FUZZ_TARGET_H
#define FUZZ_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_SEED_BYTES = 2 };

/* Returns 0; -1 when the input should not be kept. Aborts when something is found. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The algorithm of the target inside the replay program; and there, the other targets under names of their own. */
extern const char *sb_replay_algorithm;
int sb_fuzz_sbz(const uint8_t *data, size_t size);
int sb_fuzz_matrix(const uint8_t *data, size_t size);

#endif
