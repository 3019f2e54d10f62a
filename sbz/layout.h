/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The headers of a stream as bytes (docs/SBZ.md), for the writer and the readers. Each parser gets exactly the bytes of
 * its part, and checks all that can be checked without other parts. False: `why` says what is wrong.
 */
#ifndef SBZ_LAYOUT_H
#define SBZ_LAYOUT_H

#include "format.h"

/* The first bytes of each part, and the last of a stream. All begin with SBZ_MAGIC_FIRST. */
enum { SBZ_MAGIC = 8, SBZ_MAGIC_FIRST = 0x89 };
extern const uint8_t sbz_magic_stream[SBZ_MAGIC], sbz_magic_block[SBZ_MAGIC], sbz_magic_index[SBZ_MAGIC],
    sbz_magic_end[SBZ_MAGIC], sbz_magic_short_end[SBZ_MAGIC];

typedef struct sbz_tail {
    uint64_t original, checksum, stream_size;
    uint32_t count;
} sbz_tail;

enum {
    SBZ_FORM = 9,        /* the byte of the header of a stream that says which form it has ... */
    SBZ_FORM_BLOCKS = 0, /* ... any number of blocks, and an index */
    SBZ_FORM_SHORT = 1   /* ... at most one block */
};

enum { SBZ_TAIL_SUMMED = 32 }; /* bytes of the tail that its checksum covers */

void sbz_put_stream_header(uint8_t to[SBZ_STREAM_HEADER], uint32_t block_limit);
bool sbz_get_stream_header(const uint8_t from[SBZ_STREAM_HEADER], uint32_t *block_limit, const char **why);

/* True if these first bytes of a stream announce a short one. */
bool sbz_is_short(const uint8_t *bytes, size_t size);
/* The header of a short stream is that of its block; without one, block->original is 0, and so are all other fields. The
 * tail has block->encoded. */
void sbz_put_short_header(uint8_t to[SBZ_SHORT_HEADER], const sbz_block *block);
bool sbz_get_short_header(const uint8_t from[SBZ_SHORT_HEADER], sbz_block *block, const char **why);
void sbz_put_short_tail(uint8_t to[SBZ_SHORT_TAIL], uint32_t encoded);
bool sbz_get_short_tail(const uint8_t from[SBZ_SHORT_TAIL], uint32_t *encoded);

void sbz_put_block_header(uint8_t to[SBZ_BLOCK_HEADER], const sbz_block *block);
bool sbz_get_block_header(const uint8_t from[SBZ_BLOCK_HEADER], uint32_t block_limit, sbz_block *block,
                          const char **why);

/* The bytes in front of the payload of a block with coded runs: block->transformed and run_byte. */
void sbz_put_runs(uint8_t to[SBZ_RUNS_HEAD], const sbz_block *block);
bool sbz_get_runs(const uint8_t from[SBZ_RUNS_HEAD], uint32_t block_limit, sbz_block *block, const char **why);

void sbz_put_index_head(uint8_t to[SBZ_INDEX_HEAD], uint32_t count);
bool sbz_get_index_head(const uint8_t from[SBZ_INDEX_HEAD], uint32_t *count, const char **why);

void sbz_put_index_entry(uint8_t to[SBZ_INDEX_ENTRY], uint32_t original, uint32_t encoded);
void sbz_get_index_entry(const uint8_t from[SBZ_INDEX_ENTRY], sbz_index_entry *entry);

/* The sum in the tail also covers the entries, so it needs their checksum. sbz_tail_sums compares it. */
void sbz_put_tail(uint8_t to[SBZ_INDEX_TAIL], const sbz_tail *tail, uint64_t entries_checksum);
bool sbz_get_tail(const uint8_t from[SBZ_INDEX_TAIL], sbz_tail *tail, const char **why);
bool sbz_tail_sums(const uint8_t from[SBZ_INDEX_TAIL], uint64_t entries_checksum);

#endif
