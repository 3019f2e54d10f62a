/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.decode/swar: contract in ref/mtf.h.
 *
 * SWAR (SIMD within a register): the list is 32 words of eight entries; the first word is kept in a register. The
 * entries before the rank move up by one, eight at a time: each word is shifted by a byte and takes in the last byte of
 * the word before it. A rank below 8 reads no memory but input and output.
 *
 * Source: move-to-front: Bentley, Sleator, Tarjan and Wei 1986 (ref/mtf.h).
 */
#include "chunks.h"
#include "swar.h"

/* Removes byte number shift / 8 of the word, moves the bytes below it up by one and puts `front` at byte 0. */
static inline uint64_t close_gap(uint64_t word, unsigned shift, uint64_t front)
{
    uint64_t below = ((uint64_t)1 << shift) - 1; /* mask of the bytes that move */

    return (word & ~(below << 8 | 255)) | (word & below) << 8 | front;
}

static void decode(const uint8_t *rank, uint64_t n, uint8_t *bytes)
{
    uint64_t list[SB_LIST_WORDS], top;

    sb_list_reset(list);
    top = list[0];
    for (uint64_t i = 0; i < n; i++) {
        unsigned last = rank[i] / 8, shift = rank[i] % 8 * 8;
        uint64_t word = last == 0 ? top : list[last];
        uint64_t symbol = word >> shift & 255, here = top, next;

        bytes[i] = (uint8_t)symbol;
        if (last == 0) {
            top = close_gap(top, shift, symbol);
            continue;
        }
        top = top << 8 | symbol;
        for (unsigned k = 1; k < last; k++, here = next) {
            next = list[k];
            list[k] = next << 8 | here >> 56;
        }
        list[last] = close_gap(word, shift, here >> 56);
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(decode, parameters, inputs, outputs);
}

extern const sb_variant sb_cpu_mtf_decode_swar[];
const sb_variant sb_cpu_mtf_decode_swar[] = {
    {"mtf.decode", "swar", "eight list entries move by one shift", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
