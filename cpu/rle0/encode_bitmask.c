/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.encode/bitmask: contract in ref/rle0.h.
 *
 * Finds runs and literals in a mask of the zeros among 64 bytes (sb_encode_zeros in zeros.h).
 *
 * Source: ref/rle0.h.
 */
#include "zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

/* Without a branch on run > 0: for 0 it writes two bytes as well, which the literal that follows overwrites. */
static inline void *put_run(void *to, uint64_t run)
{
    uint8_t *code = to;

    for (; run > 255; run -= 255) {
        *code++ = 0;
        *code++ = 255;
    }
    code[0] = 0;
    code[1] = (uint8_t)run;
    return code + (run > 0 ? 2 : 0);
}

static const sb_writers writers = {.run = put_run, .row = sb_write_row, .byte = sb_write_byte};

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters;
    (void)workspace;
    return sb_encode_to_bytes(&inputs[SB_RLE0_IN], &outputs[SB_RLE0_OUT], &writers);
}

extern const sb_variant sb_cpu_rle0_encode_bitmask[];
const sb_variant sb_cpu_rle0_encode_bitmask[] = {
    {"rle0.encode", "bitmask", "runs from a bitmask of 64 bytes; literals copied 16 at a time", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
