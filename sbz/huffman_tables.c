/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Codes with several tables: contract in huffman_code.h.
 *
 * Which groups have a table in common is found in rounds. All begin with one. In each round every table becomes that of
 * a Huffman code of its groups, every group gets the table that takes the fewest bits for it, of equal ones the first,
 * and, as long as there are to be more tables, the groups that take more than is usual with their table leave it for a
 * new one. Sizes and choices are computed in integers, so that every machine makes the same groups.
 */
#include "huffman_code.h"
#include "../cpu/huffman/codes.h"
#include <string.h>

enum { SYMBOLS = 256 };
enum { GROUP = 64 };           /* bytes that have one table */
enum { MOST = 8 };             /* tables */
enum { WORTH = 32 };           /* groups of a table that is to become two: a table takes some 30 bytes */
enum { LANE = 16, LANES = 4 }; /* bits of a sum, for GROUP codes of 45 bits at most; and sums of a word */

_Static_assert(GROUP *SB_HUFFMAN_MAX_LENGTH < 1 << LANE && LANE * LANES == 64, "sums do not reach their neighbours");

/* Bits that a symbol takes: of each table in a lane. */
typedef struct price {
    uint64_t word[MOST / LANES];
} price;

typedef struct grouping {
    const uint8_t *bytes;
    uint64_t length, groups;
    unsigned tables;
    uint8_t *selector; /* of each group its table */
    uint16_t *bits;    /* that it takes with this */
    uint32_t count[MOST][SYMBOLS];
    price prices[SYMBOLS];
} grouping;

static uint64_t group_bytes(uint64_t length, uint64_t group)
{
    const uint64_t left = length - group * GROUP;

    return left < GROUP ? left : GROUP;
}

/* ---- grouping ---- */

static void count_symbols(grouping *g)
{
    memset(g->count, 0, sizeof g->count);
    for (uint64_t i = 0; i < g->groups; i++) {
        const uint8_t *bytes = g->bytes + i * GROUP;
        uint32_t *count = g->count[g->selector[i]];

        for (uint64_t k = 0, size = group_bytes(g->length, i); k < size; k++)
            count[bytes[k]]++;
    }
}

/* What a table has not seen but others have is as if seen once. */
static void make_prices(grouping *g)
{
    bool seen[SYMBOLS] = {false};

    memset(g->prices, 0, sizeof g->prices);
    for (unsigned t = 0; t < g->tables; t++)
        for (unsigned s = 0; s < SYMBOLS; s++)
            seen[s] = seen[s] || g->count[t][s] != 0;
    for (unsigned t = 0; t < g->tables; t++) {
        uint64_t count[SYMBOLS];
        uint8_t length[SYMBOLS];

        for (unsigned s = 0; s < SYMBOLS; s++)
            count[s] = g->count[t][s] != 0 ? g->count[t][s] : seen[s];
        sb_huffman_lengths(count, length); /* of less than 2^32 bytes */
        for (unsigned s = 0; s < SYMBOLS; s++)
            g->prices[s].word[t / LANES] |= (uint64_t)length[s] << t % LANES * LANE;
    }
}

static price price_of(const grouping *g, uint64_t group)
{
    const uint8_t *bytes = g->bytes + group * GROUP;
    price sum = {{0}};

    for (uint64_t i = 0, size = group_bytes(g->length, group); i < size; i++)
        for (unsigned w = 0; w < MOST / LANES; w++)
            sum.word[w] += g->prices[bytes[i]].word[w];
    return sum;
}

static void select_tables(grouping *g)
{
    for (uint64_t i = 0; i < g->groups; i++) {
        const price sum = price_of(g, i);

        g->bits[i] = UINT16_MAX;
        for (unsigned t = 0; t < g->tables; t++) {
            const uint16_t bits = (uint16_t)(sum.word[t / LANES] >> t % LANES * LANE);

            if (bits < g->bits[i]) {
                g->bits[i] = bits;
                g->selector[i] = (uint8_t)t;
            }
        }
    }
}

/* Twice as many tables: of each, groups that take more bits than the mean leave for another. */
static void split_tables(grouping *g)
{
    uint64_t groups[MOST] = {0}, bits[MOST] = {0};

    for (uint64_t i = 0; i < g->groups; i++) {
        groups[g->selector[i]]++;
        bits[g->selector[i]] += g->bits[i];
    }
    for (uint64_t i = 0; i < g->groups; i++) {
        const unsigned t = g->selector[i];

        if (g->bits[i] * groups[t] > bits[t])
            g->selector[i] = (uint8_t)(t + g->tables);
    }
    g->tables *= 2;
}

/* Tables that have no group are none. */
static void drop_tables(grouping *g)
{
    uint8_t number[MOST] = {0};
    bool used[MOST] = {false};

    for (uint64_t i = 0; i < g->groups; i++)
        used[g->selector[i]] = true;
    g->tables = 0;
    for (unsigned t = 0; t < MOST; t++)
        if (used[t])
            number[t] = (uint8_t)g->tables++;
    for (uint64_t i = 0; i < g->groups; i++)
        g->selector[i] = number[g->selector[i]];
}

