/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The state of the machine.
 */
#include "machine.h"
#include "upcalls.h"

static machine of_host;
SIMT_THREAD_LOCAL machine *simt_worker = &of_host;
simt_upcalls simt_up;
SIMT_THREAD_LOCAL thread *simt_current;
SIMT_THREAD_LOCAL uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
SIMT_THREAD_LOCAL char *simt_shared_base;
SIMT_THREAD_LOCAL unsigned simt_row;
bool simt_checking;
uint64_t simt_current_seed, simt_launch_number;

simt_kernel **simt_probe;
SIMT_THREAD_LOCAL int simt_countdown;

uintptr_t simt_stacks, simt_stacks_size;

void simt_set_checking(void)
{
    simt_checking = true;
}

int simt_is_checking(void)
{
    return simt_checking;
}

uint3 simt_index_of(uint64_t number, uint64_t blocks, uint64_t first, uint64_t stride, dim3 grid, dim3 c)
{
    const unsigned each = c.x * c.y * c.z, rank = (unsigned)(number % each), across = grid.x / c.x, down = grid.y / c.y;
    uint64_t i = first == 0 && stride == 1
                     ? number / each
                     : (uint64_t)((first + (unsigned __int128)(number / each) * stride) % (blocks / each));

    if (down * (uint64_t)across == blocks &&
        blocks <= UINT32_MAX) /* a plane of single blocks or a row of them, the most frequent grids */
        return (uint3){(unsigned)i % across, (unsigned)i / across, 0};

    return (uint3){(unsigned)(i % across) * c.x + rank % c.x, (unsigned)(i / across % down) * c.y + rank / c.x % c.y,
                   (unsigned)(i / across / down) * c.z + rank / c.x / c.y};
}

uint3 simt_block_index(uint64_t number)
{
    return simt_index_of(number, m.blocks, m.first, m.stride, m.request->grid, m.cluster);
}
