/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tolerances of outputs that a contract declares: sb_tolerance of <samebits/contract.h>.
 */
#ifndef HARNESS_TOLERANCE_H
#define HARNESS_TOLERANCE_H

#include "../common/algorithm.h"

/* The element whose error is the largest part of its bound. */
typedef struct sb_worst {
    size_t output;
    uint64_t element;
} sb_worst;

/* Is every element of `got` right? One of the results has the exact numbers of a reference on views, and lengths and types are
 * equal. False: `why` names the worst element, its error and its bound. */
bool sb_tolerances_hold(const sb_case *c, const sb_result *expected, const sb_result *got, sb_worst *worst, char *why,
                        size_t size);

#endif
