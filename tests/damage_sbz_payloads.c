/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Payloads that no encoder writes: contract in damage_sbz_payloads.h.
 */
#include "damage_sbz_payloads.h"
#include "../sbz/code_lengths.h"
#include "../sbz/entropy.h"
#include "../sbz/layout.h"
#include <string.h>

static uint8_t *put_number(uint8_t *to, uint64_t value)
{
    for (; value > 127; value >>= 7)
        *to++ = (uint8_t)(value | 128);
    *to++ = (uint8_t)value;
    return to;
}

/* A code of far more symbols than announced: one for each bit. */
static void long_code(sbz_record *record)
{
    static const uint8_t lengths_of_two[] = {0x80, 0x00, 0xc0, 0x00, 0x04}; /* symbols 0 and 1, a bit each */
    uint8_t *to = put_number(record->payload, 1);

    to = put_number(to, 8 * (uint64_t)(record->block.encoded - 4 - sizeof lengths_of_two));
    memcpy(to, lengths_of_two, sizeof lengths_of_two);
}

/* So many symbols that the offsets of their chunks do not fit into memory. */
static void many_symbols(sbz_record *record)
{
    put_number(put_number(record->payload, (uint64_t)1 << 44), 8);
}

/* Encodes at most one chunk, with 8 bits for each of the 256 symbols, so that the code is the bytes. */
static uint8_t *put_code(uint8_t *to, const uint8_t *from, size_t size)
{
    uint8_t length[256];

    to = put_number(to, 8 * size);
    memset(length, 8, sizeof length);
    to += sbz_code_lengths_put(length, to);
    memcpy(to, from, size);
    return to + size;
}

static void put_middle(sbz_record *record, const uint8_t *middle, size_t size)
{
    uint8_t *end = put_code(put_number(record->payload, size), middle, size);

    record->block.encoded = (uint32_t)(end - record->payload);
}

/* Runs of more zeros than the block has bytes. */
static void long_run_of_rle0(sbz_record *record)
{
    uint8_t middle[2 * (DAMAGE_LARGEST / 255 + 1)];

    for (size_t i = 0; i < sizeof middle; i++)
        middle[i] = i % 2 == 0 ? 0 : 255;
    put_middle(record, middle, sizeof middle);
}

static void long_run_of_zrun(sbz_record *record)
{
    put_middle(record, (const uint8_t[22]){0}, 22); /* 2^22 - 1, for which there is no memory */
}

/* A run whose length does not fit into 64 bits. */
static void endless_run(sbz_record *record)
{
    put_middle(record, (const uint8_t[100]){0}, 100);
}

/* 2^16 - 2 zeros and a rank, of which something may be missing. Behind the end of the cut one memory still holds
 * what the craft before it left there. */
static void escape(sbz_record *record)
{
    put_middle(record, (const uint8_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 255, 1}, 18);
}

static void cut_escape(sbz_record *record)
{
    put_middle(record, (const uint8_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 255}, 17);
}

/* The same rank with raw escape bits. */
static void put_flags(sbz_record *record, const uint8_t *flags, size_t size)
{
    cut_escape(record);
    memcpy(record->payload + record->block.encoded, flags, size);
    record->block.encoded += (uint32_t)size;
}

static void flag(sbz_record *record)
{
    put_flags(record, (const uint8_t[]){128}, 1);
}

static void filled_flags(sbz_record *record)
{
    put_flags(record, (const uint8_t[]){129}, 1);
}

static void many_flags(sbz_record *record)
{
    put_flags(record, (const uint8_t[]){128, 0}, 2);
}

static void cut_code(sbz_record *record)
{
    cut_escape(record);
    record->block.encoded--;
}

static void more_than_a_code(sbz_record *record)
{
    escape(record);
    record->payload[record->block.encoded++] = 0;
}

/* Groups of ranks 1, and a last group with the digits of a run that fills the block. `missing`: bytes of the last
 * group that are not in its code. */
static void put_tables(sbz_record *record, uint64_t tables, const uint8_t *selector, size_t groups, size_t missing)
{
    enum { GROUP = 64 };
    uint8_t digit[GROUP], gathered[9 * GROUP], *to;
    size_t digits = 0;

    for (uint32_t zeros = DAMAGE_LARGEST - GROUP * ((uint32_t)groups - 1) + 1; zeros > 1; zeros /= 2)
        digit[digits++] = zeros % 2;
    to = put_number(put_number(record->payload, GROUP * (groups - 1) + digits), tables);
    to = put_code(to, selector, groups);
    for (uint64_t t = 0; t < tables; t++) {
        size_t size = 0;

        for (size_t i = 0; i < groups; i++) {
            if (selector[i] != t)
                continue;
            memset(gathered + size, 2, GROUP);
            size += GROUP;
            if (i == groups - 1) {
                memcpy(gathered + size - GROUP, digit, digits);
                size -= GROUP - digits + missing;
            }
        }
        to = put_code(to, gathered, size);
    }
    record->block.encoded = (uint32_t)(to - record->payload);
}

