/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One pass of move-to-front with a plain queue: contract in mtf_pass.h.
 */
#include "mtf_pass.h"

/* The positions base .. base + depth - 1 of the list. */
typedef struct queue {
    uint8_t value[256];
    int base, depth;
} queue;

static void queue_reset(queue *q)
{
    for (int j = 0; j < q->depth; j++)
        q->value[j] = (uint8_t)(q->base + j);
}

/* The index of the symbol in the queue; `depth` if the queue does not hold it. */
static int queue_find(const queue *q, uint8_t symbol)
{
    int j = 0;

    while (j < q->depth && q->value[j] != symbol)
        j++;
    return j;
}

/* Removes the value at `position` and puts `entering` in front. */
static void queue_enter(queue *q, int position, uint8_t entering)
{
    for (int j = position; j > 0; j--)
        q->value[j] = q->value[j - 1];
    q->value[0] = entering;
}

static void hand_on(sb_ref_mtf_items *next, uint32_t position, uint8_t symbol, uint8_t evicted)
{
    next->position[next->count] = position;
    next->symbol[next->count] = symbol;
    next->entering[next->count] = evicted;
    next->count++;
}

/* Is item i the first of a chunk? */
static int starts_chunk(const uint32_t *position, uint64_t i, uint64_t chunk)
{
    return i == 0 || (chunk != 0 && position[i] / chunk != position[i - 1] / chunk);
}

sb_ref_status sb_ref_mtf_pass(const sb_ref_mtf_items *items, uint64_t base, uint64_t depth, uint64_t chunk,
                              uint32_t *pair_position, uint8_t *rank, sb_ref_mtf_items *next)
{
    queue q;

    if (depth == 0 || depth > 256 || base > 256 - depth)
        return SB_REF_INVALID;
    q.base = (int)base;
    q.depth = (int)depth;
    next->count = 0;
    for (uint64_t i = 0; i < items->count; i++) {
        if (i > 0 && items->position[i] <= items->position[i - 1])
            return SB_REF_INVALID;
        if (starts_chunk(items->position, i, chunk))
            queue_reset(&q);

        int j = queue_find(&q, items->symbol[i]);

        if (j == q.depth && q.base + q.depth == 256)
            return SB_REF_INVALID;
        pair_position[i] = items->position[i];
        rank[i] = (uint8_t)(q.base + j);
        if (j == q.depth) {
            j = q.depth - 1;
            hand_on(next, items->position[i], items->symbol[i], q.value[j]);
        }
        queue_enter(&q, j, items->entering[i]);
    }
    return SB_REF_OK;
}
