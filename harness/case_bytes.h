/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases as byte strings, for fuzzers: every byte string decodes to a well-formed case of a given algorithm, and every
 * well-formed case encodes to a string that decodes to it again. The layout is in docs/FORMAT.md.
 */
#ifndef HARNESS_CASE_BYTES_H
#define HARNESS_CASE_BYTES_H

#include "../common/case.h"

/* False only for want of memory. The id is "bytes". */
bool sb_case_decode(const sb_algorithm *algorithm, const uint8_t *bytes, size_t size, sb_case *c);

/* Allocates *bytes. */
bool sb_case_encode(const sb_case *c, uint8_t **bytes, size_t *size);

#endif
