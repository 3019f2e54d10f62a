/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.encode/masks: contract in ref/rle.h.
 *
 * A mask says which of 64 bytes are 0. Runs and rows of other bytes are found by counting its low bits, and literals
 * are copied by 16, more than there are if need be: what is too much is overwritten, for the code has room for two
 * bytes where the input has one. The last bytes are taken one by one.
 */
#include "zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

enum { AHEAD = SB_GROUP + SB_STRIDE }; /* how far a group reads */

static inline uint8_t *put_run(uint8_t *code, uint64_t run)
{
    for (; run > 255; run -= 255) {
        *code++ = 0;
        *code++ = 255;
    }
    code[0] = 0;
    code[1] = (uint8_t)run;
    return code + (run > 0 ? 2 : 0);
}

/* The code of a group, behind a run that is still open; leaves in `run` the one at its end. */
static inline uint8_t *encode_group(const uint8_t *bytes, uint8_t *code, uint64_t *run)
{
    uint64_t zeros = sb_zeros(bytes);

    for (unsigned k = 0; k < SB_GROUP;) {
        unsigned row = sb_low_zeros(~(zeros >> k)); /* shifting makes bytes behind the group look like others than 0 */

        *run += row;
        k += row;
        if (k == SB_GROUP)
            break;
        code = put_run(code, *run);
        *run = 0;
        row = sb_low_zeros(zeros >> k);
        if (row > SB_GROUP - k)
            row = SB_GROUP - k;
        sb_copy_strides(code, bytes + k, row);
        code += row;
        k += row;
    }
    return code;
}

static uint64_t encode(const uint8_t *bytes, uint64_t n, uint8_t *code)
{
    uint64_t i = 0, run = 0;
    uint8_t *to = code;

    for (; n - i >= AHEAD; i += SB_GROUP)
        to = encode_group(bytes + i, to, &run);
    for (; i < n; i++) {
        if (bytes[i] == 0) {
            run++;
            continue;
        }
        to = put_run(to, run);
        *to++ = bytes[i];
        run = 0;
    }
    return (uint64_t)((run > 0 ? put_run(to, run) : to) - code);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array *in = &inputs[SB_RLE_IN];
    sb_array *out = &outputs[SB_RLE_OUT];

    (void)parameters;
    (void)workspace;
    if (out->capacity / 2 < in->length)
        return SB_FAILED;
    out->length = encode(in->data, in->length, out->data);
    return SB_OK;
}

extern const sb_variant sb_cpu_rle0_encode_masks[];
const sb_variant sb_cpu_rle0_encode_masks[] = {
    {"rle0.encode", "masks", "runs from masks of 64 bytes, literals by 16", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
