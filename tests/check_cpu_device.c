/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device of the module cpu: what <samebits/module.h> promises, and that large blocks get huge pages.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include "suite.h"
#include "common/clock.h"
#include <samebits/module.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { ALIGNMENT = 256, PAGE = 4096, HUGE = 2 << 20, ROW = 5, ROWS = 3 }; /* bytes, but for ROWS */

static const uint64_t FOUR_GIB = (uint64_t)4 << 30;

const sb_device *samebits_device(uint32_t version);

static const sb_device *device(void)
{
    return samebits_device(SB_MODULE_VERSION);
}

START_TEST(another_version_gets_a_device)
{
    ck_assert_ptr_nonnull(device());
    ck_assert_str_eq(device()->name, "cpu");
    ck_assert_uint_eq(device()->flags, 0);
    ck_assert_ptr_null(samebits_device(SB_MODULE_VERSION - 1));
    ck_assert_ptr_null(samebits_device(SB_MODULE_VERSION + 1));
}
END_TEST

/* The rest of the first line of /proc/cpuinfo that begins with "model name", behind the colon; "": there is none. */
static void find_model(char *model, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];

    model[0] = '\0';
    while (file != NULL && model[0] == '\0' && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0)
            snprintf(model, size, "%s", line + strcspn(line, ":") + strlen(": "));
    model[strcspn(model, "\n")] = '\0';
    if (file != NULL)
        fclose(file);
}

/* The number that the next open file would get. */
static int next_file(void)
{
    const int file = dup(STDERR_FILENO);

    close(file);
    return file;
}

START_TEST(the_description_does_not_name_the_processor)
{
    char description[256], expected[512], model[256];
    const int file = next_file();
    struct utsname host;

    uname(&host);
    find_model(model, sizeof model);
    snprintf(expected, sizeof expected, "%s, %ld online, %s", model[0] != '\0' ? model : "unnamed processor",
             sysconf(_SC_NPROCESSORS_ONLN), host.machine);
    memset(description, 'x', sizeof description);
    ck_assert_int_eq(device()->open(description, sizeof description), SB_OK);
    ck_assert_str_eq(description, expected);
    memset(description, 'x', sizeof description);
    ck_assert_int_eq(device()->open(description, 8), SB_OK);
    ck_assert_uint_eq(strlen(description), 7);
    ck_assert_int_eq(description[8], 'x');
    ck_assert_int_eq(next_file(), file);
}
END_TEST

START_TEST(memory_is_not_aligned_or_too_much_is_given)
{
    static const uint64_t sizes[] = {0, 1, ALIGNMENT - 1, ALIGNMENT, 100000, 3 * HUGE + 1};
    void *memory = NULL;

    ck_assert_str_eq(device()->error(), "no error");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ck_assert_int_eq(device()->alloc(&memory, sizes[i]), SB_OK);
        ck_assert_ptr_nonnull(memory);
        ck_assert_uint_eq((uintptr_t)memory % ALIGNMENT, 0);
        memset(memory, 1, sizes[i]);
        ck_assert_int_eq(device()->free(memory), SB_OK);
    }
    ck_assert_str_eq(device()->error(), "no error");
    ck_assert_int_eq(device()->alloc(&memory, UINT64_MAX), SB_UNSUPPORTED);
    ck_assert_int_eq(device()->alloc(&memory, (uint64_t)1 << 62), SB_UNSUPPORTED);
    ck_assert_str_eq(device()->error(), "out of memory");
    ck_assert_int_eq(device()->free(NULL), SB_OK);
}
END_TEST

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#define HAVE_MALLINFO2 1
#include <malloc.h>
#endif

START_TEST(memory_is_kept)
{
#ifndef HAVE_MALLINFO2
    puts("# memory_is_kept: skipped, this C library does not count its memory");
#else
    const struct mallinfo2 before = mallinfo2();
    struct mallinfo2 after;
    void *memory = NULL;

    ck_assert_int_eq(device()->alloc(&memory, 8 * HUGE), SB_OK);
    ck_assert_int_eq(device()->free(memory), SB_OK);
    after = mallinfo2();
    ck_assert_uint_lt(after.uordblks + after.hblkhd, before.uordblks + before.hblkhd + HUGE);
#endif
}
END_TEST

/* 1: the system was asked for huge pages at this address; 0: it was not; -1: it does not tell. */
static int is_advised(const char *at)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    unsigned long begin, end;
    char line[512];
    int inside = 0, advised = -1;

    while (file != NULL && advised < 0 && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            inside = begin <= (unsigned long)at && (unsigned long)at < end;
        if (inside && strncmp(line, "VmFlags:", 8) == 0)
            advised = strstr(line, " hg") != NULL;
    }
    if (file != NULL)
        fclose(file);
    return advised;
}

