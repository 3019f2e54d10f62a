/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What streams give to the functions for whole buffers, beside sbz.h.
 */
#ifndef SBZ_STREAM_H
#define SBZ_STREAM_H

#include "allocate.h"
#include <sbz.h>
#include <stdbool.h>

/* The block size and the block limit that the parameters ask for, in bytes. False: the parameters are invalid. */
bool sbz_parameters_blocks(const sbz_parameters *parameters, uint32_t *block, uint32_t *limit);

/* Bytes that a block may need in decompression. */
/* That of the parameters; malloc if they are NULL or invalid. */
sbz_allocator sbz_parameters_allocator(const sbz_parameters *parameters);
uint64_t sbz_parameters_memory(const sbz_parameters *parameters);

/* As sbz_compressor_open, for a source of `size` bytes. UINT64_MAX: unknown. */
sbz_result sbz_compressor_open_sized(sbz_stream **stream, const sbz_parameters *parameters, uint64_t size,
                                     sbz_source source, void *from);

#endif
