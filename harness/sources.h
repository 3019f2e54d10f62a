/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One hash of the sources on which the result of a CUDA variant depends.
 */
#ifndef HARNESS_SOURCES_H
#define HARNESS_SOURCES_H

#include <stdint.h>

/* Hashes the file below `root`/gpu that registers the variant, the descriptor and the corpus file of its algorithm,
 * and all files that these include from ref/, gpu/ and the libraries prim/ and pattern/. The hash is 64-bit FNV-1a of their
 * texts, in the order of their names, without comments and with runs of white space as one blank. 0: no file registers
 * the variant, or several do. */
uint64_t sb_hash_sources(const char *root, const char *algorithm, const char *name);

#endif
