/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Asynchronous copies from global to shared memory, on which __pipeline_*, cuda::pipeline and cuda::memcpy_async stand: PTX's cp.async
 * of 4, 8 or 16 bytes. A thread commits copies in groups and waits until all but its newest groups are complete; or an mbarrier
 * counts an arrival when the thread's copies so far are complete (cp.async.mbarrier.arrive). They are accesses of the generic proxy.
 * copies.h says when the bytes move, and in which order.
 *
 * Findings `race`, and `api`: a size that does not exist; a destination that is not in the block's shared memory; a source that is in
 * shared memory.
 */
#include "../../include/simt_async_copy.h"
#include "copies.h"

#include "../memory/memory.h"

static void check(uintptr_t to, uintptr_t from, unsigned alignment, const void *place)
{
    if (to - (uintptr_t)m.block->arena >= SIMT_ARENA)
        simt_copy_refuse("the destination of an asynchronous copy is in the block's shared memory", place);
    if (simt_is_shared(from))
        simt_copy_refuse("the source of an asynchronous copy is in global memory", place);
    simt_check_alignment((void *)to, alignment, SIMT_IS_WRITE, place);
    simt_check_alignment((void *)from, alignment, 0, place);
}

void simt_async_copy(void *to, const void *from, uint32_t size, uint32_t taken)
{
    simt_copy c = {.to_address = (uintptr_t)to,
                   .from_address = (uintptr_t)from,
                   .size = size,
                   .taken = taken < size ? taken : size,
                   .by = BY_GROUP,
                   .place = __builtin_return_address(0)};

    simt_copies_used();
    if (size != 4 && size != 8 && size != 16)
        simt_copy_refuse("an asynchronous copy is of 4, 8 or 16 bytes", c.place);
    if (taken > size) /* PTX: undefined */
        simt_copy_refuse("an asynchronous copy takes more bytes than it writes", c.place);
    check(c.to_address, c.from_address, size, c.place);
    if (simt_checking) {
        simt_access(from, c.taken, 0, c.place);
        simt_access(to, size, SIMT_IS_WRITE, c.place);
    }
    simt_copy_issue(&c);
    simt_copies_move_some();
}

void simt_async_commit(void)
{
    simt_copies_used();
    simt_copies_commit(BY_GROUP);
}

void simt_async_wait(uint64_t newest)
{
    simt_copies_used();
    simt_copies_wait(BY_GROUP, newest);
}

void simt_async_wait_all(void)
{
    simt_copies_used();
    simt_copies_wait_all();
}

void simt_async_arrive(void *at, int counts)
{
    const void *place = __builtin_return_address(0);

    simt_copies_used();
    simt_copies_arrive_on((uintptr_t)at, !counts, place);
}
