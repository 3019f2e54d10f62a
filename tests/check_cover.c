/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The difference covers of cpu/bwt/forward_dcs.c: every difference is covered, and the sizes are those that the
 * publication states.
 */
#include "../cpu/bwt/cover.h"
#include "suite.h"
#include <stdlib.h>

static sb_cover cover;

/* All moduli that sb_cover_make accepts. */
START_TEST(a_difference_is_not_covered)
{
    for (uint32_t modulus = 1; modulus <= SB_COVER_MODULUS; modulus++) {
        bool is_element[SB_COVER_MODULUS] = {false};

        ck_assert(sb_cover_make(&cover, modulus));
        ck_assert_uint_eq(cover.modulus, modulus);
        for (uint32_t i = 0; i < cover.size; i++) {
            ck_assert_uint_lt(cover.element[i], modulus);
            ck_assert(i == 0 || cover.element[i] > cover.element[i - 1]);
            ck_assert_uint_eq(cover.number[cover.element[i]], i);
            is_element[cover.element[i]] = true;
        }
        for (uint32_t d = 0; d < modulus; d++)
            if (!is_element[cover.of[d]] || !is_element[(cover.of[d] + d) % modulus])
                ck_abort_msg("modulus %u: difference %u is not covered", modulus, d);
    }
}
END_TEST

START_TEST(sizes_are_not_those_published)
{
    static const struct {
        uint32_t modulus, size;
    } known[] = {{13, 4},    {73, 10},   {181, 16},  {337, 22},  {512, 28}, {541, 28},
                 {1024, 40}, {1093, 40}, {1094, 46}, {2048, 58}, {4096, 82}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ck_assert(sb_cover_make(&cover, known[i].modulus));
        ck_assert_uint_eq(cover.size, known[i].size);
    }
}
END_TEST

START_TEST(nothing_or_too_much_has_a_cover)
{
    ck_assert(!sb_cover_make(&cover, 0));
    ck_assert(!sb_cover_make(&cover, SB_COVER_MODULUS + 1));
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, a_difference_is_not_covered);
    tcase_add_test(tests, sizes_are_not_those_published);
    tcase_add_test(tests, nothing_or_too_much_has_a_cover);
}

int main(void)
{
    return run_tests("cover", add_tests, NULL, 60);
}
