/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The difference covers that cpu/bwt/forward_dcs.c samples by: every difference is covered, and the sizes are those
 * that their source promises.
 */
#include "../cpu/bwt/cover.h"
#include <check.h>
#include <stdlib.h>

static sb_cover cover;

/* Every modulus there is. */
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

int main(void)
{
    Suite *suite = suite_create("cover");
    TCase *cases = tcase_create("cover");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, a_difference_is_not_covered);
    tcase_add_test(cases, sizes_are_not_those_published);
    tcase_add_test(cases, nothing_or_too_much_has_a_cover);
    suite_add_tcase(suite, cases);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
