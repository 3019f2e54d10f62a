/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run-length code for zeros with counts of one byte: contract in rle0.h.
 */
#include "rle0.h"
#include "runs.h"

uint64_t sb_ref_rle0_encode(const uint8_t *bytes, uint64_t n, uint8_t *code)
{
    uint64_t written = 0;

    for (uint64_t i = 0; i < n;) {
        uint64_t run = sb_ref_zeros_at(bytes, n, i, 255);

        if (run == 0) {
            code[written++] = bytes[i++];
            continue;
        }
        code[written++] = 0;
        code[written++] = (uint8_t)run;
        i += run;
    }
    return written;
}

sb_ref_status sb_ref_rle0_decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length)
{
    *length = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (code[i] != 0) {
            sb_ref_append(bytes, length, code[i], 1);
            continue;
        }
        if (++i == n || code[i] == 0)
            return SB_REF_INVALID;
        sb_ref_append(bytes, length, 0, code[i]);
    }
    return SB_REF_OK;
}
