/* SPDX-License-Identifier: BSD-2-Clause
 *
 * zrun.encode/bitmask: contract in ref/zrun.h.
 *
 * A mask of the zeros among 64 ranks finds runs and rows of other ranks (sb_encode_zeros in rle0/zeros.h). Rows become
 * symbols 16 at a time, rounded up; the surplus is overwritten, because there are never more symbols than ranks. The
 * digits of a run of r are the bits of r + 1 without the highest one: that is bijective base 2. The last ranks are
 * encoded one by one.
 *
 * Source: the zero-run coding of D. Wheeler (ref/zrun.h).
 */
#include "../rle0/zeros.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

static inline void *put_run(void *to, uint64_t run)
{
    uint16_t *symbols = to;

    for (uint64_t digits = run + 1; digits > 1; digits /= 2)
        *symbols++ = digits % 2;
    return symbols;
}

static inline void *put_row(void *to, const uint8_t *ranks, unsigned count)
{
    uint16_t *symbols = to;

    for (unsigned first = 0; first < count; first += SB_STRIDE)
        for (unsigned i = 0; i < SB_STRIDE; i++)
            symbols[first + i] = (uint16_t)(ranks[first + i] + 1);
    return symbols + count;
}

static inline void *put_rank(void *to, uint8_t rank)
{
    *(uint16_t *)to = (uint16_t)(rank + 1);
    return (uint16_t *)to + 1;
}

static const sb_writers writers = {.run = put_run, .row = put_row, .byte = put_rank};

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array *in = &inputs[SB_ZRUN_IN];
    sb_array *out = &outputs[SB_ZRUN_OUT];

    (void)parameters;
    (void)workspace;
    if (in->length > UINT32_MAX)
        return SB_INVALID;
    if (out->capacity < in->length)
        return SB_FAILED;
    out->length =
        (uint64_t)((uint16_t *)sb_encode_zeros(in->data, in->length, out->data, &writers) - (uint16_t *)out->data);
    return SB_OK;
}

extern const sb_variant sb_cpu_zrun_encode_bitmask[];
const sb_variant sb_cpu_zrun_encode_bitmask[] = {
    {"zrun.encode", "bitmask", "a mask of 64 ranks finds runs; other ranks by 16", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