/* Whether the system takes the advice, and tells so. */
static bool can_see_advice(void)
{
    char *memory = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool can = memory != MAP_FAILED && madvise(memory, 2 * HUGE, MADV_HUGEPAGE) == 0 && is_advised(memory) == 1;

    if (memory != MAP_FAILED)
        munmap(memory, 2 * HUGE);
    return can;
}

START_TEST(whole_huge_pages_of_a_block_are_not_asked_for_or_others_are)
{
    void *memory = NULL;
    char *first, *behind;

    if (!can_see_advice()) {
        puts("# whole_huge_pages_...: skipped, the system gives no huge pages, or does not tell");
        return;
    }
    ck_assert_int_eq(device()->alloc(&memory, 4 * HUGE - PAGE), SB_OK);
    first = (char *)(((uintptr_t)memory + HUGE - 1) / HUGE * HUGE);
    behind = (char *)(((uintptr_t)memory + 4 * HUGE - PAGE) / HUGE * HUGE);
    ck_assert_int_eq(is_advised(first), 1);
    ck_assert_int_eq(is_advised(behind - 1), 1);
    ck_assert(first == (char *)memory || is_advised(first - 1) == 0);
    ck_assert_int_eq(is_advised(behind), 0);
    device()->free(memory);

    /* A block without a whole huge page. */
    ck_assert_int_eq(device()->alloc(&memory, HUGE - PAGE), SB_OK);
    ck_assert_int_eq(is_advised(memory), 0);
    device()->free(memory);

    /* More bytes than 32 bits can count; nothing is written there. */
    if (device()->alloc(&memory, FOUR_GIB + 4 * HUGE) != SB_OK) {
        puts("# whole_huge_pages_...: not for more than 4 GiB, which the system refuses");
        return;
    }
    ck_assert_int_eq(is_advised((char *)memory + FOUR_GIB + HUGE), 1);
    device()->free(memory);
}
END_TEST

START_TEST(a_copy_is_not_exact)
{
    const char host[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char back[sizeof host] = "", rows[64];
    void *memory = NULL;

    ck_assert_int_eq(device()->alloc(&memory, sizeof host), SB_OK);
    ck_assert_int_eq(device()->upload(memory, host, sizeof host), SB_OK);
    ck_assert_int_eq(device()->download(back, memory, sizeof host - 1), SB_OK);
    ck_assert_mem_eq(back, host, sizeof host);
    ck_assert_int_eq(device()->upload(memory, NULL, 0), SB_OK);
    ck_assert_int_eq(device()->download(NULL, memory, 0), SB_OK);

    memset(rows, '.', sizeof rows);
    ck_assert_int_eq(device()->copy(rows + 1, 8, memory, 10, ROW, ROWS), SB_OK);
    ck_assert_mem_eq(rows, ".01234...abcde...klmno..", 24);
    ck_assert_int_eq(rows[24], '.');
    ck_assert_int_eq(device()->copy(rows, 8, memory, 10, ROW, 0), SB_OK);
    ck_assert_int_eq(device()->copy(NULL, 8, NULL, 10, 0, ROWS), SB_OK);
    ck_assert_mem_eq(rows, ".01234...abcde...klmno..", 24);
    ck_assert_int_eq(device()->synchronise(), SB_OK);
    device()->free(memory);
}
END_TEST

START_TEST(the_timer_runs_differently_from_the_clock)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};
    double outer, inner, measured = -1;

    for (int i = 0; i < 2; i++) { /* the second time it starts anew */
        outer = sb_now();
        ck_assert_int_eq(device()->timer_start(), SB_OK);
        inner = sb_now();
        nanosleep(&pause, NULL);
        inner = sb_now() - inner;
        ck_assert_int_eq(device()->timer_stop(&measured), SB_OK);
        outer = sb_now() - outer;
        ck_assert(inner <= measured && measured <= outer);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, another_version_gets_a_device);
    tcase_add_test(tests, the_description_does_not_name_the_processor);
    tcase_add_test(tests, memory_is_not_aligned_or_too_much_is_given);
    tcase_add_test(tests, memory_is_kept);
    tcase_add_test(tests, whole_huge_pages_of_a_block_are_not_asked_for_or_others_are);
    tcase_add_test(tests, a_copy_is_not_exact);
    tcase_add_test(tests, the_timer_runs_differently_from_the_clock);
}

int main(void)
{
    return run_tests("cpu/device", add_tests, NULL, 60);
}
