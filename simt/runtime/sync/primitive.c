/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The primitives that a launch uses: each enters itself into a list when it is first called, and is told of what happens to blocks
 * and threads from then on.
 */
#include "sync.h"

simt_primitive *simt_primitives;
static uint64_t random_state;

void simt_use(simt_primitive *p)
{
    if (p->used)
        return;
    if (!simt_primitives)
        random_state =
            simt_mix(simt_current_seed ^ simt_mix(simt_launch_number ^ 0xa5)); /* 0xa5: another series than m.random */
    p->used = true;
    p->next = simt_primitives;
    simt_primitives = p;
}

uint64_t simt_draw_apart(void)
{
    return random_state = simt_mix(random_state);
}

void simt_block_of_primitives_ends(const block *b)
{
    for (simt_primitive *p = simt_primitives; p; p = p->next)
        if (p->block_ends)
            p->block_ends(b);
}

/* Blocks that did not end have left objects and work. */
void simt_launch_of_primitives_ends(void)
{
    for (unsigned i = 0; simt_primitives && i < m.resident; i++)
        if (simt_blocks[i].live)
            simt_block_of_primitives_ends(&simt_blocks[i]);
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
