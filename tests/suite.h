/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The main function of a Check program whose tests form one test case.
 */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Adds the test; where ONLY_TEST is set in the environment, only if it names the test. So tests/mutants.test runs one test. */
#define add_test(tests, test) (is_wanted(#test) ? tcase_add_test(tests, test) : (void)0)
#define add_loop_test(tests, test, begin, end) (is_wanted(#test) ? tcase_add_loop_test(tests, test, begin, end) : (void)0)

static inline bool is_wanted(const char *test)
{
    const char *only = getenv("ONLY_TEST");

    return only == NULL || strcmp(only, test) == 0;
}

/* Runs the tests that `add_tests` adds, each after `setup` (may be NULL) and each for at most `timeout` seconds.
 * Returns the exit status of the program. */
static inline int run_tests(const char *name, void (*add_tests)(TCase *tests), void (*setup)(void), double timeout)
{
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, timeout);
    tcase_add_checked_fixture(tests, setup, NULL);
    add_tests(tests);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
