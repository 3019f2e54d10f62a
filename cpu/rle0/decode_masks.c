/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.decode/masks: contract in ref/rle.h.
 *
 * A mask says which of 64 bytes are 0: sb_decode_group. Where code or room may end, and at a count of 0, items are
 * taken one by one. What stands for more than there is room for is invalid.
 */
#include "zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

static sb_status decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t room, uint64_t *length)
{
    uint8_t *to = bytes, *end = bytes + room;

    for (uint64_t i = 0; i < n;) {
        if (n - i >= SB_AHEAD && end - to >= SB_MOST)
            i += sb_decode_group(code + i, &to, 255);
        if (code[i] != 0) {
            if (to == end)
                return SB_INVALID;
            *to++ = code[i++];
        } else {
            if (i + 1 == n || code[i + 1] == 0 || end - to < code[i + 1])
                return SB_INVALID;
            memset(to, 0, code[i + 1]);
            to += code[i + 1];
            i += 2;
        }
    }
    *length = (uint64_t)(to - bytes);
    return SB_OK;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array *in = &inputs[SB_RLE_IN];
    sb_array *out = &outputs[SB_RLE_OUT];

    (void)parameters;
    (void)workspace;
    return decode(in->data, in->length, out->data, out->capacity, &out->length);
}

extern const sb_variant sb_cpu_rle0_decode_masks[];
const sb_variant sb_cpu_rle0_decode_masks[] = {
    {"rle0.decode", "masks", "runs from masks of 64 bytes, literals and zeros by 16", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
