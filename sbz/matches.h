/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Long matches before the transform, by a predictor: LZP (Bloom 1996). docs/SBZ.md defines the code.
 *
 * A table says for a hash of the 8 bytes before a position where the same hash was seen last. If 32 bytes or more follow there as
 * here, an escape and their number replace them. The decoder finds the place in the same way, so it is not stored.
 *
 * Why 8 and 32: of 14 MB of a Python library and 14 MB of manual pages, -9 made 2,986 and 1,119 kB; with contexts of 4 bytes
 * 2,996 and 1,123; with matches from 24 bytes 3,006 and 1,121 and from 40 2,995 and 1,113; without, 3,184 and 1,235. Distances
 * and lengths apart from the text, as in LZ77: 2,987 and 1,147.
 */
#ifndef SBZ_MATCHES_H
#define SBZ_MATCHES_H

#include "text.h"

/* Codes the matches of a text into `coded`; coded->run_byte becomes the escape. If that does not save more than
 * SBZ_REDUCTION_HEAD bytes, coded->size becomes 0. False: out of memory. */
bool sbz_matches_encode(const uint8_t *bytes, size_t size, sbz_text *coded);

typedef enum sbz_matches_status { SBZ_MATCHES_DONE, SBZ_MATCHES_DAMAGED, SBZ_MATCHES_MEMORY } sbz_matches_status;
/* Decodes to exactly `size` bytes; else it is damaged. It takes time for what it writes, and 1 MiB of memory. */
sbz_matches_status sbz_matches_decode(const sbz_text *coded, uint8_t escape, uint8_t *to, size_t size);

#endif
