/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0x.encode/bitmask: contract in ref/rle0x.h.
 *
 * A mask of the zeros among 64 bytes finds runs and literals (sb_encode_zeros in rle0/zeros.h).
 *
 * Source: ref/rle0x.h.
 */
#include "../rle0/zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <stddef.h>

static inline void *put_run(void *to, uint64_t run)
{
    uint8_t *code = to;
    const bool some = run > 0;

    code[0] = 0;
    for (code += some; run >= 255; run -= 255)
        *code++ = 255;
    *code = (uint8_t)run;
    return code + some;
}

static const sb_writers writers = {.run = put_run, .row = sb_write_row, .byte = sb_write_byte};

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters;
    (void)workspace;
    return sb_encode_to_bytes(&inputs[SB_RLE0X_IN], &outputs[SB_RLE0X_OUT], &writers);
}

extern const sb_variant sb_cpu_rle0x_encode_bitmask[];
const sb_variant sb_cpu_rle0x_encode_bitmask[] = {
    {"rle0x.encode", "bitmask", "runs from a bitmask of 64 bytes; literals copied 16 at a time", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
