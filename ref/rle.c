/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run lengths of zeros: contract in rle.h.
 */
#include "rle.h"
#include <stddef.h>

/* How many zeros stand at i, `most` at most. */
static uint64_t zeros_at(const uint8_t *bytes, uint64_t n, uint64_t i, uint64_t most)
{
    uint64_t run = 0;

    while (run < n - i && run < most && bytes[i + run] == 0)
        run++;
    return run;
}

/* Appends `run` times `byte` to the bytes, unless they are only counted. */
static void append(uint8_t *bytes, uint64_t *length, uint8_t byte, uint64_t run)
{
    for (uint64_t i = 0; i < run && bytes != NULL; i++)
        bytes[*length + i] = byte;
    *length += run;
}

uint64_t sb_ref_rle0_encode(const uint8_t *bytes, uint64_t n, uint8_t *code)
{
    uint64_t written = 0;

    for (uint64_t i = 0; i < n;) {
        uint64_t run = zeros_at(bytes, n, i, 255);

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
            append(bytes, length, code[i], 1);
            continue;
        }
        if (++i == n || code[i] == 0)
            return SB_REF_INVALID;
        append(bytes, length, 0, code[i]);
    }
    return SB_REF_OK;
}

uint64_t sb_ref_rle0x_encode(const uint8_t *bytes, uint64_t n, uint8_t *code)
{
    uint64_t written = 0;

    for (uint64_t i = 0; i < n;) {
        uint64_t run = zeros_at(bytes, n, i, n);

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
            append(bytes, length, code[i], 1);
            continue;
        }
        for (i++; i < n && code[i] == 255; i++)
            run += 255;
        if (i == n || run + code[i] == 0)
            return SB_REF_INVALID;
        append(bytes, length, 0, run + code[i]);
    }
    return SB_REF_OK;
}
