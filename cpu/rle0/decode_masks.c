/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.decode/masks: contract in ref/rle.h.
 *
 * In a valid code each 0 begins a run. So a mask of the zeros among 64 bytes finds the next run, literals are copied by
 * 16, and a run's zeros are stored by 16 as well, more than there are if need be. Where code or room may end, items are
 * taken one by one. What stands for more than there is room for is invalid.
 */
#include "zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

enum {
    AHEAD = SB_GROUP + SB_STRIDE,                    /* how far a group reads: a run's count may lie behind it */
    MOST = SB_GROUP / 2 * 255 + SB_GROUP + SB_STRIDE /* how far it writes */
};

static inline void put_zeros(uint8_t *bytes, unsigned count)
{
    memset(bytes, 0, SB_STRIDE);
    if (count > SB_STRIDE)
        memset(bytes + SB_STRIDE, 0, count - SB_STRIDE);
}

/* Decodes a group, and the count behind it if a run begins in its last byte. Returns how many bytes of code that is; 0
 * when it is invalid. */
static inline unsigned decode_group(const uint8_t *code, uint8_t **bytes)
{
    uint64_t zeros = sb_zeros(code);
    uint8_t *to = *bytes;
    unsigned k = 0;

    while (k < SB_GROUP) {
        unsigned row = sb_low_zeros(zeros >> k), count;

        if (row > SB_GROUP - k)
            row = SB_GROUP - k;
        sb_copy_strides(to, code + k, row);
        to += row;
        k += row;
        if (k == SB_GROUP)
            break;
        count = code[k + 1];
        if (count == 0)
            return 0;
        put_zeros(to, count);
        to += count;
        k += 2;
    }
    *bytes = to;
    return k;
}

static sb_status decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t room, uint64_t *length)
{
    uint8_t *to = bytes, *end = bytes + room;

    for (uint64_t i = 0; i < n;) {
        if (n - i >= AHEAD && end - to >= MOST) {
            unsigned taken = decode_group(code + i, &to);

            if (taken == 0)
                return SB_INVALID;
            i += taken;
        } else if (code[i] != 0) {
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
