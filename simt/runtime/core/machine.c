/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The state of the machine.
 */
#include "machine.h"
#include "upcalls.h"

machine m;
simt_upcalls simt_up;
SIMT_THREAD_LOCAL thread *simt_current;
uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
char *simt_shared_base;
bool simt_checking;
uint64_t simt_current_seed, simt_launch_number;

thread simt_threads[MAX_WARPS * LANES];
warp simt_warps[MAX_WARPS];
block simt_blocks[MAX_BLOCKS];
uintptr_t simt_stacks, simt_stacks_size;

void simt_set_checking(void)
{
    simt_checking = true;
}

int simt_is_checking(void)
{
    return simt_checking;
}

uint3 simt_block_index(uint64_t number)
{
    const dim3 *grid = &m.request->grid, *c = &m.cluster;
    const uint64_t clusters = m.blocks / m.cluster_blocks;
    const unsigned rank = (unsigned)(number % m.cluster_blocks), across = grid->x / c->x, down = grid->y / c->y;
    uint64_t i = (uint64_t)((m.first + (unsigned __int128)(number / m.cluster_blocks) * m.stride) % clusters);

    return (uint3){(unsigned)(i % across) * c->x + rank % c->x,
                   (unsigned)(i / across % down) * c->y + rank / c->x % c->y,
                   (unsigned)(i / across / down) * c->z + rank / c->x / c->y};
}