static void tables(sbz_record *record)
{
    put_tables(record, 2, (const uint8_t[]){1, 0, 1}, 3, 0);
}

/* A decoder that accepts this one or the next reads the missing bytes from what the one before left in memory. */
static void no_such_table(sbz_record *record)
{
    put_tables(record, 2, (const uint8_t[]){1, 0, 2}, 3, 0);
}

static void short_table(sbz_record *record)
{
    put_tables(record, 2, (const uint8_t[]){1, 0, 1}, 3, 1);
}

static void table_of_nothing(sbz_record *record)
{
    put_tables(record, 2, (const uint8_t[]){0, 0, 0}, 3, 0);
}

static void many_tables(sbz_record *record)
{
    put_tables(record, 9, (const uint8_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8}, 9, 0);
}

static void no_tables(sbz_record *record)
{
    put_tables(record, 0, (const uint8_t[]){0, 0, 0}, 3, 0);
}

/* The same as `escape`, but the size of the middle has a byte more than it needs. */
static void long_number(sbz_record *record)
{
    escape(record);
    memmove(record->payload + 1, record->payload, record->block.encoded++);
    record->payload[0] |= 128;
    record->payload[1] = 0;
}

/* A text of symbol 1 only, with one bit for each. */
static void put_ones(sbz_record *record, const uint8_t *lengths, size_t size)
{
    uint8_t *to = put_number(put_number(record->payload, DAMAGE_LARGEST), DAMAGE_LARGEST);

    memcpy(to, lengths, size);
    to += size;
    for (int i = 1; i < DAMAGE_LARGEST >> 14; i++)
        to = put_number(to, 1 << 14);
    memset(to, 255, DAMAGE_LARGEST / 8);
    record->block.encoded = (uint32_t)(to + DAMAGE_LARGEST / 8 - record->payload);
}

static void two_lengths(sbz_record *record)
{
    put_ones(record, (const uint8_t[]){0x80, 0x00, 0xc0, 0x00, 0x04}, 5);
}

static void empty_group(sbz_record *record)
{
    put_ones(record, (const uint8_t[]){0xc0, 0x00, 0xc0, 0x00, 0x00, 0x00, 0x04}, 7);
}

static void no_symbols(sbz_record *record)
{
    put_middle(record, NULL, 0);
}

/* Four symbols of 2 bits; the last bit of their lengths is missing. */
static void put_cut_lengths(sbz_record *record, uint64_t middle)
{
    static const uint8_t lengths[] = {0x80, 0x00, 0xf0, 0x00, 0x08};
    uint8_t *to = put_number(put_number(record->payload, middle), 8 * sizeof lengths);

    memcpy(to, lengths, sizeof lengths);
    record->block.encoded = (uint32_t)(to + sizeof lengths - record->payload);
}

/* A decoder that takes the missing bit for a 0, and the bytes of the lengths for the code, gets symbols for 387
 * bytes. */
static void cut_lengths(sbz_record *record)
{
    put_cut_lengths(record, 20);
    record->block.original = record->block.transformed = 387;
}

/* A decoder that accepts it reads the offset of a second chunk behind the payload. */
static void cut_offsets(sbz_record *record)
{
    put_cut_lengths(record, 20000);
}

/* The offset of a second segment, whose last byte is missing. A cursor that goes on has a negative number of bytes
 * left. */
static void cut_number(sbz_record *record)
{
    record->payload[0] = 0x80;
    record->block.encoded = 1;
    record->block.original = record->block.transformed = 2 * SBZ_RANGECODER_SEGMENT;
}

static void short_stored(sbz_record *record)
{
    record->block.encoded = DAMAGE_LARGEST - 1;
}

static void whole_stored(sbz_record *record)
{
    record->block.encoded = DAMAGE_LARGEST;
}

