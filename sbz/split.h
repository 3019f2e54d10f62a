/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where blocks end. What decides is the contents alone, not how they arrive. Blocks have as many bytes as they should,
 * but:
 *
 * - Where runs of one byte take much of a block, their code counts in place of the bytes, and goes on till it has as
 *   many as a block should have.
 * - Noise, which gains little, gains more in longer blocks: so a block goes on as long as it is all noise. Text goes
 *   on for one block more.
 * - Behind any of these, or where it makes runs worth coding, what is left at the end and would be a short block is
 *   part of the last.
 * - What is sparse and becomes dense, past the middle of a block, ends there: the dense part gains by being in one.
 *
 * The last three only where the block limit is more than the size of blocks, and up to it. Other contents gain less or
 * lose: programs are of many parts.
 */
#ifndef SBZ_SPLIT_H
#define SBZ_SPLIT_H

#include "text.h"

typedef enum sbz_split_status {
    SBZ_SPLIT_BLOCK = 0,
    SBZ_SPLIT_END = 1,
    SBZ_SPLIT_SOURCE = 2,
    SBZ_SPLIT_MEMORY = 3
} sbz_split_status;

typedef struct sbz_splitter {
    sbz_source source;
    void *from;
    uint32_t block, limit; /* bytes: that a block should have, and that it may */
    bool runs;             /* may be coded: for the caller to say */
    uint32_t part;         /* bytes of the blocks that texts which go on may become; 0: they may not. Likewise */
    bool ended;            /* the source has no more */
    bool failed;           /* it gave up; it knows why */
    uint64_t left;         /* bytes that it still has, as far as known */
    sbz_text ahead;        /* read already, for the next block */
    sbz_text first;        /* cut already */
    sbz_split_status first_status;
    bool has_first;
} sbz_splitter;

/* `size`: bytes of the source, as far as known; UINT64_MAX: not. That spares memory and looking ahead, and decides
 * nothing. */
void sbz_splitter_init(sbz_splitter *splitter, uint32_t block, uint32_t limit, uint64_t size, sbz_source source,
                       void *from);
/* May be called before the first block is taken, and looks at it: how many bytes are blocks to have for the most part?
 * Codes of runs in place of the bytes. */
uint32_t sbz_splitter_typical(sbz_splitter *splitter);
/* The next block, of a byte at least; its memory is used again. Whether those that go on, but for noise, should have
 * done so is left to who tries: they have parts. */
sbz_split_status sbz_splitter_next(sbz_splitter *splitter, sbz_text *text);
void sbz_splitter_free(sbz_splitter *splitter);

#endif
