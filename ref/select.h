/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The k-th largest of n keys, duplicates counted: k = 1 is the largest, k = n the smallest. Keys are ordered as in
 * key.h, where equal keys have equal bits, so the result is unique. k = 0 and k > n are invalid, so with n = 0 every k
 * is. Writes one key. Returns SB_REF_OK, SB_REF_INVALID or SB_REF_NO_MEMORY.
 */
#ifndef REF_SELECT_H
#define REF_SELECT_H

#include "ref.h"
#include "type.h"

sb_ref_status sb_ref_select_kth(sb_ref_type type, const void *keys, uint64_t n, uint64_t k, void *key);

#endif
