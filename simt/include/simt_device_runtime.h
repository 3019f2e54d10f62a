/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What only kernels call of the runtime: their heap.
 */
#ifndef SIMT_DEVICE_RUNTIME_H
#define SIMT_DEVICE_RUNTIME_H

#include "simt_launch.h"

#pragma GCC visibility push(hidden)
extern "C" void *simt_aligned_malloc(size_t size, size_t alignment);
#pragma GCC visibility pop

/* As malloc, at a multiple of `alignment`, a power of two; another one stops the launch. */
SIMT_INLINE void *__nv_aligned_device_malloc(size_t size, size_t alignment)
{
    return simt_aligned_malloc(size, alignment);
}

#endif
