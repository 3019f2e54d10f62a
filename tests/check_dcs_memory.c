/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cpu/bwt/forward_dcs.c takes as much memory as its header says: measured as the peak of resident memory.
 */
#include "suite.h"
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

/* Pages that become resident when they are first written, and that no allocator keeps for reuse. */
static void *pages(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert(memory != MAP_FAILED);
    return memory;
}

/* By how much the peak exceeds what was resident before, text and result included. */
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

/* V = 1024: the text, the result (which also holds the digits), 4 bytes for each rotation, 4 bytes for each of the 40
 * sample positions in 1024 bytes, and half a MiB; and as much again for pages of the stack and of the program. */
START_TEST(dcs_takes_more_memory_than_it_says)
{
    const uint64_t stated = TEXT_BYTES * (1 + 1 + 4) + TEXT_BYTES * 4 * 40 / 1024, rest = 512 << 10;
    const uint64_t peak = peak_of_transform(&sb_cpu_bwt_forward_dcs[0], TEXT_BYTES);

    ck_assert_uint_ge(peak, stated); /* the measurement sees all of it */
    ck_assert_uint_le(peak, stated + 2 * rest);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, dcs_takes_more_memory_than_it_says);
}

int main(void)
{
    return run_tests("dcs memory", add_tests, NULL, 300);
}
