/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0x.decode/bitmask: contract in ref/rle0x.h.
 *
 * Finds the runs in a mask of the zeros among 64 bytes (sb_decode_group in rle0/zeros.h). Literals and runs are decoded
 * one by one near the end of the code, near the capacity of the output, and where a count is 0 or takes more than one
 * byte. A code that decodes to more bytes than the output has capacity for is invalid.
 *
 * Source: ref/rle0x.h.
 */
#include "../rle0/zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

/* Reads the count at code[*i] and advances *i; returns 0 if the count is invalid. */
static inline uint64_t take_count(const uint8_t *code, uint64_t n, uint64_t *i)
{
    uint64_t run = 0;

    for (; *i < n && code[*i] == 255; ++*i)
        run += 255;
    return *i == n ? 0 : run + code[(*i)++];
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters;
    (void)workspace;
    return sb_decode_zeros(&inputs[SB_RLE0X_IN], &outputs[SB_RLE0X_OUT], 254, take_count); /* 255: more bytes follow */
}

extern const sb_variant sb_cpu_rle0x_decode_bitmask[];
const sb_variant sb_cpu_rle0x_decode_bitmask[] = {
    {"rle0x.decode", "bitmask", "runs from a bitmask of 64 bytes; stores of 16 bytes", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
