/* SPDX-License-Identifier: BSD-2-Clause
 *
 * zrun.decode/branchless: contract in ref/zrun.h.
 *
 * All ranks are first set to 0. A digit advances the end of the output by its value and writes a 0 that is already
 * there; any other symbol writes its rank and advances the end by one. Which of the two a symbol is cannot be
 * predicted, so only faults branch. A code that represents more ranks than the output has capacity for is invalid.
 *
 * Source: the zero-run coding of D. Wheeler (ref/zrun.h).
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>
#include <string.h>

enum { MAX_SYMBOL = 256 };

static sb_status decode(const uint16_t *symbols, uint64_t n, uint8_t *ranks, uint64_t capacity, uint64_t *length)
{
    uint64_t end = 0;
    unsigned digit_index = 0; /* at most 32: that many digits are worth at least 2^32 - 1 */

    memset(ranks, 0, capacity);
    for (uint64_t i = 0; i < n; i++) {
        const unsigned symbol = symbols[i], is_digit = 0u - (symbol < 2); /* all ones or 0 */
        const uint64_t count = (uint64_t)(1 + (symbol & is_digit)) << (digit_index & is_digit);

        if (symbol > MAX_SYMBOL || count > capacity - end)
            return SB_INVALID;
        ranks[end] = (uint8_t)((symbol - 1) & ~is_digit);
        end += count;
        digit_index = (digit_index + 1) & is_digit;
    }
    *length = end;
    return SB_OK;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array *in = &inputs[SB_ZRUN_IN];
    sb_array *out = &outputs[SB_ZRUN_OUT];

    (void)parameters;
    (void)workspace;
    return decode(in->data, in->length, out->data, out->capacity < UINT32_MAX ? out->capacity : UINT32_MAX,
                  &out->length);
}

extern const sb_variant sb_cpu_zrun_decode_branchless[];
const sb_variant sb_cpu_zrun_decode_branchless[] = {
    {"zrun.decode", "branchless", "digits and ranks advance one index, without a branch", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
