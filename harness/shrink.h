/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes a failing case small: delta debugging over the arrays, then simpler elements and parameters, every candidate
 * normalised so that it stays well-formed.
 */
#ifndef HARNESS_SHRINK_H
#define HARNESS_SHRINK_H

#include "../common/case.h"

/* Does this case still fail (in the way that matters to the caller)? */
typedef bool (*sb_still_fails)(const sb_case *c, void *context);

/* Replaces `c`, which is known to fail, by the smallest failing case found with at most `attempts` calls of the predicate.
 * Deterministic. Returns the number of calls. Without memory it stops early with the best case so far. */
unsigned sb_shrink(sb_case *c, sb_still_fails fails, void *context, unsigned attempts);

#endif
