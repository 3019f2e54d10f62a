/* SPDX-License-Identifier: BSD-2-Clause
 *
 * qlfc.encode/positions: contract in ref/qlfc.h.
 *
 * Runs are found from first to last. Ranks are then computed from the last run to the first, with the inverse of the
 * list: position[symbol] is the index of each symbol. There is no search; moving a symbol of position p to the front
 * adds 1 to every position below p, a loop that compilers vectorise. The list has all 256 symbols from the start, those
 * not yet met after the others in any order; the rank of a new symbol is therefore the number of symbols met.
 *
 * Source: ref/qlfc.h.
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

enum { VALUES = 256 };

/* Writes the length of each run to `length` and its symbol to `rank`; returns the number of runs. */
static uint64_t find_runs(const uint8_t *bytes, uint64_t n, uint8_t *rank, uint32_t *length)
{
    uint64_t runs = 0, start = 0;

    for (uint64_t i = 1; i <= n; i++)
        if (i == n || bytes[i] != bytes[i - 1]) {
            rank[runs] = bytes[i - 1];
            length[runs++] = (uint32_t)(i - start);
            start = i;
        }
    return runs;
}

/* Replaces the symbols in `rank` by ranks. Returns the number of distinct symbols; `position` then is their order. */
static unsigned rank_runs(uint8_t *rank, uint64_t runs, uint8_t position[VALUES])
{
    unsigned met = 0;

    for (int value = 0; value < VALUES; value++)
        position[value] = (uint8_t)value;
    for (uint64_t run = runs; run-- > 0;) {
        uint8_t symbol = rank[run], at = position[symbol];

        for (int value = 0; value < VALUES; value++)
            position[value] = (uint8_t)(position[value] + (position[value] < at));
        position[symbol] = 0;
        rank[run] = at < met ? at : (uint8_t)met;
        met += at >= met;
    }
    return met;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint8_t *rank = outputs[SB_QLFC_RANK].data, *order = outputs[SB_QLFC_ORDER].data, position[VALUES];
    uint64_t n = inputs[SB_QLFC_BYTES].length, runs;
    unsigned symbols;

    (void)parameters;
    (void)workspace;
    if (n > UINT32_MAX)
        return SB_INVALID;
    runs = find_runs(inputs[SB_QLFC_BYTES].data, n, rank, outputs[SB_QLFC_LENGTH].data);
    symbols = rank_runs(rank, runs, position);
    for (int value = 0; value < VALUES; value++)
        if (position[value] < symbols)
            order[position[value]] = (uint8_t)value;
    outputs[SB_QLFC_RANK].length = outputs[SB_QLFC_LENGTH].length = runs;
    outputs[SB_QLFC_ORDER].length = symbols;
    return SB_OK;
}

extern const sb_variant sb_cpu_qlfc_encode_positions[];
const sb_variant sb_cpu_qlfc_encode_positions[] = {
    {"qlfc.encode", "positions", "positions of all symbols instead of a list", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
