/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program may ask of the machine that its kernels run on. Everything else is plain CUDA.
 *
 * Programs that use none of this: each finding is printed on stderr as `simt: error: KIND: ...` and the program ends
 * with status 86, at once when a launch cannot go on, else when it would have ended. The environment variable
 * SIMT_OPTIONS sets the seed, which findings are wanted, where they go and more: simtcc(1) has the list. An option that
 * does not exist, or a value that does not fit, ends the program with status 2.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* From now on launches run in the order that this seed gives: the order of blocks, how many are resident, which thread
 * runs next. The same seed and the same launches give the same run. Seed 0 is the order a reader expects: one block at
 * a time, threads in turn. Also clears errors, even sticky ones, and findings not yet taken; memory stays. */
void simt_seed(uint64_t seed);

/* Takes the oldest finding, as text without the leading `simt: error: `. 1: there was one; 0: none. After the first
 * call, which may have size 0, findings are kept for this function and no longer printed. */
int simt_finding(char *text, size_t size);

/* Were this program's kernels built with access checks? */
int simt_is_checking(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
