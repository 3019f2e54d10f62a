/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Candidates of `--untrusted`: sources whose author may want to win by other means than a right and fast kernel.
 */
#ifndef HARNESS_CANDIDATE_H
#define HARNESS_CANDIDATE_H

#include "sandbox.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compiles the sources of one candidate, FILE[,FILE...], together with the judge's own device, in a sandbox that shows these files
 * alone, the compilers and the headers: the contract may lie beside them. For simt, simt-check and cuda at least one is FILE.cu, for
 * cpu FILE.c; the others may be C and headers. Together they have the variants only: they define samebits_variants, as SB_VARIANTS
 * does, and no samebits_device. Returns the module, a file that is alone in a folder of its own; the caller removes it by
 * sb_candidate_remove. NULL: `error` says why there is none. */
char *sb_candidate_build(const char *sources, const char *device, char *error, size_t size);

/* Does it name libraries of the CUDA toolkit, as -lNAME among the files? They are in the sandbox of its worker, too. */
bool sb_candidate_has_libraries(const char *sources);

/* The flags of the judge's device. The worker says them, too, but a candidate in it may have changed them, as small cases are made for
 * a slow device. */
uint32_t sb_candidate_flags(const char *device);

/* The module of the judge's device and of a variant that does nothing; in CUDA also of one that copies half of the bytes of all arrays to the
 * other half. */
char *sb_candidate_idle(const char *device, char *error, size_t size);

void sb_candidate_remove(char *module);

/* Runs a command of bwrap with the limits of a compiler, and with its output to the descriptor. False: it did not end well, or not in time. */
bool sb_candidate_run(const sb_command_line *line, int log);

/* Are they sources for cpu, without a FILE.cu? */
bool sb_candidate_is_c(const char *sources);

#endif
