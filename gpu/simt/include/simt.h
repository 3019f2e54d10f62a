/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program may ask of the machine that its kernels run on. Everything else is plain CUDA.
 *
 * Programs that use none of this: each finding is printed on stderr as `simt: error: KIND: ...` and the program ends
 * with status 86, at once when a launch cannot go on, else when it would have ended. The environment variable
 * SIMT_OPTIONS is a list of NAME=NUMBER separated by spaces or commas: seed (default 1), resident (blocks at a time, 0:
 * from the seed), max_reports (default 32), hang (accesses without progress that make a hang), memory (bytes of the
 * device), race and uninit (0: no such findings), preempt (how often threads are stopped at plain accesses in a
 * launch) and weak (1: loads may return older values that the memory model permits; 0: not); those two from the seed
 * when they are not given.
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
