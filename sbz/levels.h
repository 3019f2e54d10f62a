/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The block sizes behind the options -1 to -9.
 */
#ifndef SBZ_LEVELS_H
#define SBZ_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

enum { SBZ_DEFAULT_LEVEL = 6 };

/* Bytes of an ordinary block; a level that does not exist means the default. */
uint32_t sbz_level_block(int level);
/* Maximum bytes of a block that is made longer because it compresses better so: the block limit of the stream. */
uint32_t sbz_level_limit(int level);
/* Minimum bytes of a block that comes from halving a longer one (sbz_text.split). */
uint32_t sbz_level_split(int level);
/* The first text of a stream is halved by its measured size if it has fewer bytes than this; others by an estimate. */
uint32_t sbz_level_measured(int level);
/* Texts that begin in so many bytes at the start of a stream are tried with the entropy stage mixcoder. */
uint64_t sbz_level_mixed(int level);
/* True if a text may be encoded twice, with and without long matches. */
bool sbz_level_patient(int level);

#endif
