/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of algorithms on ascending keys share. Keys are ordered as in ref/key.h.
 */
#ifndef HARNESS_ALGORITHMS_KEYS_H
#define HARNESS_ALGORITHMS_KEYS_H

#include "../../common/algorithm.h"

/* Are the keys ascending? `name` is that of the array, for `why`. */
bool sb_keys_ascend(const sb_array *keys, const char *name, char *why, size_t size);

/* Sorts the keys, and with them the values, unless these are NULL or empty. Returns false only for want of memory. */
bool sb_keys_sort(sb_array *keys, sb_array *values);

/* Makes two arrays of arbitrary keys ascending. In half of the cases, the lowest bit of the first key of a decides, every other
 * key of b is first replaced by one of a: arbitrary keys have none in common. */
bool sb_keys_make_common(sb_array *a, sb_array *b);

#endif
