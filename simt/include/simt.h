/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The interface of the machine for programs that control it. Everything else is plain CUDA.
 *
 * A program need not use it. Then each finding is printed on stderr as `simt: error: KIND: ...`, and the program exits
 * with status 86: at once if a launch cannot continue, otherwise when the program would have ended. The environment
 * variable SIMT_OPTIONS sets the seed, the kinds of findings, where they are written and more: simtcc(1) lists its
 * options. An unknown option or an invalid value ends the program with status 2.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* Sets the seed of the schedule of the following launches: the order of blocks, how many of them are resident, which thread runs next. A
 * program that calls this tests kernels, so from then on blocks start in any order, as CUDA allows; otherwise they start by their index,
 * as on every GPU. SIMT_OPTIONS=blocks=index or blocks=any decides it for both. The same seed and the same launches give the same run.
 * Seed 0 runs one block at a time and the threads in turn; in the plain build a kernel that simtcc divided (simtcc(1), threads) is then
 * loops over its threads, as it is without a seed. Also clears errors, sticky ones included, and findings that were not taken; memory
 * stays. */
void simt_seed(uint64_t seed);

/* Takes the oldest finding, as text without the leading `simt: error: `. Returns 1, or 0 if there is none. From the
 * first call on, which may have size 0, findings are kept for this function and no longer printed. */
int simt_finding(char *text, size_t size);

/* Were this program's kernels built with access checks? */
int simt_is_checking(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
