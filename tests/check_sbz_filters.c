/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Filters and long matches of sbz: each alone comes back, and what cannot be one is refused; which of them are chosen.
 */
#include "../sbz/filter.h"
#include "../sbz/filter_choice.h"
#include "../sbz/matches.h"
#include "random.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

enum { SIZE = 70000 };

/* Bytes among which opcodes of both processors are frequent, at any address. */
static void fill(uint8_t *bytes, size_t size, uint64_t *seed)
{
    static const uint8_t codes[] = {0xe8, 0xe9, 0, 0xff, 0x94, 0x97, 0x90, 0xb0, 0xf0, 0xd0};

    for (size_t i = 0; i < size; i++) {
        const uint64_t drawn = next_random(seed) >> 40;

        bytes[i] = drawn % 2 != 0 ? codes[drawn / 2 % sizeof codes] : (uint8_t)(drawn / 2);
    }
}

/* Memory of exactly so many bytes, so that a checker of memory sees a byte too many. */
static uint8_t *exactly(size_t size)
{
    uint8_t *bytes = malloc(size != 0 ? size : 1);

    ck_assert_ptr_nonnull(bytes);
    return bytes;
}

static void comes_back(int number, unsigned distance, size_t size, uint64_t *seed)
{
    const sbz_filter_code *filter = &sbz_filters[number];
    uint8_t *text = exactly(size), *filtered = exactly(size), *back = exactly(size);

    fill(text, size, seed);
    filter->encode(text, filtered, size, distance);
    filter->decode(filtered, back, size, distance);
    ck_assert_msg(memcmp(text, back, size) == 0, "%s of %u, %zu bytes", filter->name, distance, size);
    if (filter->in_place) {
        filter->decode(filtered, filtered, size, distance);
        ck_assert_msg(memcmp(text, filtered, size) == 0, "%s of %u, %zu bytes, in place", filter->name, distance, size);
    }
    free(text);
    free(filtered);
    free(back);
}

START_TEST(a_filter_does_not_come_back)
{
    uint64_t seed = 1;

    for (int number = 0; number < SBZ_FILTERS; number++) {
        const sbz_filter_code *filter = &sbz_filters[number];

        if (filter->name == NULL)
            continue;
        for (unsigned distance = filter->has_distance; distance <= (filter->has_distance ? SBZ_MAX_DISTANCE : 0);
             distance++) {
            for (size_t size = 0; size < 80; size++)
                comes_back(number, distance, size, &seed);
            comes_back(number, distance, SIZE, &seed); /* positions of more than 16 bits */
        }
    }
}
END_TEST

/* The distance and the reduction that go with each filter: the table and the rule of the format agree. */
START_TEST(a_filter_has_a_distance_that_it_does_not_take)
{
    for (int number = 0; number < SBZ_FILTERS; number++) {
        const sbz_filter_code *filter = &sbz_filters[number];

        for (int distance = 0; distance <= SBZ_MAX_DISTANCE; distance++) {
            const sbz_block plain = {.filter = (uint8_t)number, .distance = (uint8_t)distance},
                            reduced = {.filter = (uint8_t)number,
                                       .distance = (uint8_t)distance,
                                       .reduction = SBZ_REDUCTION_MATCHES};
            const bool known = number == SBZ_FILTER_NONE || filter->name != NULL,
                       least = distance >= (filter->name != NULL && !filter->in_place ? 2 : 1);

            ck_assert_int_eq(sbz_filter_fits(&plain), known && (filter->has_distance ? least : distance == 0));
            ck_assert_int_eq(sbz_filter_fits(&reduced),
                             sbz_filter_fits(&plain) && (number == SBZ_FILTER_NONE || filter->in_place));
        }
    }
}
END_TEST

/* ---- long matches ---- */

