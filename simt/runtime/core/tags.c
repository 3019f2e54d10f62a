/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tags of words: contract in tags.h.
 */
#define _GNU_SOURCE
#include "tags.h"

#include <sys/mman.h>

enum { LAST_TAG = 0xffff };

uint32_t *simt_read_tags;
uint64_t simt_launch_tag;
uint64_t simt_tag_mask, simt_block_tag_mask, simt_block_tag;
uintptr_t simt_tags_count;
SIMT_THREAD_LOCAL uintptr_t simt_tagged;
bool simt_any_tags;
static uint32_t number;

bool simt_tags_start(uintptr_t words)
{
    void *got = mmap(NULL, words * sizeof *simt_read_tags, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (got == MAP_FAILED)
        return false;
    /* Most are only read: one fault for each 2 MiB of zeros. Not of shared memory, which most blocks use little of. */
    madvise((uint32_t *)got + SIMT_SHARED_WORDS, (words - SIMT_SHARED_WORDS) * sizeof *simt_read_tags, MADV_HUGEPAGE);
    simt_tags_count = words;
    simt_read_tags = got;
    simt_expire_tags();
    return true;
}

static uint64_t next_number(void)
{
    return ++number * (((uint64_t)1 << 48) + ((uint64_t)1 << 16));
}

/* When all numbers are used, all tags are cleared, and everybody gets a new one. */
static uint64_t new_number(void)
{
    if (number == LAST_TAG) {
        madvise(simt_read_tags, simt_tags_count * sizeof *simt_read_tags, MADV_DONTNEED);
        number = 0;
        simt_launch_tag = next_number();
        for (unsigned i = 0; i < MAX_BLOCKS; i++)
            m.slots[i].tag = next_number();
        simt_block_tag = m.block ? m.block->tag : next_number();
    }
    return next_number();
}

void simt_expire_block_tags(block *b)
{
    if (!simt_read_tags)
        return;
    b->tag = new_number();
    if (b == m.block)
        simt_block_tag = b->tag;
}

void simt_expire_tags(void)
{
    if (!simt_read_tags)
        return;
    for (unsigned i = 0; simt_any_tags && i < MAX_BLOCKS; i++)
        simt_expire_block_tags(&m.slots[i]);
    simt_any_tags = false;
    simt_tagged = 0;
    simt_launch_tag = new_number();
}
