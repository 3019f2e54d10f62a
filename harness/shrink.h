/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes a failing case small: simplifies parameters, shortens arrays by delta debugging and simplifies elements. Every
 * candidate is normalised, so that it is well-formed.
 */
#ifndef HARNESS_SHRINK_H
#define HARNESS_SHRINK_H

#include "../common/case.h"

/* Does this case still fail (in the way that matters to the caller)? */
typedef bool (*sb_still_fails)(const sb_case *c, void *context);

/* Replaces `c`, which is known to fail, by the smallest failing case that it finds with at most `attempts` calls of
 * the predicate. It is deterministic. Returns the number of calls. If memory runs out, it stops with the best case so
 * far. */
unsigned sb_shrink(sb_case *c, sb_still_fails fails, void *context, unsigned attempts);

#endif