static void matches_come_back(const uint8_t *text, size_t size)
{
    sbz_text coded = {0};
    uint8_t *back = exactly(size);

    ck_assert(sbz_matches_encode(text, size, &coded));
    if (coded.size != 0) {
        ck_assert_uint_lt(coded.size + SBZ_REDUCTION_HEAD, size);
        ck_assert_int_eq(sbz_matches_decode(&coded, coded.run_byte, back, size), SBZ_MATCHES_DONE);
        ck_assert_mem_eq(back, text, size);
        ck_assert_int_eq(sbz_matches_decode(&coded, coded.run_byte, back, size - 1), SBZ_MATCHES_DAMAGED);
        coded.size--;
        ck_assert_int_eq(sbz_matches_decode(&coded, coded.run_byte, back, size), SBZ_MATCHES_DAMAGED);
    }
    sbz_text_free(&coded);
    free(back);
}

START_TEST(long_matches_do_not_come_back)
{
    uint8_t *text = exactly(SIZE);
    uint64_t seed = 2;

    for (size_t period = 1; period < SIZE; period += period / 2 + 1) { /* matches that overlap, and others */
        for (size_t i = 0; i < SIZE; i++)
            text[i] = i < period ? (uint8_t)(next_random(&seed) >> 56) : text[i - period];
        for (size_t i = 300; i < SIZE; i += 1 + (next_random(&seed) >> 40) % 5000)
            text[i]++;
        for (size_t size = SIZE; size > 0; size /= 3)
            matches_come_back(text, size);
    }
    free(text);
}
END_TEST

/* Lengths around those at which another byte is needed: 32, 285 and 286, 539 and 540. */
START_TEST(a_length_does_not_come_back)
{
    uint8_t text[1700];
    uint64_t seed = 3;

    for (size_t length = 30; length < 800; length++) {
        const size_t size = 2 * length + 16;

        for (size_t i = 0; i < length + 8; i++)
            text[i] = (uint8_t)(next_random(&seed) >> 56);
        memcpy(text + length + 8, text, length);
        for (size_t i = 0; i < 8; i++)
            text[2 * length + 8 + i] = (uint8_t)(text[length + i] + 1);
        matches_come_back(text, size);
    }
}
END_TEST

/* Whatever the code is, decoding ends, and writes no more than it may. */
START_TEST(a_damaged_code_is_believed)
{
    uint8_t text[600], *back = exactly(sizeof text);
    uint64_t seed = 4;
    sbz_text coded = {0};
    size_t damaged = 0;

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i % 100 + i / 300);
    ck_assert(sbz_matches_encode(text, sizeof text, &coded));
    ck_assert_uint_ne(coded.size, 0);
    for (int i = 0; i < 3000; i++) {
        uint8_t *byte = &coded.data[(next_random(&seed) >> 40) % coded.size];
        const uint8_t before = *byte;

        *byte = (uint8_t)(next_random(&seed) >> 56);
        damaged += sbz_matches_decode(&coded, coded.run_byte, back, sizeof text) == SBZ_MATCHES_DAMAGED ||
                   memcmp(back, text, sizeof text) != 0 || *byte == before;
        *byte = before;
    }
    ck_assert_uint_eq(damaged, 3000);
    sbz_text_free(&coded);
    free(back);
}
END_TEST

/* ---- the choice ---- */

/* Calls of x86 to 50 functions, or calls of arm64 and addresses of pages, among bytes of few values. */
static void make_program(uint8_t *text, size_t size, bool arm)
{
    uint64_t seed = 5;

    for (size_t i = 0; i < size; i++)
        text[i] = (uint8_t)(next_random(&seed) >> 60);
    for (size_t i = 1; i + 8 <= size; i += 30 + (next_random(&seed) >> 40) % 60) {
        const uint32_t target = (uint32_t)((next_random(&seed) >> 40) % 50 * 1000), away = target - (uint32_t)i;
        const size_t word = i / 4 * 4;

        if (!arm) {
            text[i] = 0xe8;
            memcpy(text + i + 1, &away, 4);
        } else {
            const uint32_t call = 0x94000000 | (away >> 2 & 0x3ffffff), page = 0x90000000 | (target % 64 << 5);

            memcpy(text + word, &call, 4);
            memcpy(text + word + 4, &page, 4);
        }
    }
}

