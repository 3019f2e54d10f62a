/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Huffman codes with several tables: contract in huffman_code.h.
 *
 * Which groups share a table is found by iterative refinement, as in bzip2 (J. Seward), but the number of tables grows
 * by splitting:
 *
 *     1. All groups have table 0.
 *     2. Each table becomes the Huffman code of its groups; each group chooses the table that takes the fewest bits for
 *        it, the lowest of equal ones.
 *     3. If there are to be more tables: the groups that take more bits than the mean of their table leave it for a new
 *        table; go to 2.
 *     4. Otherwise repeat step 2 once, and drop tables without groups.
 *
 * All in integers, so that the choice is the same on every computer.
 */
#include "huffman_code.h"
#include "../cpu/huffman/codes.h"
#include <string.h>

enum { SYMBOLS = 256 };
enum { GROUP = 64 };     /* bytes that share a table; part of the format */
enum { MAX_TABLES = 8 }; /* part of the format */
/* Groups that a table needs on average to be split: the code lengths of a table take about 30 bytes, so with fewer
 * groups it would have to save a byte a group. Not tuned. */
enum { MIN_GROUPS = 32 };
/* Sums of code lengths for all tables are added at once, each in 16 bits of a word (SWAR): GROUP codes of at most 45
 * bits make less than 2^16. */
enum { FIELD_BITS = 16, FIELDS = 4 };

_Static_assert(GROUP *SB_HUFFMAN_MAX_LENGTH < 1 << FIELD_BITS && FIELD_BITS * FIELDS == 64,
               "a sum cannot reach the next one");

/* Bits that a symbol takes, for each table. */
typedef struct price {
    uint64_t word[MAX_TABLES / FIELDS];
} price;

typedef struct grouping {
    const uint8_t *bytes;
    uint64_t length, groups;
    unsigned tables;
    uint8_t *selector; /* the table of each group */
    uint16_t *bits;    /* that the group takes with it */
    uint32_t count[MAX_TABLES][SYMBOLS];
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

/* A symbol that occurs, but in no group of a table, gets a code there as if it had occurred once. */
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
        sb_huffman_lengths(count, length); /* succeeds: there are fewer than 2^32 bytes */
        for (unsigned s = 0; s < SYMBOLS; s++)
            g->prices[s].word[t / FIELDS] |= (uint64_t)length[s] << t % FIELDS * FIELD_BITS;
    }
}

static price price_of(const grouping *g, uint64_t group)
{
    const uint8_t *bytes = g->bytes + group * GROUP;
    price sum = {{0}};

    for (uint64_t i = 0, size = group_bytes(g->length, group); i < size; i++)
        for (unsigned w = 0; w < MAX_TABLES / FIELDS; w++)
            sum.word[w] += g->prices[bytes[i]].word[w];
    return sum;
}

static void select_tables(grouping *g)
{
    for (uint64_t i = 0; i < g->groups; i++) {
        const price sum = price_of(g, i);

        g->bits[i] = UINT16_MAX;
        for (unsigned t = 0; t < g->tables; t++) {
            const uint16_t bits = (uint16_t)(sum.word[t / FIELDS] >> t % FIELDS * FIELD_BITS);

            if (bits < g->bits[i]) {
                g->bits[i] = bits;
                g->selector[i] = (uint8_t)t;
            }
        }
    }
}

/* Doubles the number of tables: from each, the groups that take more bits than the mean move to a new one. */
static void split_tables(grouping *g)
{
    uint64_t groups[MAX_TABLES] = {0}, bits[MAX_TABLES] = {0};

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

/* Drops tables without groups. */
static void drop_tables(grouping *g)
{
    uint8_t number[MAX_TABLES] = {0};
    bool used[MAX_TABLES] = {false};

    for (uint64_t i = 0; i < g->groups; i++)
        used[g->selector[i]] = true;
    g->tables = 0;
    for (unsigned t = 0; t < MAX_TABLES; t++)
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
        last = g->tables == MAX_TABLES || g->groups / g->tables < MIN_GROUPS;
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

/* Copies the bytes of all groups of a table, one behind the other. Returns how many bytes. */
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

    return status == SB_OK ? sbz_put_code(engine, &array, to) : status;
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

/* Counts the bytes of the groups of each table. False: a selector names a table that does not exist. */
static bool measure(const uint8_t *selector, uint64_t tables, uint64_t length, uint64_t size[MAX_TABLES])
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
    sb_status status = sbz_get_code(engine, groups, from, &coded);

    if (status != SB_OK)
        return status;
    *selector = sbz_engine_host(engine, SBZ_HOST_FLAGS, groups);
    return *selector != NULL ? sbz_engine_download(engine, &coded, 0, *selector, groups) : SB_UNSUPPORTED;
}

sb_status sbz_get_tables(sbz_engine *engine, uint64_t length, sbz_cursor *from, sb_array *bytes)
{
    const uint64_t tables = sbz_get_number(from);
    uint64_t size[MAX_TABLES] = {0};
    uint8_t *selector, *to;
    sb_status status;

    if (tables > MAX_TABLES)
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

        status = sbz_get_code(engine, size[t], from, &coded);
        if (status == SB_OK)
            status = sbz_engine_to_host(engine, SBZ_HOST_SYMBOLS, &coded);
        if (status == SB_OK)
            scatter(selector, t, coded.data, to, length);
    }
    return status;
}
