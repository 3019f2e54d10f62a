/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tolerances of outputs that a contract declares: sb_tolerance of <samebits/contract.h>.
 */
#ifndef HARNESS_TOLERANCE_H
#define HARNESS_TOLERANCE_H

#include "../common/algorithm.h"

/* The element whose error is the largest part of its bound. */
typedef struct sb_worst {
    double part; /* at most 1: it is right; 0: all elements are those of the reference */
    size_t output;
    uint64_t element;
    char name[96]; /* of the element: y[0][3] */
} sb_worst;

/* Has the algorithm an output of which an element may be right without being the reference's? */
bool sb_has_bounds(const sb_algorithm *algorithm);

/* Is every element of `got` right? One of the results has the exact numbers of a reference on views, and lengths and types are
 * equal. Always sets `worst`. False: `why` names the worst element, its error and its bound. */
bool sb_tolerances_hold(const sb_case *c, const sb_result *expected, const sb_result *got, sb_worst *worst, char *why,
                        size_t size);

#endif
