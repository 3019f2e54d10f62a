/* SPDX-License-Identifier: BSD-2-Clause
 *
 * histogram/tables: contract in ref/histogram.h.
 *
 * Eight tables, one for each byte of a word: a count is not raised again before eight more bytes have passed, so equal
 * bytes do not wait for one another. The tables are of 32 bits, and added up before they can overflow.
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>
#include <string.h>

enum { VALUES = 256, TABLES = 8 };

static const uint64_t PIECE = (uint64_t)TABLES << 31; /* bytes that a table can count, for 2^31 are its own */

static void count_piece(const uint8_t *bytes, uint64_t n, uint64_t count[VALUES])
{
    uint32_t table[TABLES][VALUES] = {{0}};
    uint64_t i = 0, word;

    for (; n - i >= sizeof word; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
#pragma GCC unroll 8
        for (unsigned t = 0; t < TABLES; t++)
            table[t][(uint8_t)(word >> 8 * t)]++;
    }
    for (; i < n; i++)
        table[0][bytes[i]]++;
    for (unsigned t = 0; t < TABLES; t++)
        for (unsigned value = 0; value < VALUES; value++)
            count[value] += table[t][value];
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *bytes = inputs[SB_HISTOGRAM_BYTES].data;
    uint64_t n = inputs[SB_HISTOGRAM_BYTES].length, *count = outputs[SB_HISTOGRAM_COUNT].data;

    (void)parameters;
    (void)workspace;
    memset(count, 0, VALUES * sizeof *count);
    for (uint64_t i = 0; i < n; i += PIECE)
        count_piece(bytes + i, n - i < PIECE ? n - i : PIECE, count);
    return SB_OK;
}

extern const sb_variant sb_cpu_histogram_histogram_tables[];
const sb_variant sb_cpu_histogram_histogram_tables[] = {
    {"histogram", "tables", "eight tables, so that equal bytes do not wait for one another", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
