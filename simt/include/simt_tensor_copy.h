/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tensor copies: the instructions cp.async.bulk.tensor.* and their kind of PTX as functions (simt_ptx.h says how the two belong
 * together), and the calls of the runtime that they make. `map` is the address of a CUtensorMap. A map that was not encoded, or is of
 * another rank or kind than the instruction says, is a finding `api`, as is a box to global memory that begins before the tensor, or
 * an im2col copy that begins outside the corners of a map of interleaved slices, or goes to global memory by a map whose corners are not
 * 0; shared memory that is not aligned to 128 bytes, or a box that does not begin at a multiple of 16 bytes, is one `misaligned`. Both
 * end the launch.
 */
#ifndef SIMT_TENSOR_COPY_H
#define SIMT_TENSOR_COPY_H

#include <stdint.h>

typedef struct simt_tensor_place {
    int32_t at[5];
    uint32_t rank;
    uint16_t offset[3]; /* of im2col */
    int columns;        /* im2col, and not a tile */
} simt_tensor_place;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* The mbarrier counts the bytes of the box, also those outside the tensor. `blocks`: bits of a multicast; 0: to the block of `to`. */
void simt_tensor_load(const void *map, const simt_tensor_place *place, void *to, void *barrier, uint32_t blocks);
/* As part of the thread's bulk group. `operation`: of simt_bulk_copy.h; -1: a copy. */
void simt_tensor_store(const void *map, const simt_tensor_place *place, const void *from, int operation);
void simt_tensor_prefetch(const void *map, const simt_tensor_place *place);

#pragma GCC visibility pop
#ifdef __cplusplus
}

#include "simt_ptx.h"

namespace simt::ptx
{

/* `__asm__` behind a call: no tail call, because the return address is the place that findings name. */

SIMT_INLINE void tensor_load(uintptr_t map, simt_tensor_place place, uintptr_t to, uintptr_t barrier, uint32_t blocks)
{
    yield();
    ::simt_tensor_load((const void *)map, &place, (void *)to, (void *)barrier, blocks & 0xffff);
    __asm__ volatile("");
}

SIMT_INLINE void tensor_store(uintptr_t map, simt_tensor_place place, uintptr_t from, int operation)
{
    yield();
    ::simt_tensor_store((const void *)map, &place, (const void *)from, operation);
    __asm__ volatile("");
}

SIMT_INLINE void tensor_prefetch(uintptr_t map, simt_tensor_place place)
{
    ::simt_tensor_prefetch((const void *)map, &place);
    __asm__ volatile("");
}

} // namespace simt::ptx

#endif

#endif
