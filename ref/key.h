/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The total order of keys: integers by value, floats by totalOrder of IEEE 754-2008, section 5.10. Negative floats come
 * before positive ones. Among positive floats the order is that of the bits: numbers, then infinity, then NaNs by their
 * bits. Among negative floats it is the reverse. So -NaN < -inf < -1 < -0 < +0 < 1 < inf < NaN, and two keys are equal
 * only if their bits are.
 */
#ifndef REF_KEY_H
#define REF_KEY_H

#include "type.h"
#include <stdbool.h>

/* Is key i of the array `left` less than key j of the array `right`? Any type but affine. */
bool sb_ref_key_less(sb_ref_type type, const void *left, uint64_t i, const void *right, uint64_t j);

#endif
