/* SPDX-License-Identifier: BSD-2-Clause
 *
 * zrun.decode/branchless: contract in ref/zrun.h.
 *
 * All ranks are 0 at first. A digit moves the place of the next rank by what it is worth, and nothing is written but
 * the 0 that stands there; another symbol becomes a rank, and moves it by one. Which of both a symbol is, nobody can
 * predict, so nothing branches on it but faults. What stands for more than there is room for is invalid.
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>
#include <string.h>

enum { LARGEST = 256 };

static sb_status decode(const uint16_t *symbols, uint64_t n, uint8_t *ranks, uint64_t room, uint64_t *length)
{
    uint64_t at = 0;
    unsigned place = 0; /* 32 at most: as many digits stand for 2^32 - 1 ranks or more */

    memset(ranks, 0, room);
    for (uint64_t i = 0; i < n; i++) {
        const unsigned symbol = symbols[i], digit = 0u - (symbol < 2); /* all ones, or 0 */
        const uint64_t count = (uint64_t)(1 + (symbol & digit)) << (place & digit);

        if (symbol > LARGEST || count > room - at)
            return SB_INVALID;
        ranks[at] = (uint8_t)((symbol - 1) & ~digit);
        at += count;
        place = (place + 1) & digit;
    }
    *length = at;
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
    {"zrun.decode", "branchless", "a place that digits and ranks move on, no branch on which it is", NULL, NULL,
     launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
