/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs of zeros in bijective base 2: contract in zrun.h.
 */
#include "zrun.h"
#include <stddef.h>
#include <string.h>

sb_ref_status sb_ref_zrun_encode(const uint8_t *ranks, uint64_t n, uint16_t *symbols, uint64_t *length)
{
    uint64_t run = 0;

    *length = 0;
    if (n > UINT32_MAX)
        return SB_REF_INVALID;
    for (uint64_t i = 0; i < n; i++) {
        run = ranks[i] == 0 ? run + 1 : 0;
        if (run > 0 && (i + 1 == n || ranks[i + 1] != 0))
            for (; run > 0; run = (run - 1) / 2)
                symbols[(*length)++] = run % 2 == 0;
        if (ranks[i] != 0)
            symbols[(*length)++] = (uint16_t)(ranks[i] + 1);
    }
    return SB_REF_OK;
}

sb_ref_status sb_ref_zrun_decode(const uint16_t *symbols, uint64_t n, uint8_t *ranks, uint64_t *length)
{
    unsigned digit = 0; /* index of the next digit of a run */

    *length = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint16_t symbol = symbols[i];
        uint64_t count = symbol > 1 ? 1 : (uint64_t)(symbol + 1) << digit;

        if (symbol > 256 || count > UINT32_MAX - *length)
            return SB_REF_INVALID; /* at digit 32 at the latest: 32 digits are worth at least 2^32 - 1 */
        if (ranks != NULL)
            memset(ranks + *length, symbol > 1 ? symbol - 1 : 0, count);
        *length += count;
        digit = symbol > 1 ? 0 : digit + 1;
    }
    return SB_REF_OK;
}
