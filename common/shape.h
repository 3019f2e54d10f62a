/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shapes of arrays, as <samebits/contract.h> defines them: names of dimensions and numbers.
 */
#ifndef COMMON_SHAPE_H
#define COMMON_SHAPE_H

#include "algorithm.h"

enum { SB_MAX_RANK = 8 };

/* The extents of a shape, first to last, and their number; -1 if it has more than SB_MAX_RANK, or a word that is neither a
 * dimension of the algorithm nor a decimal number below 2^32. `parameters` NULL: dimensions count as 1. */
int sb_shape_extents(const sb_algorithm *algorithm, const char *shape, const uint64_t *parameters,
                     uint64_t extents[SB_MAX_RANK]);

/* The product of the extents. False: the shape is none, or the product is more than 2^32. */
bool sb_shape_length(const sb_algorithm *algorithm, const char *shape, const uint64_t *parameters, uint64_t *length);

/* The last extent; 1 if there is none. */
uint64_t sb_row_of(const sb_algorithm *algorithm, const sb_field *field, const uint64_t *parameters);

/* Rows with gaps between them, in elements. */
typedef struct sb_layout {
    uint64_t rows, row, step;
} sb_layout;

/* The layout of an array with the member `leading`, and its elements with gaps. False: the step is less than the row, or there are more
 * than 2^32 elements. */
bool sb_layout_of(const sb_algorithm *algorithm, const sb_field *field, const uint64_t *parameters, sb_layout *layout,
                  uint64_t *length);

#endif
