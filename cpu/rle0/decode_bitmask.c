/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.decode/bitmask: contract in ref/rle0.h.
 *
 * A mask of the zeros among 64 bytes finds the runs (sb_decode_group in rle0/zeros.h). Near the end of the code or of
 * the output's capacity, and at a count of 0, items are decoded one by one. A code that represents more bytes than the
 * output has capacity for is invalid.
 *
 * Source: ref/rle0.h.
 */
#include "zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

/* Reads the count at code[*i] and advances *i; returns 0 if the count is invalid. */
static inline uint64_t take_count(const uint8_t *code, uint64_t n, uint64_t *i)
{
    return *i == n ? 0 : code[(*i)++];
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters;
    (void)workspace;
    return sb_decode_zeros(&inputs[SB_RLE0_IN], &outputs[SB_RLE0_OUT], 255, take_count);
}

extern const sb_variant sb_cpu_rle0_decode_bitmask[];
const sb_variant sb_cpu_rle0_decode_bitmask[] = {
    {"rle0.decode", "bitmask", "runs from a bitmask of 64 bytes; stores of 16 bytes", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
