/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sources that the result of a CUDA variant depends on, as one hash.
 */
#ifndef HARNESS_SOURCES_H
#define HARNESS_SOURCES_H

#include <stdint.h>

/* Hashes the file below `root`/gpu that registers the variant, the descriptor and the corpus file of its algorithm, and what
 * these include from ref/, gpu/ and include/samebits/prim/: 64-bit FNV-1a over the texts in the order of their names, comments stripped and white
 * space squeezed. 0: not exactly one file registers the variant. */
uint64_t sb_hash_sources(const char *root, const char *algorithm, const char *name);

#endif
