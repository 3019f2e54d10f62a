/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tags: a word of 32 bits for each word of the reserved range. A tag says of a word that two threads have read it in this launch, that
 * nothing else is recorded of it, and that to record one more plain read of all of it adds nothing, as cells_suffice in detect/cell.h
 * says: the two are of different blocks; or of different warps of the reader's block; or all three of one warp.
 *
 *   number of the launch 16 | a bit for each slot of which one of the two blocks is                                  16
 *   number of the launch 16 | a bit for each warp for which this does not hold, modulo 15 15 | the block of one is resident 1
 *   number of the block  16 | a bit for each warp for which this does not hold, modulo 15 15 |                                 0
 *
 * The first form is for two of different blocks. A reader in one of these may come after the recorded read once that block has
 * synchronised, and then compares its bit. The second form is for one resident block at a time, whose words are not shared memory. The third
 * is for two of one block, in whatever memory: the block gets a new number whenever some of its threads synchronise. 0 is no tag, and
 * nobody has this number.
 *
 * A reader compares one word, under two masks, and no word has to be cleared when a launch begins. Whoever records something else clears
 * the tag; where bytes stop to be accessible or initialised, tags expire.
 */
#ifndef SIMT_TAGS_H
#define SIMT_TAGS_H

#include "machine.h"

#pragma GCC visibility push(hidden)

extern uint32_t *simt_read_tags; /* NULL: races are not looked for */
extern uintptr_t simt_tags_count;
extern uint64_t simt_launch_tag; /* without blocks; in both halves, for two words at once */

bool simt_tags_start(uintptr_t words); /* false: no memory */
void simt_expire_tags(void);           /* all that were set before */
void simt_expire_block_tags(block *b); /* those of the third form that have its number */

/* Words that may have one: none, until a launch sets one. Kernels whose threads read no words of each other ask no further. 0 where no
 * thread of a kernel runs, so that one comparison tells that, too. */
extern SIMT_THREAD_LOCAL uintptr_t simt_tagged;
extern bool simt_any_tags; /* set since the last ones expired */

static inline void simt_set_tag(uintptr_t index, uint64_t tag)
{
    simt_read_tags[index] = (uint32_t)tag;
    if (simt_tagged)
        return;
    simt_tagged = simt_tags_count;
    simt_any_tags = true;
}

enum { TAGGED_WARPS = 15 };

static inline uint32_t simt_tag_of_warp(unsigned number)
{
    return 2u << number % TAGGED_WARPS;
}

static inline void simt_tags_warp_starts(warp *w)
{
    uint64_t mask = 0xffff0000 | (m.resident == 1 ? simt_tag_of_warp(w->number) : 0);

    w->tag_mask = mask | mask << 32;
    mask = 0xffff0000 | simt_tag_of_warp(w->number);
    w->block_tag_mask = mask | mask << 32;
    if (w != m.warp)
        return;
    simt_tag_mask = w->tag_mask;
    simt_block_tag_mask = w->block_tag_mask;
}

/* Some threads of the block do, or one of them begins a new epoch. */
static inline void simt_tags_block_synchronises(block *b)
{
    for (unsigned i = 0; i < b->warps; i++)
        b->warp[i].tag_mask |= (((uint64_t)1 << 32) + 1) << (b - m.slots);
    if (m.warp)
        simt_tag_mask = m.warp->tag_mask;
    simt_expire_block_tags(b);
}

#pragma GCC visibility pop

#endif
