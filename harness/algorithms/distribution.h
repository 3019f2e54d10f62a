/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys of named distributions, which measurements of selection are made with. docs/FORMAT.md specifies each: integer arithmetic
 * alone decides, so the same seed gives the same bits everywhere.
 */
#ifndef HARNESS_ALGORITHMS_DISTRIBUTION_H
#define HARNESS_ALGORITHMS_DISTRIBUTION_H

#include "../../common/random.h"
#include <samebits/module.h>
#include <stdbool.h>

/* Gives every key of the array a value. Types: u32, i32, u64, f32, f64. False: there is no distribution of that name. */
bool sb_distribute(sb_array *keys, const char *name, sb_random *random);

#endif
