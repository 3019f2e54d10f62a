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
    sbz_magic_end[SBZ_MAGIC], sbz_magic_short_end[SBZ_MAGIC], sbz_magic_note[SBZ_MAGIC], sbz_magic_note_end[SBZ_MAGIC];

typedef struct sbz_tail {
    uint64_t original, checksum, stream_size;
    uint32_t count;
} sbz_tail;

enum {
    SBZ_FORM = 9,       /* the byte of the header of a stream that says which form it has ... */
    SBZ_FORM_OLD = 0,   /* ... of 2026, before version 1.0 of the format: refused, with a message of its own */
    SBZ_FORM_SHORT = 1, /* ... at most one block */
    SBZ_FORM_BLOCKS = 2 /* ... any number of blocks, and an index */
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

/* A note: `size` bytes between header and tail that are no contents. Kinds that a reader does not know are notes, too. */
enum { SBZ_NOTE_SKIP = 0, SBZ_NOTE_METADATA = 1 };
void sbz_put_note_header(uint8_t to[SBZ_NOTE_HEADER], uint32_t kind, uint32_t size);
bool sbz_get_note_header(const uint8_t from[SBZ_NOTE_HEADER], uint32_t *kind, uint32_t *size, const char **why);
void sbz_put_note_tail(uint8_t to[SBZ_NOTE_TAIL], uint64_t checksum, uint32_t size);
/* False: it is no tail of a note. */
bool sbz_get_note_tail(const uint8_t from[SBZ_NOTE_TAIL], uint64_t *checksum, uint32_t *size);

void sbz_put_block_header(uint8_t to[SBZ_BLOCK_HEADER], const sbz_block *block);
bool sbz_get_block_header(const uint8_t from[SBZ_BLOCK_HEADER], uint32_t block_limit, sbz_block *block,
                          const char **why);

/* The bytes in front of the payload of a reduced block: block->transformed and reduction_byte. */
void sbz_put_reduction(uint8_t to[SBZ_REDUCTION_HEAD], const sbz_block *block);
bool sbz_get_reduction(const uint8_t from[SBZ_REDUCTION_HEAD], uint32_t block_limit, sbz_block *block,
                       const char **why);

void sbz_put_index_head(uint8_t to[SBZ_INDEX_HEAD], uint32_t count);
bool sbz_get_index_head(const uint8_t from[SBZ_INDEX_HEAD], uint32_t *count, const char **why);

void sbz_put_index_entry(uint8_t to[SBZ_INDEX_ENTRY], const sbz_block *block);
/* False: no block of a stream with this limit can be so. */
bool sbz_get_index_entry(const uint8_t from[SBZ_INDEX_ENTRY], uint32_t block_limit, sbz_block *block);

/* The sum in the tail also covers the entries, so it needs their checksum. sbz_tail_sums compares it. */
void sbz_put_tail(uint8_t to[SBZ_INDEX_TAIL], const sbz_tail *tail, uint64_t entries_checksum);
bool sbz_get_tail(const uint8_t from[SBZ_INDEX_TAIL], sbz_tail *tail, const char **why);
bool sbz_tail_sums(const uint8_t from[SBZ_INDEX_TAIL], uint64_t entries_checksum);

#endif
