/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0x.decode/masks: contract in ref/rle.h.
 *
 * A mask says which of 64 bytes are 0: sb_decode_group. Where code or room may end, and at a count of 0 or of more
 * bytes than one, items are taken one by one. What stands for more than there is room for is invalid.
 */
#include "../rle0/zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

/* The count at *i, behind which *i is left; 0 when it is invalid. */
static inline uint64_t take_count(const uint8_t *code, uint64_t n, uint64_t *i)
{
    uint64_t run = 0;

    for (; *i < n && code[*i] == 255; ++*i)
        run += 255;
    return *i == n ? 0 : run + code[(*i)++];
}

static sb_status decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t room, uint64_t *length)
{
    uint8_t *to = bytes, *end = bytes + room;

    for (uint64_t i = 0; i < n;) {
        if (n - i >= SB_AHEAD && end - to >= SB_MOST)
            i += sb_decode_group(code + i, &to, 254);
        if (code[i] != 0) {
            if (to == end)
                return SB_INVALID;
            *to++ = code[i++];
        } else {
            uint64_t run;

            i++;
            run = take_count(code, n, &i);
            if (run == 0 || (uint64_t)(end - to) < run)
                return SB_INVALID;
            memset(to, 0, run);
            to += run;
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

extern const sb_variant sb_cpu_rle0x_decode_masks[];
const sb_variant sb_cpu_rle0x_decode_masks[] = {
    {"rle0x.decode", "masks", "runs from masks of 64 bytes, literals and zeros by 16", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