START_TEST(a_program_is_not_seen)
{
    uint8_t *text = exactly(SIZE);

    make_program(text, SIZE, false);
    ck_assert_int_eq(sbz_filter_program(text, SIZE), SBZ_FILTER_X86);
    make_program(text, SIZE, true);
    ck_assert_int_eq(sbz_filter_program(text, SIZE), SBZ_FILTER_ARM64);
    for (size_t i = 0; i < SIZE; i++) /* numbers of 4 bytes of which one in 16 begins with E8 */
        text[i] = (uint8_t)(i % 4 == 0 ? 0xe0 + i / 4 % 16 : i % 4 == 1 ? i / 64 : 0);
    ck_assert_int_eq(sbz_filter_program(text, SIZE), SBZ_FILTER_NONE);
    free(text);
}
END_TEST

static sbz_filter_choice records_in(uint8_t *text, uint32_t encoded)
{
    const sbz_text t = {.data = text, .size = SIZE};

    return sbz_filter_records(&t, encoded);
}

START_TEST(records_are_not_seen)
{
    uint8_t *text = exactly(SIZE);
    uint64_t seed = 6;
    sbz_filter_choice choice;
    bool seen = false;

    for (size_t i = 0; i < SIZE; i++) /* counters of 6 bytes, the upper ones slow */
        text[i] = (uint8_t)(i / 6 * 0x1234567 >> i % 6 * 7) & (i % 6 < 3 ? 0xff : 3);
    choice = records_in(text, SIZE / 2);
    for (size_t k = 0; k < choice.records; k++)
        seen |= choice.record[k].distance == 6 || choice.record[k].distance == 12;
    ck_assert(seen);
    ck_assert_uint_eq(records_in(text, SIZE / 50).records, 0); /* no filter can do better */
    for (size_t i = 0; i < SIZE; i++)
        text[i] = (uint8_t)('a' + (next_random(&seed) >> 40) % 26);
    ck_assert_uint_eq(records_in(text, SIZE).records, 0);
    for (size_t i = 0; i < SIZE; i++) /* a text in columns */
        text[i] = (uint8_t)('a' + i % 4 + (next_random(&seed) >> 40) % 2);
    ck_assert_uint_eq(records_in(text, SIZE).records, 0);
    free(text);
}
END_TEST

START_TEST(matches_are_not_seen)
{
    uint8_t *text = exactly(SIZE);
    uint64_t seed = 7;
    sbz_matches_share share;

    for (size_t i = 0; i < SIZE; i++)
        text[i] = (uint8_t)('a' + (next_random(&seed) >> 40) % 26);
    share = sbz_matches_look(text, SIZE);
    ck_assert_uint_eq(share.all + share.longest, 0);
    memcpy(text + SIZE / 2 + 5, text, SIZE / 2 - 5);
    share = sbz_matches_look(text, SIZE);
    ck_assert(share.all >= 110 && share.longest >= 110); /* half of 256, but for the ends */
    for (size_t i = SIZE / 2; i < SIZE; i += 100)
        text[i] = '!';
    share = sbz_matches_look(text, SIZE);
    ck_assert(share.all >= 60 && share.longest == 0);
    free(text);
}
END_TEST

static void add_tests(TCase *tests)
{
    add_test(tests, a_filter_does_not_come_back);
    add_test(tests, a_filter_has_a_distance_that_it_does_not_take);
    add_test(tests, long_matches_do_not_come_back);
    add_test(tests, a_length_does_not_come_back);
    add_test(tests, a_damaged_code_is_believed);
    add_test(tests, a_program_is_not_seen);
    add_test(tests, records_are_not_seen);
    add_test(tests, matches_are_not_seen);
}

int main(void)
{
    return run_tests("sbz/filters", add_tests, NULL, 60);
}
