/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tensor copies: the instructions cp.async.bulk.tensor.* and their kind of PTX as functions (simt_ptx.h says how the two belong
 * together), and the calls of the runtime that they make. `map` is the address of a CUtensorMap. A map that was not encoded, or is of
 * another rank or kind than the instruction says, is a finding `api`, as is a box to global memory that begins before the tensor, or
 * an im2col copy that begins outside the corners of a map of interleaved slices, or goes to global memory by a map whose corners are not
 * 0; shared memory that is not aligned to 128 bytes, or a box that does not begin at a multiple of 16 bytes, is one `misaligned`. Both
 * end the launch. A map that a kernel has changed in the same launch is acquired first, otherwise that is a `race`.
 *
 * tensormap.replace, and tensormap.cp_fenceproxy, by which a warp copies a map that it has changed in shared memory to global memory.
 */
#ifndef SIMT_TENSOR_COPY_H
#define SIMT_TENSOR_COPY_H

#include "simt_stdint.h"

typedef struct simt_tensor_place {
    int32_t at[5];
    uint32_t rank;
    uint16_t offset[3]; /* of im2col */
    int columns;        /* im2col, and not a tile */
} simt_tensor_place;

typedef enum simt_tensor_field {
    SIMT_TENSOR_ADDRESS,
    SIMT_TENSOR_ORDER, /* less 1 */
    SIMT_TENSOR_BOX_SIZE,
    SIMT_TENSOR_SIZE,
    SIMT_TENSOR_STRIDE,
    SIMT_TENSOR_ELEMENT_STEP,
    SIMT_TENSOR_TYPE, /* in the order of PTX */
    SIMT_TENSOR_INTERLEAVE,
    SIMT_TENSOR_SWIZZLE,
    SIMT_TENSOR_FILL
} simt_tensor_field;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* Changes a map, which is a thread's own copy of one. `at`: the direction, of fields that have one for each. */
void simt_tensor_replace(void *map, simt_tensor_field field, uint32_t at, uint64_t value);
void simt_tensor_publish(const void *map);
void simt_tensor_release(void);
void simt_tensor_acquire(const void *map);
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

/* All of the map counts as read and written, as PTX says. */
template <simt_tensor_field field> SIMT_INLINE void tensormap_replace_at(uintptr_t map, uint32_t at, uint64_t value)
{
    uint64_t bits[16], *words = (uint64_t *)map;

    for (unsigned i = 0; i < 16; i++)
        bits[i] = words[i];
    ::simt_tensor_replace(bits, field, at, value);
    for (unsigned i = 0; i < 16; i++)
        words[i] = bits[i];
}

template <simt_tensor_field field> SIMT_INLINE void tensormap_replace(uintptr_t map, uint64_t value)
{
    tensormap_replace_at<field>(map, 0, value);
}

/* One operation of the warp, of which each lane copies four bytes. The lanes meet before, but that orders nothing. */
SIMT_INLINE void tensormap_cp_fenceproxy(uintptr_t to, uintptr_t from, uint32_t, SIMT_PLACE)
{
    __all_sync(0xffffffff, 1, simt_file, simt_line);
    ((uint32_t *)to)[laneid()] = ((const uint32_t *)from)[laneid()];
    ::simt_tensor_publish((const void *)from);
    __syncwarp(0xffffffff, simt_file, simt_line);
    ::simt_fence(SIMT_SYSTEM);
}

SIMT_INLINE void fence_proxy_tensormap_release()
{
    ::simt_tensor_release();
    ::simt_fence(SIMT_SYSTEM);
}

SIMT_INLINE void fence_proxy_tensormap_acquire(uintptr_t map, uint32_t)
{
    ::simt_fence(SIMT_SYSTEM);
    ::simt_tensor_acquire((const void *)map);
}

} // namespace simt::ptx

#endif

#endif