static void group(grouping *g)
{
    bool last = false;

    g->tables = 1;
    memset(g->selector, 0, g->groups);
    while (!last) {
        last = g->tables == MOST || g->groups / g->tables < WORTH;
        for (int round = 0; round < 1 + last; round++) {
            count_symbols(g);
            make_prices(g);
            select_tables(g);
        }
        if (!last)
            split_tables(g);
    }
    drop_tables(g);
}

/* The bytes of all groups of a table, one after the other; how many. */
static uint64_t gather(const grouping *g, unsigned table, uint8_t *to)
{
    uint64_t length = 0;

    for (uint64_t i = 0; i < g->groups; i++) {
        const uint64_t size = group_bytes(g->length, i);

        if (g->selector[i] != table)
            continue;
        memcpy(to + length, g->bytes + i * GROUP, size);
        length += size;
    }
    return length;
}

/* ---- codes ---- */

static sb_status put_bytes(sbz_engine *engine, uint8_t *bytes, uint64_t length, sbz_cursor *to)
{
    sb_array array = {bytes, length, length, SB_U8, 0};
    sb_status status = sbz_engine_to_device(engine, SBZ_CODE_BYTES, &array);

    return status == SB_OK ? sbz_put_code(engine, SBZ_HUFFMAN, &array, to) : status;
}

sb_status sbz_put_tables(sbz_engine *engine, const sb_array *bytes, sbz_cursor *to)
{
    grouping g = {.bytes = bytes->data, .length = bytes->length, .groups = sbz_ceil_div(bytes->length, GROUP)};
    uint8_t *gathered;
    sb_status status;

    g.bits = sbz_engine_host(engine, SBZ_HOST_SYMBOLS, g.groups * (sizeof *g.bits + 1) + g.length);
    if (g.bits == NULL)
        return SB_UNSUPPORTED;
    g.selector = (uint8_t *)(g.bits + g.groups);
    gathered = g.selector + g.groups;
    group(&g);
    sbz_put_number(to, g.tables);
    status = put_bytes(engine, g.selector, g.groups, to);
    for (unsigned t = 0; status == SB_OK && t < g.tables; t++)
        status = put_bytes(engine, gathered, gather(&g, t, gathered), to);
    return status;
}

/* Of each table how many bytes its groups have. False: one is chosen that there is not. */
static bool measure(const uint8_t *selector, uint64_t tables, uint64_t length, uint64_t size[MOST])
{
    for (uint64_t i = 0; i < sbz_ceil_div(length, GROUP); i++) {
        if (selector[i] >= tables)
            return false;
        size[selector[i]] += group_bytes(length, i);
    }
    return true;
}

static void scatter(const uint8_t *selector, unsigned table, const uint8_t *from, uint8_t *to, uint64_t length)
{
    for (uint64_t i = 0; i < sbz_ceil_div(length, GROUP); i++) {
        const uint64_t size = group_bytes(length, i);

        if (selector[i] != table)
            continue;
        memcpy(to + i * GROUP, from, size);
        from += size;
    }
}

static sb_status get_selectors(sbz_engine *engine, uint64_t groups, sbz_cursor *from, uint8_t **selector)
{
    sb_array coded;
    sb_status status = sbz_get_code(engine, SBZ_HUFFMAN, groups, from, &coded);

    if (status != SB_OK)
        return status;
    *selector = sbz_engine_host(engine, SBZ_HOST_FLAGS, groups);
    return *selector != NULL ? sbz_engine_download(engine, &coded, 0, *selector, groups) : SB_UNSUPPORTED;
}

sb_status sbz_get_tables(sbz_engine *engine, uint64_t length, sbz_cursor *from, sb_array *bytes)
{
    const uint64_t tables = sbz_get_number(from);
    uint64_t size[MOST] = {0};
    uint8_t *selector, *to;
    sb_status status;

    if (tables > MOST)
        return SB_INVALID;
    status = get_selectors(engine, sbz_ceil_div(length, GROUP), from, &selector);
    if (status != SB_OK)
        return status;
    if (!measure(selector, tables, length, size))
        return SB_INVALID;
    to = sbz_engine_host(engine, SBZ_HOST_BYTES, length);
    if (to == NULL)
        return SB_UNSUPPORTED;
    *bytes = (sb_array){to, length, length, SB_U8, 0};
    for (unsigned t = 0; status == SB_OK && t < tables; t++) {
        sb_array coded;

        status = sbz_get_code(engine, SBZ_HUFFMAN, size[t], from, &coded);
        if (status == SB_OK)
            status = sbz_engine_to_host(engine, SBZ_HOST_SYMBOLS, &coded);
        if (status == SB_OK)
            scatter(selector, t, coded.data, to, length);
    }
    return status;
}
