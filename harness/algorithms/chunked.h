/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What descriptors of codes in chunks have in common.
 */
#ifndef HARNESS_ALGORITHMS_CHUNKED_H
#define HARNESS_ALGORITHMS_CHUNKED_H

#include "../../core/algorithm.h"

/* Interesting sizes of a chunk. */
enum { SB_CHUNK_SIZES = 13 };
extern const uint64_t sb_chunk_sizes[SB_CHUNK_SIZES];

/* Makes the outputs the inputs: the inverse takes, in the same order, what the algorithm gives. */
bool sb_invert_code(const sb_case *c, const sb_result *result, sb_case *inverse);

/* Lets one of the inputs, of u8 or u64, be wrong in one place; `draw` says which. */
void sb_spoil(sb_case *c, uint64_t draw);

#endif
