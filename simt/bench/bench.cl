/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernels of the benchmark for Oclgrind. It has no sub-groups: no shuffles, and a block of one warp serves as a
 * warp.
 */
#define KERNEL         kernel
#define INPUT          global
#define OUTPUT         global
#define SHARED         local
#define SHARED_POINTER local
#define HELPER         static
#define THREAD         ((unsigned)get_local_id(0))
#define BLOCK          ((unsigned)get_group_id(0))
#define BLOCKS         ((unsigned)get_num_groups(0))
#define BLOCK_SYNC()   barrier(CLK_LOCAL_MEM_FENCE)
#define WARP_SYNC()    barrier(CLK_LOCAL_MEM_FENCE)
#define COUNT(address) atomic_inc(address)
#define SHUFFLES       0

#include "kernels.h"
