/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ranks of quantised local frequency coding (QLFC): one rank for each run of equal bytes. It says how many other
 * symbols come before the same symbol comes again.
 *
 * encode: the bytes are split into maximal runs. `length` has the length of each run. `rank` has for each run the
 * number of distinct symbols strictly between it and the next run of the same symbol, or, if there is none, in all
 * later runs. `order` has each symbol that occurs once, in order of first appearance. `runs` and `symbols` are set to
 * the numbers of elements, which are 0 if n is 0. `rank` and `length` must have capacity for n elements, `order` for
 * 256. 2^32 bytes or more are invalid. Example: "swiss miss" gives ranks 2,4,3,3,3,2,1,0, lengths 1,1,1,2,1,1,1,2,
 * order s,w,i,space,m.
 *
 * decode: exactly the outputs of encode are valid. Invalid are
 * - a symbol that `order` has twice, or that occurs in no run;
 * - a length of 0, and lengths that add up to 2^32 or more;
 * - a rank that is not below `symbols`;
 * - a rank of 0 in any run but the last, because the next run would have the same symbol;
 * - the rank of a symbol's last run, if it is not the number of distinct symbols after that run.
 * `bytes` must have capacity for as many bytes as the lengths add up to. With `bytes` NULL only validity is checked.
 *
 * The ranks are those of move-to-front from the last run to the first, with a list that is initially empty: a symbol
 * that is not in the list of s symbols has rank s. `order` is the list at the end, which is at the start of the bytes.
 * The decoder starts with this list, takes the next symbol from its front and moves it back to the position that its
 * rank says.
 *
 * Source: the block-sorting compressors QAD (F. Ghido) and bsc (I. Grebnov) code these ranks after the Burrows-Wheeler
 * transform; move-to-front: Bentley, Sleator, Tarjan and Wei 1986 (mtf.h).
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
