/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The k-th largest of n keys, duplicates counted: k = 1 is the largest, k = n the smallest. Keys are ordered as in
 * key.h, so the answer is one to the bit. k = 0 and k > n are invalid (so every k is when n = 0). Writes one key.
 * Returns SB_REF_OK, SB_REF_INVALID or SB_REF_NO_MEMORY.
 */
#ifndef REF_SELECT_H
#define REF_SELECT_H

#include "ref.h"
#include "type.h"

sb_ref_status sb_ref_select_kth(sb_ref_type type, const void *keys, uint64_t n, uint64_t k, void *key);

#endif
