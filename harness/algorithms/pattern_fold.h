/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of reduce and scan have in common: the pairs of type and operator, which items are well-formed,
 * and when a sum of floats is right. The parameters are type and op, in this order, and the first input is the items.
 *
 * Sums of floats are compared in two ways (ref/sum.h). On an exact case every order of additions gives the same bytes.
 * All other cases must be real: finite items, at most 2^(p-2) of them, whose magnitudes add up to at most half of the
 * largest number; there a sum is right when it is within the bound. Cases that are neither are not well-formed.
 */
#ifndef HARNESS_ALGORITHMS_PATTERN_FOLD_H
#define HARNESS_ALGORITHMS_PATTERN_FOLD_H

#include "../../core/algorithm.h"

extern const char *const sb_fold_ops[];

bool sb_fold_normalise(sb_case *c);
bool sb_fold_shape(const sb_case *c, char *why, size_t size);

/* Is it an exact case? Integer and affine cases are none. */
bool sb_fold_is_exact(const sb_case *c);

/* Are these sums, of floats, within the bound: `prefixes` of the first `skip`, `skip` + 1, ... items? An exact case has
 * no bound. `name` is the output's, for `why`. */
bool sb_fold_within(const sb_case *c, const sb_array *sums, uint64_t skip, const char *name, char *why, size_t size);

/* Nanoseconds of a fold by the reference. */
double sb_fold_cost(const sb_case *c);

#endif