/* The run-length code of as many zeros as a block may have, and `more` behind it. */
static void put_runs(sbz_record *record, const uint8_t *more, size_t size)
{
    uint8_t *to = record->payload + SBZ_REDUCTION_HEAD;
    uint32_t left = SBZ_MAX_REDUCTION * DAMAGE_LARGEST;

    for (record->block.original = left; left > 0; left -= left < 255 ? left : 255) {
        *to++ = 0;
        *to++ = (uint8_t)(left < 255 ? left : 255);
    }
    memcpy(to, more, size);
    record->block.reduction = SBZ_REDUCTION_RUNS;
    record->block.encoded = (uint32_t)(to + size - record->payload);
    record->block.transformed = record->block.encoded - SBZ_REDUCTION_HEAD;
}

static void many_runs(sbz_record *record)
{
    put_runs(record, NULL, 0);
}

static void too_many_runs(sbz_record *record)
{
    put_runs(record, (const uint8_t[]){0, 255}, 2);
}

static void too_few_runs(sbz_record *record)
{
    put_runs(record, NULL, 0);
    record->block.original--;
}

static void cut_runs(sbz_record *record)
{
    put_runs(record, (const uint8_t[]){0}, 1);
}

/* The error of each craft. Those that only fail by their contents sum are well-formed; the others differ from them
 * by one fault. */
static const char payload[] = "payload", runs[] = "run-length code is damaged",
                  contents_sum[] = "checksum of the contents";

const struct damage_craft damage_crafts[] = {
    {"no symbols", SBZ_ENTROPY_RLE0, no_symbols, payload}, /* first, while arrays are small */
    {"a long code", SBZ_ENTROPY_RLE0, long_code, payload},
    {"a long code of zrun", SBZ_ENTROPY_ZRUN, long_code, payload},
    {"many symbols", SBZ_ENTROPY_RLE0, many_symbols, payload},
    {"many symbols of tables", SBZ_ENTROPY_ZRUN_TABLES, many_symbols, payload},
    {"a long run of rle0", SBZ_ENTROPY_RLE0, long_run_of_rle0, payload},
    {"a long run of zrun", SBZ_ENTROPY_ZRUN, long_run_of_zrun, payload},
    {"an endless run of zrun", SBZ_ENTROPY_ZRUN, endless_run, payload},
    {"an escape", SBZ_ENTROPY_ZRUN, escape, contents_sum},
    {"a long number", SBZ_ENTROPY_ZRUN, long_number, payload},
    {"two lengths", SBZ_ENTROPY_RLE0, two_lengths, contents_sum},
    {"an empty group of lengths", SBZ_ENTROPY_RLE0, empty_group, payload},
    {"a cut escape", SBZ_ENTROPY_ZRUN, cut_escape, payload},
    {"cut lengths", SBZ_ENTROPY_ZRUN, cut_lengths, payload},
    {"cut lengths with offsets", SBZ_ENTROPY_ZRUN, cut_offsets, payload},
    {"a flag", SBZ_ENTROPY_ZRUN_RAW, flag, contents_sum},
    {"no flag", SBZ_ENTROPY_ZRUN_RAW, cut_escape, payload},
    {"many flags", SBZ_ENTROPY_ZRUN_RAW, many_flags, payload},
    {"flags beyond the last", SBZ_ENTROPY_ZRUN_RAW, filled_flags, payload},
    {"a cut code before flags", SBZ_ENTROPY_ZRUN_RAW, cut_code, payload},
    {"more than a code", SBZ_ENTROPY_ZRUN, more_than_a_code, payload},
    {"two tables", SBZ_ENTROPY_ZRUN_TABLES, tables, contents_sum},
    {"no such table", SBZ_ENTROPY_ZRUN_TABLES, no_such_table, payload},
    {"a short code of a table", SBZ_ENTROPY_ZRUN_TABLES, short_table, payload},
    {"a table of nothing", SBZ_ENTROPY_ZRUN_TABLES, table_of_nothing, payload},
    {"many tables", SBZ_ENTROPY_ZRUN_TABLES, many_tables, payload},
    {"no tables", SBZ_ENTROPY_ZRUN_TABLES, no_tables, payload},
    {"a cut number", SBZ_ENTROPY_RANGECODER, cut_number, payload},
    {"bytes stored", SBZ_ENTROPY_STORED, whole_stored, contents_sum},
    {"few bytes stored", SBZ_ENTROPY_STORED, short_stored, payload},
    {"many coded runs", SBZ_ENTROPY_STORED, many_runs, contents_sum},
    {"too many coded runs", SBZ_ENTROPY_STORED, too_many_runs, runs},
    {"too few coded runs", SBZ_ENTROPY_STORED, too_few_runs, runs},
    {"a cut code of runs", SBZ_ENTROPY_STORED, cut_runs, runs},
};

const size_t damage_craft_count = sizeof damage_crafts / sizeof *damage_crafts;
