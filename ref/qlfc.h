/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Quantised local frequency coding, the ranks of it: a rank for each run of equal bytes, that says how many other
 * symbols come before the same one comes again.
 *
 * encode: the bytes are taken as runs, each as long as it is. The rank of a run is the number of distinct symbols
 * strictly between it and the next run of the same symbol, or in all later runs if there is none. `order` has each
 * symbol once, by first appearance. "swiss miss": ranks 2,4,3,3,3,2,1,0; lengths 1,1,1,2,1,1,1,2; order s,w,i,space,m.
 * All three are empty when n is 0. There is room for n ranks, n lengths and 256 symbols; `runs` and `symbols` are set
 * to how many there are. 2^32 bytes or more are invalid.
 *
 * decode: valid is what encode gives, and nothing else. Invalid are: a symbol that `order` has twice or that never
 * comes, a length of 0, a rank that is not less than `symbols`, a rank of 0 (the same symbol again at once) anywhere
 * but in the last run, the rank of a symbol's last run that is not the number of distinct symbols after it, and lengths
 * that add up to 2^32 or more. `bytes` has room for as many as the lengths say, or is NULL: then only validity is found
 * out.
 *
 * The ranks are those of a move to front from the back, whose list begins empty: a symbol that is not yet in the list
 * of s symbols has rank s. What the list has become at the start of the bytes is `order`. The decoder has this list,
 * takes the next symbol from its front and moves it back to its rank.
 *
 * Source: the ranks that Ghido's block sorter QAD and bsc code after the transform.
 */
#ifndef REF_QLFC_H
#define REF_QLFC_H

#include "ref.h"
#include <stdint.h>

sb_ref_status sb_ref_qlfc_encode(const uint8_t *bytes, uint64_t n, uint8_t *rank, uint32_t *length, uint64_t *runs,
                                 uint8_t *order, uint64_t *symbols);
sb_ref_status sb_ref_qlfc_decode(const uint8_t *rank, const uint32_t *length, uint64_t runs, const uint8_t *order,
                                 uint64_t symbols, uint8_t *bytes);

#endif
