/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.decode/bitmask: contract in ref/rle0.h.
 *
 * A mask says which of 64 bytes are 0: sb_decode_group. Where code or room may end, and at a count of 0, items are
 * taken one by one. What stands for more than there is room for is invalid.
 */
#include "zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

/* The count at *i, behind which *i is left; 0 when it is invalid. */
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
    {"rle0.decode", "bitmask", "runs from masks of 64 bytes, literals and zeros by 16", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
