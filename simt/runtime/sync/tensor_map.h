/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the driver's calls write into a tensor map, and tensor copies read: the 128 bytes of a CUtensorMap.
 *
 * The second word holds nothing: CUTLASS clears its bit 21 in a map of a tensor of less than 128 KB if the driver is of CUDA 13.1 or
 * older (cute/atom/copy_traits_sm90_tma.hpp), and a copy by that map is the same as before.
 */
#ifndef SIMT_TENSOR_MAP_H
#define SIMT_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SIMT_TENSOR_RANK = 5,
    SIMT_TENSOR_BOX = 256,   /* elements in one direction, at most */
    SIMT_TENSOR_STEP = 8,    /* at most */
    SIMT_TENSOR_STRIDES = 40 /* bits of a stride */
};

#define SIMT_TENSOR_MAP_MAGIC 0x70616d74746d6973 /* "simttmap": no map that nobody has encoded begins so */

typedef struct simt_tensor_map {
    uint64_t magic;
    uint64_t cleared; /* 0 */
    uint64_t memory;
    uint64_t stride[SIMT_TENSOR_RANK - 1]; /* bytes */
    uint32_t last[SIMT_TENSOR_RANK];       /* elements less 1 in each direction */
    uint16_t box[SIMT_TENSOR_RANK];
    uint8_t step[SIMT_TENSOR_RANK];
    uint8_t type, width, rank; /* width: bytes of an element */
    uint8_t interleave, swizzle, fill;
    uint8_t columns; /* im2col: the rest counts, and not box */
    int16_t low[3], high[3];
    uint16_t channels, pixels;
    uint32_t changed; /* the launch in which tensormap.replace changed it; 0: none did */
    uint32_t change;  /* the number of that change in tensor_replace.c */
} simt_tensor_map;

bool simt_tensor_is_acquired(const simt_tensor_map *map); /* before what the running thread does next */

_Static_assert(sizeof(simt_tensor_map) <= 128, "the size of a CUtensorMap");

#endif
