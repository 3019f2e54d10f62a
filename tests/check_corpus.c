/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Case files, directories of them, and real files.
 */
#include "harness_fixture.h"
#include "../harness/corpus.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(case_file_is_taken_or_badly_explained)
{
    static const struct {
        const char *text, *message;
    } bad[] = {{"# a\n\n" MTF "bytes=[]\n" MTF "bytes=x\n", ":4: column 31: an array is"},
               {MTF "bytes=[]\n# b\n" MTF "bytes=[1]\n", ":3: another case of this file has the id a"},
               {"# nothing\n \t\n\r\n", ": holds no case"},
               {"", ": holds no case"}};
    sb_corpus corpus = {0};
    char expected[256];

    put("good", "# two\r\n" MTF "bytes=[]\r\n  \nmtf.encode id=b chunk=0 bytes=[1] => rank=[1]");
    ck_assert_msg(sb_corpus_load_file(&corpus, path_of("good"), reason, sizeof reason), "%s", reason);
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert(corpus.lines[1].has_expected);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put("bad", bad[i].text);
        ck_assert(!sb_corpus_load_file(&corpus, path_of("bad"), reason, sizeof reason));
        snprintf(expected, sizeof expected, "%s%s", path_of("bad"), bad[i].message);
        ck_assert_msg(strncmp(reason, expected, strlen(expected)) == 0, "%s", reason);
        ck_assert_uint_eq(corpus.count, 2);
    }
    ck_assert(sb_corpus_load_file(&corpus, path_of("good"), reason,
                                  sizeof reason)); /* equal ids in different files are allowed */
    ck_assert(!sb_corpus_load_file(&corpus, path_of("none"), reason, sizeof reason));
    ck_assert(strstr(reason, "none: No such file") != NULL);
    ck_assert(!sb_corpus_load_file(&corpus, folder, reason, sizeof reason));
    sb_corpus_free(&corpus);
}
END_TEST

static bool wants_ranks(const void *who, const sb_algorithm *algorithm)
{
    return strcmp(algorithm->name, who) == 0;
}

START_TEST(lines_are_read_that_the_corpus_does_not_want)
{
    sb_corpus corpus = {.wants = wants_ranks, .who = "mtf.encode"};

    put("mixed", "mtf.decode id=a broken\n" MTF "bytes=[]\nmtf.decode id=b broken\n");
    ck_assert_msg(sb_corpus_load_file(&corpus, path_of("mixed"), reason, sizeof reason), "%s", reason);
    ck_assert_uint_eq(corpus.count, 1);
    ck_assert(strstr(corpus.lines[0].place, "mixed:2") != NULL);
    put("others", "mtf.decode id=a broken\n");
    ck_assert_msg(sb_corpus_load_file(&corpus, path_of("others"), reason, sizeof reason), "%s", reason);
    ck_assert_uint_eq(corpus.count, 1);
    put("unknown", "no.such id=a\n");
    ck_assert(!sb_corpus_load_file(&corpus, path_of("unknown"), reason, sizeof reason));
    ck_assert(strstr(reason, "unknown:1: column 1: there is no algorithm") != NULL);
    put("wrong", MTF "bytes=x\n");
    ck_assert(!sb_corpus_load_file(&corpus, path_of("wrong"), reason, sizeof reason));
    sb_corpus_free(&corpus);
}
END_TEST

START_TEST(corpus_folder_is_read_out_of_order)
{
    sb_corpus corpus = {0};

    ck_assert(!sb_corpus_load_folder(&corpus, folder, reason, sizeof reason));
    ck_assert(strstr(reason, "holds no *.cases file") != NULL);
    put("b.cases", "mtf.encode id=2 chunk=0 bytes=[]");
    put("B.cases", "mtf.encode id=1 chunk=0 bytes=@data");
    put("c.txt", "none");
    put("data", "xyz");
    ck_assert_msg(sb_corpus_load_folder(&corpus, folder, reason, sizeof reason), "%s", reason);
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert_str_eq(corpus.lines[0].c.id, "1");
    ck_assert_uint_eq(corpus.lines[0].c.inputs[0].length, 3);
    put("c.cases", "broken");
    ck_assert(!sb_corpus_load_folder(&corpus, folder, reason, sizeof reason));
    ck_assert(strstr(reason, "c.cases:1: column 1: ") != NULL);
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert(!sb_corpus_load_folder(&corpus, path_of("none"), reason, sizeof reason));
    sb_corpus_free(&corpus);
}
END_TEST

START_TEST(real_files_are_missed_or_mistaken)
{
    static const char *const names[] = {"B--ext.txt", "a.txt", "sub-c"};
    sb_real_file *files;
    size_t count;
    sb_case c;

    ck_assert(!sb_real_files(folder, &files, &count, reason, sizeof reason));
    ck_assert(strstr(reason, "holds no file") != NULL);
    ck_assert(!sb_real_files(path_of("none"), &files, &count, reason, sizeof reason));
    ck_assert_int_eq(mkdir(path_of("sub"), 0700), 0);
    ck_assert_int_eq(symlink(".", path_of("circle")), 0);
    put("README.md", "no");
    put("x.cases", "no");
    put(".hidden", "no");
    put("sub/c", "");
    put("a.txt", "some text");
    put("B :ext.txt", "b");
    ck_assert_msg(sb_real_files(folder, &files, &count, reason, sizeof reason), "%s", reason);
    ck_assert_uint_eq(count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(files[i].name, names[i]);
    ck_assert(sb_takes_real_files(sb_algorithm_at(0)));
    ck_assert(!sb_takes_real_files(&mix));
    ck_assert(sb_real_case(&c, sb_algorithm_at(0), &files[1], 4, reason, sizeof reason));
    ck_assert_str_eq(c.id, "a.txt:4");
    ck_assert_uint_eq(c.inputs[0].length, 4);
    ck_assert_mem_eq(c.inputs[0].data, "some", 4);
    ck_assert_uint_eq(c.parameters[0], 0);
    sb_case_free(&c);
    ck_assert(sb_real_case(&c, sb_algorithm_at(0), &files[1], 9, reason, sizeof reason));
    ck_assert_str_eq(c.id, "a.txt");
    sb_case_free(&c);
    ck_assert(sb_real_case(&c, sb_algorithm_at(0), &files[2], 0, reason, sizeof reason));
    ck_assert_uint_eq(c.inputs[0].length, 0);
    sb_case_free(&c);
    put("a.txt", "short");
    ck_assert(!sb_real_case(&c, sb_algorithm_at(0), &files[1], 0, reason, sizeof reason));
    ck_assert(strstr(reason, "shorter than it was") != NULL);
    sb_real_files_free(files, count);
    ck_assert_int_eq(symlink("nowhere", path_of("dangling")), 0);
    ck_assert(!sb_real_files(folder, &files, &count, reason, sizeof reason));
    ck_assert(strstr(reason, "dangling: No such file") != NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("corpus");
    TCase *files = tcase_create("files");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, files);
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(files, case_file_is_taken_or_badly_explained);
    tcase_add_test(files, lines_are_read_that_the_corpus_does_not_want);
    tcase_add_test(files, corpus_folder_is_read_out_of_order);
    tcase_add_test(files, real_files_are_missed_or_mistaken);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
