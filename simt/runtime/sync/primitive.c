/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The primitives that a launch uses: each enters itself into a list when it is first called, and is told of what happens to blocks
 * and threads from then on.
 */
#include "sync.h"

#include "../core/lock.h"

simt_primitive *simt_primitives;

void simt_use(simt_primitive *p)
{
    SIMT_CALL;

    if (p->used)
        return;
    p->used = true;
    p->next = simt_primitives;
    simt_primitives = p;
}

uint64_t simt_draw_apart(void)
{
    return m.random_apart = simt_mix(m.random_apart);
}

void simt_block_of_primitives_ends(const block *b)
{
    for (simt_primitive *p = simt_primitives; p; p = p->next)
        if (p->block_ends)
            p->block_ends(b);
}

/* Blocks that did not end have left objects and work. */
void simt_blocks_of_primitives_end(void)
{
    for (unsigned i = 0; simt_primitives && i < m.resident; i++)
        if (m.slots[i].live)
            simt_block_of_primitives_ends(&m.slots[i]);
}

void simt_launch_of_primitives_ends(void)
{
    simt_blocks_of_primitives_end();
    for (; simt_primitives; simt_primitives = simt_primitives->next)
        simt_primitives->used = false;
}

void simt_progress(void)
{
    for (simt_primitive *p = simt_primitives; p; p = p->next)
        if (p->progress)
            p->progress();
}

void simt_waited(uintptr_t object, uint64_t phase)
{
    for (simt_primitive *p = simt_primitives; p; p = p->next)
        if (p->waited)
            p->waited(object, phase);
}

void simt_describe_wait(uintptr_t address, char *text, size_t size)
{
    for (simt_primitive *p = simt_primitives; p; p = p->next)
        if (p->describe_wait)
            p->describe_wait(address, text, size);
}
