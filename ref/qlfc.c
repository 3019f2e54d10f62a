/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Ranks of runs by a plain list: contract in qlfc.h.
 */
#include "qlfc.h"
#include <stdbool.h>
#include <string.h>

/* Writes the length of each run to `length` and its symbol to `rank`, where the rank will replace it. */
static uint64_t find_runs(const uint8_t *bytes, uint64_t n, uint8_t *rank, uint32_t *length)
{
    uint64_t runs = 0;

    for (uint64_t i = 0; i < n; i++) {
        if (i == 0 || bytes[i] != bytes[i - 1]) {
            rank[runs] = bytes[i];
            length[runs] = 0;
            runs++;
        }
        length[runs - 1]++;
    }
    return runs;
}

sb_ref_status sb_ref_qlfc_encode(const uint8_t *bytes, uint64_t n, uint8_t *rank, uint32_t *length, uint64_t *runs,
                                 uint8_t *order, uint64_t *symbols)
{
    if (n > UINT32_MAX)
        return SB_REF_INVALID;
    *runs = find_runs(bytes, n, rank, length);
    *symbols = 0;
    for (uint64_t run = *runs; run-- > 0;) {
        uint8_t symbol = rank[run];
        uint64_t position = 0;

        while (position < *symbols && order[position] != symbol)
            position++;
        rank[run] = (uint8_t)position;
        if (position == *symbols)
            ++*symbols;
        memmove(order + 1, order, position);
        order[0] = symbol;
    }
    return SB_REF_OK;
}

static bool lengths_valid(const uint32_t *length, uint64_t runs)
{
    uint64_t left = UINT32_MAX;

    for (uint64_t run = 0; run < runs; run++) {
        if (length[run] == 0 || length[run] > left)
            return false;
        left -= length[run];
    }
    return true;
}

static bool order_valid(const uint8_t *order, uint64_t symbols)
{
    bool met[256] = {false};

    if (symbols > 256)
        return false;
    for (uint64_t i = 0; i < symbols; i++) {
        if (met[order[i]])
            return false;
        met[order[i]] = true;
    }
    return true;
}

sb_ref_status sb_ref_qlfc_decode(const uint8_t *rank, const uint32_t *length, uint64_t runs, const uint8_t *order,
                                 uint64_t symbols, uint8_t *bytes)
{
    uint8_t list[256];
    uint64_t latest[256] = {0}; /* the last run of each symbol so far, counted from 1; 0: none */

    if (!lengths_valid(length, runs) || !order_valid(order, symbols))
        return SB_REF_INVALID;
    for (uint64_t i = 0; i < symbols; i++)
        list[i] = order[i];
    for (uint64_t run = 0; run < runs; run++) {
        uint8_t symbol = list[0];

        if (rank[run] >= symbols || (rank[run] == 0 && run + 1 < runs))
            return SB_REF_INVALID;
        latest[symbol] = run + 1;
        for (uint32_t i = 0; bytes != NULL && i < length[run]; i++)
            *bytes++ = symbol;
        memmove(list, list + 1, rank[run]);
        list[rank[run]] = symbol;
    }
    /* If a symbol comes again, any rank is right by definition: the symbols before it in the list are those that come
     * first. The rank of a symbol's last run is right if it puts the symbol directly before the symbols that ended
     * earlier. So, if all ranks are right, the list at the end is sorted by last runs, the latest first; and a wrong
     * one leaves a symbol out of this order. */
    for (uint64_t i = 0; i < symbols; i++)
        if (latest[list[i]] == 0 || (i > 0 && latest[list[i - 1]] < latest[list[i]]))
            return SB_REF_INVALID;
    return SB_REF_OK;
}
