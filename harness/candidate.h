/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Candidates of `--untrusted`: sources whose author may want to win by other means than a right and fast kernel.
 */
#ifndef HARNESS_CANDIDATE_H
#define HARNESS_CANDIDATE_H

#include <stdbool.h>
#include <stddef.h>

/* Compiles FILE.cu for simt, simt-check or cuda, or FILE.c for cpu, together with the judge's own device, in a sandbox that shows
 * the file's folder, the compilers and the headers. The source has the variants only: it defines samebits_variants, as SB_VARIANTS
 * does, and no samebits_device. Returns the module, a file that is alone in a folder of its own; the caller removes it by
 * sb_candidate_remove. NULL: `error` says why there is none. */
char *sb_candidate_build(const char *source, const char *device, char *error, size_t size);

/* The module of the judge's device and one variant, which does nothing. */
char *sb_candidate_idle(const char *device, char *error, size_t size);

void sb_candidate_remove(char *module);

/* Is it a source for cpu (FILE.c) rather than for CUDA devices (FILE.cu)? */
bool sb_candidate_is_c(const char *source);

#endif
