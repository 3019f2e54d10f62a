/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Distributions of floats, for contracts whose arrays have shapes: docs/FORMAT.md, *Arrays with shapes*.
 */
#ifndef HARNESS_VALUES_H
#define HARNESS_VALUES_H

#include "../common/algorithm.h"
#include "../common/random.h"

/* Their names, NULL-terminated. The first is `exact`. Of contracts that bound sums of products there are two more, at the front: `signs` and
 * `wide`, whose sums are exact as well. */
extern const char *const *const sb_value_names;
extern const char *const sb_sum_value_names[];

bool sb_is_values(const char *name);

/* Fills an array of any type but SB_AFFINE; of rows of `row` elements. `chosen`: under `wide` it has the wide numbers. Of integers, `exact`,
 * `signs`, `powers` and `zeros` make small ones, and all other names random bits; with a `bound` above 0, `equal` makes equal ones, `ramp` 0, 1, 2, ... and `outlier` the first and the last
 * index, modulo the bound as all. */
void sb_make_values(const char *name, sb_array *array, uint64_t row, uint64_t bound, bool chosen, sb_random *random);

#endif
