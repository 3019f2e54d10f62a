/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Selection. Ranks count from the largest key, duplicates included: k = 1 is the largest, k = n the smallest. Keys are
 * ordered as in key.h, where equal keys have equal bits, so every result is unique. k = 0 and k > n are invalid, so with
 * n = 0 every k is. All return SB_REF_OK, SB_REF_INVALID or SB_REF_NO_MEMORY.
 */
#ifndef REF_SELECT_H
#define REF_SELECT_H

#include "ref.h"
#include "type.h"

/* Writes the k-th largest of n keys. */
sb_ref_status sb_ref_select_kth(sb_ref_type type, const void *keys, uint64_t n, uint64_t k, void *key);

/* Writes the k[i]-th largest key to key[i], for i below m. Ranks are in any order, and may be equal. m = 0 is valid for
 * every n. */
sb_ref_status sb_ref_select_multi(sb_ref_type type, const void *keys, uint64_t n, const uint64_t *k, uint64_t m,
                                  void *key);

/* Writes the k largest keys in descending order, and the index of each; of equal keys the one with the lower index comes
 * first. n >= 2^32 is invalid. */
sb_ref_status sb_ref_select_topk(sb_ref_type type, const void *keys, uint64_t n, uint64_t k, void *key,
                                 uint32_t *index);

/* The same for each of `rows` rows of `columns` keys: the k keys of row r come after those of the rows before it. */
sb_ref_status sb_ref_select_rows(sb_ref_type type, const void *keys, uint64_t rows, uint64_t columns, uint64_t k,
                                 void *key, uint32_t *index);

#endif
