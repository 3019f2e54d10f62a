/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the CUDA Core Compute Libraries are: the directory of cub/, thrust/ and cuda/std/. It is looked for in a CUDA toolkit:
 * CUDA_HOME, CUDA_PATH, the one whose nvcc is on PATH, /usr/local/cuda. --cccl=DIR names it; --cccl=none leaves it out.
 * Debian's libcub-dev and libthrust-dev need nothing, because the compiler finds them.
 */
#ifndef SIMTCC_CCCL_H
#define SIMTCC_CCCL_H

#include "text.h"

#include <stdbool.h>

/* NULL: there is none. Valid to the end of the program. */
const char *cc_cccl_directory(const char *option);

bool cc_is_cccl_directory(const char *directory);

/* Their directory below a toolkit's directory of headers, or NULL. Valid to the end of the program. */
const char *cc_cccl_of_headers(const char *directory);

/* Does the preprocessed text include CUB? */
bool cc_uses_cub(const cc_text *text);

#endif
