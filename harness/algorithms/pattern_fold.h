/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of pattern.reduce, pattern.scan and pattern.segreduce share: the valid pairs of type and operator,
 * which items are well-formed, and when a sum of floats is right. The parameters are type and op, in this order; the
 * first input is the items.
 *
 * Sums of floats are compared in two ways (ref/sum.h):
 * - On an exact case every order of additions gives the same bytes.
 * - Any other case must have finite items, at most 2^(p-2) of them, whose magnitudes add up to at most half of the
 *   largest number. A sum is then right if it is within the error bound.
 * A case that satisfies neither is not well-formed.
 */
#ifndef HARNESS_ALGORITHMS_PATTERN_FOLD_H
#define HARNESS_ALGORITHMS_PATTERN_FOLD_H

#include "../../common/algorithm.h"

extern const char *const sb_fold_ops[];

bool sb_fold_normalise(sb_case *c);
bool sb_fold_shape(const sb_case *c, char *why, size_t size);

/* The two parts of sb_fold_shape and of sb_fold_normalise: the operator exists; the items are an exact or a real case. */
bool sb_fold_has_operator(const sb_case *c, char *why, size_t size);
bool sb_fold_items_fit(const sb_array *items, char *why, size_t size);
void sb_fold_make_operator(sb_case *c);
void sb_fold_make_items(sb_array *items);

/* Is this an exact case of floats? False for integer and affine types. */
bool sb_fold_is_exact(const sb_case *c);

/* Is each of these sums of floats within the bound? sums[i] is that of the first skip + i items. Always false on an
 * exact case, where only equal bytes are right. `name` is the name of the output, for `why`. */
bool sb_fold_within(const sb_case *c, const sb_array *sums, uint64_t skip, const char *name, char *why, size_t size);

/* Is sums[at], whose bytes differ from those of the reference, the sum of these items? */
bool sb_fold_sum_within(const sb_array *items, const sb_array *sums, uint64_t at, const char *name, char *why,
                        size_t size);

/* The time of a fold by the reference: 10 ns for each item. */
double sb_fold_cost(const sb_case *c);

#endif
