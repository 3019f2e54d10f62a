/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CPU variants of mtf share this code, which applies a coder of one chunk to all chunks of a case.
 */
#ifndef CPU_MTF_CHUNKS_H
#define CPU_MTF_CHUNKS_H

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

/* Codes one chunk of n bytes, with a fresh list. */
typedef void sb_chunk_coder(const uint8_t *in, uint64_t n, uint8_t *out);

/* The encoder with the widest vectors that this processor supports: mtf.encode/simd. */
sb_chunk_coder *sb_cpu_mtf_encoder(void);

static inline sb_status sb_code_chunks(sb_chunk_coder *code, const uint64_t *parameters, const sb_array *inputs,
                                       sb_array *outputs)
{
    const uint8_t *in = inputs[SB_MTF_IN].data;
    uint8_t *out = outputs[SB_MTF_OUT].data;
    uint64_t n = inputs[SB_MTF_IN].length;
    uint64_t chunk = parameters[SB_MTF_CHUNK];

    for (uint64_t first = 0, length; first < n; first += length) {
        length = chunk != 0 && chunk < n - first ? chunk : n - first;
        code(in + first, length, out + first);
    }
    return SB_OK;
}

#endif
