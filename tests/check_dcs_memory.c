/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What cpu/bwt/forward_dcs.c takes of memory is what it says: measured as the peak of what is resident.
 */
#include <check.h>
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

extern const sb_variant sb_cpu_bwt_forward_dcs[];

static const uint64_t TEXT_BYTES = 16u << 20;

static uint64_t peak_bytes(void)
{
    struct rusage usage;

    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* Pages that count as soon as they are written, and that no allocator shadows. */
static void *pages(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert(memory != MAP_FAILED);
    return memory;
}

/* The peak over what was resident before, text and result included. */
static uint64_t peak_of_transform(const sb_variant *variant, uint64_t n)
{
    const uint64_t parameters[SB_BWT_BLOCK + 1] = {0}, before = peak_bytes();
    uint8_t *text = pages(n);
    uint64_t primary = 0;
    uint32_t random = 1;
    const sb_array input = {text, n, n, SB_U8, 0};
    sb_array outputs[] = {{pages(n), n, n, SB_U8, 0}, {&primary, 1, 1, SB_U64, 0}};

    for (uint64_t i = 0; i < n; i++) {
        random = random * 1664525 + 1013904223;
        text[i] = (uint8_t)("etaoinshrdlu \n,."[random >> 28]);
    }
    ck_assert_int_eq(variant->launch(parameters, &input, outputs, pages(variant->workspace(parameters, &input))),
                     SB_OK);
    ck_assert_uint_lt(primary, n);
    return peak_bytes() - before;
}

/* V = 1024: the text, the result, in which digits stand before, 4 bytes a rotation, 4 for each of 40 places of the
 * sample in 1024, and half a megabyte; and as much again for pages of the stack and of the program itself. */
START_TEST(dcs_takes_more_memory_than_it_says)
{
    const uint64_t said = TEXT_BYTES * (1 + 1 + 4) + TEXT_BYTES * 4 * 40 / 1024, rest = 512 << 10;
    const uint64_t peak = peak_of_transform(&sb_cpu_bwt_forward_dcs[0], TEXT_BYTES);

    ck_assert_uint_ge(peak, said); /* all of it is used, so that the measure is one */
    ck_assert_uint_le(peak, said + 2 * rest);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dcs memory");
    TCase *cases = tcase_create("dcs memory");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(cases, 300);
    tcase_add_test(cases, dcs_takes_more_memory_than_it_says);
    suite_add_tcase(suite, cases);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
