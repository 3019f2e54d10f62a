/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run-length code for zeros with extensible counts: contract in rle0x.h.
 */
#include "rle0x.h"
#include "runs.h"

uint64_t sb_ref_rle0x_encode(const uint8_t *bytes, uint64_t n, uint8_t *code)
{
    uint64_t written = 0;

    for (uint64_t i = 0; i < n;) {
        uint64_t run = sb_ref_zeros_at(bytes, n, i, n);

        if (run == 0) {
            code[written++] = bytes[i++];
            continue;
        }
        code[written++] = 0;
        i += run;
        for (; run >= 255; run -= 255)
            code[written++] = 255;
        code[written++] = (uint8_t)run;
    }
    return written;
}

sb_ref_status sb_ref_rle0x_decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length)
{
    *length = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t run = 0;

        if (code[i] != 0) {
            sb_ref_append(bytes, length, code[i], 1);
            continue;
        }
        for (i++; i < n && code[i] == 255; i++)
            run += 255;
        if (i == n || run + code[i] == 0)
            return SB_REF_INVALID;
        sb_ref_append(bytes, length, 0, run + code[i]);
    }
    return SB_REF_OK;
}
