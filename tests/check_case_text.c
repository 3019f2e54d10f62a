/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Case lines: reading and printing, inline and with files beside them.
 */
#include "harness_fixture.h"
#include "../harness/generate.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

START_TEST(line_loses_something)
{
    sb_case_line line;
    const uint8_t rank[] = {98, 98, 110, 1, 1, 1};
    char *text;

    parse("mtf.encode id=banana why=\"three symbols\" chunk=31 bytes=\"banana\" => rank=[98,98,110,1,1,1]", &line);
    ck_assert_str_eq(line.c.id, "banana");
    ck_assert_str_eq(line.c.why, "three symbols");
    ck_assert_uint_eq(line.c.parameters[0], 31);
    ck_assert_uint_eq(line.c.inputs[0].length, 6);
    ck_assert_mem_eq(line.c.inputs[0].data, "banana", 6);
    ck_assert(line.has_expected);
    ck_assert_int_eq(line.expected.status, SB_OK);
    ck_assert_uint_eq(line.expected.outputs[0].length, 6);
    ck_assert_mem_eq(line.expected.outputs[0].data, rank, 6);
    text = print(&line.c, &line.expected);
    ck_assert_str_eq(text, "mtf.encode id=banana why=\"three symbols\" chunk=31 bytes=\"banana\" => "
                           "rank=[98,98,110,1,1,1]");
    free(text);
    sb_case_line_free(&line);
    parse("  mtf.encode\tbytes=[ 1 , 2 ]  chunk=0 id=a   =>  invalid ", &line);
    ck_assert_int_eq(line.expected.status, SB_INVALID);
    ck_assert_uint_eq(line.c.inputs[0].length, 2);
    sb_case_line_free(&line);
}
END_TEST

START_TEST(escape_means_another_byte)
{
    static const char bytes[] = "\a\b\f\n\r\t\v\\\"'?\0\12\177\377\1779\xa5z\303\251";
    sb_case_line line, again;
    char *text;

    parse(MTF "bytes=\"\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\\'\\?\\0\\12\\177\\377\\1779\\xa5z\303\251\"", &line);
    ck_assert_uint_eq(line.c.inputs[0].length, sizeof bytes - 1);
    ck_assert_mem_eq(line.c.inputs[0].data, bytes, sizeof bytes - 1);
    ck_assert(sb_case_set_why(&line.c, "%s", "\a\b\f\n\r\t\v\\\"'?\1\0017\303\251 => invalid"));
    text = print(&line.c, NULL);
    parse(text, &again);
    ck_assert_str_eq(again.c.why, line.c.why);
    ck_assert(sb_case_equal(&again.c, &line.c));
    ck_assert(!again.has_expected);
    free(text);
    sb_case_line_free(&line);
    sb_case_line_free(&again);
}
END_TEST

START_TEST(bytes_are_printed_in_an_unreadable_form)
{
    static const struct {
        const char *given, *printed;
    } forms[] = {
        {"[]", "\"\""},
        {"hex:", "\"\""},
        {"[97,9,10,34,92]", "\"a\\t\\n\\\"\\\\\""},
        {"[0]", "[0]"},
        {"7", "[7]"},
        {"#07", "[7]"},
        {"hex:000102030405060708090a0b0c0d0e0f", "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]"},
        {"hex:000102030405060708090A0B0c0d0e0fff", "hex:000102030405060708090a0b0c0d0e0fff"},
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[256], expected[256], *printed;
        sb_case_line line;

        snprintf(text, sizeof text, MTF "bytes=%s", forms[i].given);
        snprintf(expected, sizeof expected, MTF "bytes=%s", forms[i].printed);
        parse(text, &line);
        printed = print(&line.c, NULL);
        ck_assert_str_eq(printed, expected);
        free(printed);
        sb_case_line_free(&line);
    }
}
END_TEST

START_TEST(number_means_another_element)
{
    static const float f32[] = {0.5f, -0.0f, 1e-45f, 3.4028235e38f, 0.1f, -1.5f, 16777216};
    static const double f64[] = {0.1, 4.9e-324, 1.7976931348623157e308, 0x1.8p-3};
    static const uint32_t bits[] = {0x7fc00001, 0xffffffff, 0x7f800000, 0xff800000};
    static const sb_affine maps[] = {{3, 4294967295u}, {4294967295u, 0}};
    static const int32_t small[] = {-2147483647 - 1, 2147483647, -1};
    sb_case_line line;
    const uint8_t *keys;

    parse("test.mix id=a type=f32 mode=slow count=18446744073709551615 "
          "keys=[0.5,-0,1e-45,0x1.fffffep127,.1,-0x1.8p0,16777217,#7fc00001,#FFFFFFFF,inf,-inf] "
          "values=hex:0100000002000000030000000400000005000000060000000700000008000000090000000a0000000b000000 "
          "flags=255 small=[-2147483648,2147483647,-1] big=18446744073709551615 "
          "wide=[0.1,4.9406564584124654e-324,1.7976931348623157e308,0x1.8p-3,#7ff0000000000001]",
          &line);
    ck_assert_uint_eq(line.c.parameters[COUNT], UINT64_MAX);
    ck_assert_uint_eq(line.c.parameters[MODE], 0);
    keys = line.c.inputs[KEYS].data;
    ck_assert_mem_eq(keys, f32, sizeof f32);
    ck_assert_mem_eq(keys + sizeof f32, bits, sizeof bits);
    ck_assert_uint_eq(((uint32_t *)line.c.inputs[VALUES].data)[10], 11);
    ck_assert_mem_eq(line.c.inputs[SMALL].data, small, sizeof small);
    ck_assert_uint_eq(*(uint64_t *)line.c.inputs[BIG].data, UINT64_MAX);
    ck_assert_mem_eq(line.c.inputs[WIDE].data, f64, sizeof f64);
    ck_assert_uint_eq(((uint64_t *)line.c.inputs[WIDE].data)[4], 0x7ff0000000000001);
    sb_case_line_free(&line);
    parse("test.mix id=a type=affine mode=fast count=0 keys=[3:4294967295,4294967295:0] values=[1,2] "
          "flags=\"\" small=[] big=[] wide=[]",
          &line);
    ck_assert_mem_eq(line.c.inputs[KEYS].data, maps, sizeof maps);
    sb_case_line_free(&line);
}
END_TEST

/* Elements of every type, any bits, special ones included, there and back. */
START_TEST(printed_case_is_read_as_another)
{
    static const char *const names[] = {"random", "special", "small", "high-bit"};

    for (uint64_t type = SB_U32; type <= SB_AFFINE; type++)
        for (size_t i = 0; i < 4; i++) {
            const uint64_t parameters[SB_MAX_PARAMETERS] = {type, 2 * (i % 2), type};
            sb_case_line line;
            sb_result result;
            sb_case c;
            char *text;

            ck_assert(sb_generate(&c, &mix, names[i], 500, type, parameters));
            ck_assert(sb_case_reference(&c, &result));
            text = print(&c, &result);
            parse(text, &line);
            ck_assert(sb_case_equal(&c, &line.c));
            ck_assert_str_eq(c.id, line.c.id);
            ck_assert_str_eq(c.why, line.c.why);
            ck_assert_uint_eq(sb_result_hash(&result, 2, 1), sb_result_hash(&line.expected, 2, 1));
            free(text);
            sb_case_free(&c);
            sb_result_free(&result);
            sb_case_line_free(&line);
        }
}
END_TEST

START_TEST(float_is_printed_longer_than_need_be)
{
    static const struct {
        double value;
        const char *text;
    } numbers[] = {{0.1, "0.1"}, {-0.0, "-0"}, {1e22, "1e+22"}, {0.25, "0.25"}, {0.1 + 0.2, "0.30000000000000004"},
                   {-3, "-3"}};
    sb_array array = {.type = SB_F64};
    char text[64];

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        ck_assert(sb_array_set(&array, &numbers[i].value, 1));
        sb_element_text(text, sizeof text, &array, 0);
        ck_assert_str_eq(text, numbers[i].text);
    }
    free(array.data);
}
END_TEST

static const struct {
    const char *line;
    unsigned column;
    const char *message;
} malformed[] = {
    {"", 1, "the name of an algorithm"},
    {"=", 1, "the name of an algorithm"},
    {"mtf.transmogrify id=a", 1, "no algorithm 'mtf.transmogrify'"},
    {"mtf.encode\"", 11, "a blank must follow"},
    {"mtf.encode", 11, "chunk= is missing"},
    {"mtf.encode chunk=0", 19, "id= is missing"},
    {"mtf.encode id=a chunk=0", 24, "bytes= is missing"},
    {"mtf.encode id=a bytes=\"\"", 25, "chunk= is missing"},
    {MTF "bytes", 30, "'=' is expected after 'bytes'"},
    {MTF "bytes=", 31, "a value is missing"},
    {MTF "bytes=\"abc", 31, "no closing quote"},
    {MTF "bytes=\"abc\\\"", 31, "no closing quote"},
    {MTF "bytes=[1,2", 31, "no closing bracket"},
    {MTF "bytes=\"a\"b", 34, "a blank must follow the value"},
    {MTF "bytes=\"a\\q\"", 33, "unknown escape"},
    {MTF "bytes=\"a\\x1\"", 33, "unknown escape"},
    {MTF "bytes=\"\\400\"", 32, "more than 255"},
    {MTF "bytes=\"\001\"", 32, "control character"},
    {MTF "bytes=banana", 31, "an array is"},
    {MTF "bytes=[256]", 32, "256 is out of the range of u8"},
    {MTF "bytes=[1,,2]", 34, "'' is not a number of type u8"},
    {MTF "bytes=[1,2,]", 36, "'' is not a number of type u8"},
    {MTF "bytes=[-1]", 32, "'-1' is not a number of type u8"},
    {MTF "bytes=[0x10]", 32, "'0x10' is not a number of type u8"},
    {MTF "bytes=[#1]", 32, "2 hexadecimal digits"},
    {MTF "bytes=[#1g]", 34, "a hexadecimal digit"},
    {MTF "bytes=hex:0", 31, "not a whole number of elements"},
    {MTF "bytes=hex:0g", 36, "a hexadecimal digit"},
    {MTF "bytes=@file", 31, "no files can be named here"},
    {MTF "bytes=[] bytes=[]", 34, "'bytes' stands here a second time"},
    {MTF "bytes=[] id=b", 34, "'id' stands here a second time"},
    {MTF "bytes=[] text=[]", 34, "mtf.encode has no 'text'"},
    {MTF "bytes=[] ,", 34, "a name is expected"},
    {MTF "bytes=[] n=5", 36, "n= goes with gen="},
    {MTF "bytes=[] =>", 36, "the result has no rank="},
    {MTF "bytes=[] => rank=[] rank=[]", 45, "'rank' stands here a second time"},
    {MTF "bytes=[] => bytes=[]", 37, "mtf.encode has no 'bytes'"},
    {MTF "bytes=[] => rank=[] => rank=[]", 45, "a second '=>'"},
    {MTF "bytes=[] => invalid rank=[]", 45, "nothing may follow 'invalid'"},
    {MTF "bytes=[] => invalidity", 47, "'=' is expected"},
    {MTF "bytes=[] => rank=[300]", 43, "300 is out of the range of u8"},
    {"mtf.encode id=a/b chunk=0 bytes=[]", 16, "an id is made of"},
    {"mtf.encode id=\"a\" chunk=0 bytes=[]", 15, "an id is made of"},
    {"mtf.encode id=a why=x chunk=0 bytes=[]", 21, "why is a \"text\""},
    {"mtf.encode id=a why=\"\\0\" chunk=0 bytes=[]", 21, "a zero byte"},
    {"mtf.encode id=a chunk=x bytes=[]", 23, "'x' is not a number of type u64"},
    {"mtf.encode id=a chunk=-1 bytes=[]", 23, "'-1' is not a number of type u64"},
    {"mtf.encode id=a chunk=18446744073709551616 bytes=[]", 23, "out of the range of u64"},
    {"mtf.encode gen=random chunk=0", 30, "n= is missing"},
    {"mtf.encode gen=random chunk=0 n=5", 34, "seed= is missing"},
    {"mtf.encode gen=random chunk=0 n=5 seed=1 bytes=[]", 48, "bytes= cannot be given too"},
    {"mtf.encode gen=organ-pipe chunk=0 n=5 seed=1", 16, "no generator 'organ-pipe'"},
    {"mtf.encode gen=random chunk=0 n=4294967297 seed=1", 33, "more than 2^32"},
    {"mtf.encode gen=random chunk=0 n=0 seed=1 hash=0000000000000000", 47,
     "hash=88201fb960ff6465, not hash=0000000000000000"},
    {"mtf.encode gen=random chunk=0 n=0 seed=1", 41, "hash= is missing; this case has hash=88201fb960ff6465"},
    {"test.mix id=a type=u8 mode=fast count=0 keys=[] " TAILS, 20, "'u8' is not a value of type"},
    {"test.mix id=a type=u32 mode= count=0 keys=[] " TAILS, 29, "a value is missing"},
    {"test.mix id=a type=u32 mode=2 count=0 keys=[] " TAILS, 29, "'2' is not a value of mode"},
    {MIX "keys=\"text\" " TAILS, 47, "text is for bytes"},
    {MIX "keys=[1] " TAILS, 1, "keys and values differ in length"},
    {MIX "keys=[4294967296] " TAILS, 48, "out of the range of u32"},
    {MIX "keys=hex:000000 " TAILS, 47, "not a whole number of elements of u32"},
    {MIX "keys=[] values=[] flags=[] small=[2147483648] big=[] wide=[]", 76, "out of the range of i32"},
    {MIX "keys=[] values=[] flags=[] small=[-2147483649] big=[] wide=[]", 76, "out of the range of i32"},
    {MIX "keys=[] values=[] flags=[] small=[-] big=[] wide=[]", 76, "'-' is not a number of type i32"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[1e999]", 91, "out of the range of f64"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[nan]", 91, "'nan' is not a number of type f64"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[1x]", 91, "'1x' is not a number of type f64"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[]]", 92, "a blank must follow"},
    {"test.mix id=a type=f32 mode=fast count=0 keys=[1e39] " TAILS, 48, "out of the range of f32"},
    {"test.mix id=a type=affine mode=fast count=0 keys=[2:1] " TAILS, 51, "must be odd"},
    {"test.mix id=a type=affine mode=fast count=0 keys=[1] " TAILS, 51, "not an affine map"},
    {"test.mix id=a type=affine mode=fast count=0 keys=hex:0200000000000000 values=[0] flags=[] small=[] big=[] "
     "wide=[]",
     1, "keys[0]: the first number of an affine map must be odd"},
};

START_TEST(malformed_line_is_taken_or_badly_explained)
{
    char column[32];
    sb_case_line line;
    bool good = sb_case_parse(malformed[_i].line, strlen(malformed[_i].line), NULL, &line, reason, sizeof reason);

    snprintf(column, sizeof column, "column %u: ", malformed[_i].column);
    ck_assert_msg(!good, "taken: %s", malformed[_i].line);
    ck_assert_msg(strncmp(reason, column, strlen(column)) == 0 && strstr(reason, malformed[_i].message) != NULL,
                  "%s\n  gives  %s\n  not  %s...%s", malformed[_i].line, reason, column, malformed[_i].message);
}
END_TEST

START_TEST(result_takes_what_it_must_not)
{
    static const struct {
        const char *text, *message;
    } bad[] = {{"", "column 1: the result has no copy="},
               {"copy=[1,2]", "column 1: the result has no number="},
               {"copy=[1,2] number=[-1]", "column 20: '-1' is not a number of type u64"},
               {"copy=[0.5] number=1", "column 7: '0.5' is not a number of type u32"},
               {"invalid 1", "column 9: nothing may follow"}};
    sb_case_line line;
    sb_result result;

    parse(MIX "keys=[1,2] values=[1,2] flags=[] small=[] big=[] wide=[]", &line);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert(!sb_result_parse(bad[i].text, strlen(bad[i].text), NULL, &line.c, &result, reason, sizeof reason));
        ck_assert_msg(strncmp(reason, bad[i].message, strlen(bad[i].message)) == 0, "%s", reason);
    }
    ck_assert(sb_result_parse(" invalid ", 9, NULL, &line.c, &result, reason, sizeof reason));
    ck_assert_int_eq(result.status, SB_INVALID);
    sb_result_free(&result);
    ck_assert(sb_result_parse("number=5 copy=[1,2]", 19, NULL, &line.c, &result, reason, sizeof reason));
    ck_assert_int_eq(result.status, SB_OK);
    ck_assert_uint_eq(((uint32_t *)result.outputs[0].data)[1], 2);
    sb_result_free(&result);
    sb_case_line_free(&line);
}
END_TEST

/* Lines with a few bytes changed: each is a well-formed case, or is refused with a message. */
START_TEST(damaged_line_gives_an_ill_formed_case)
{
    static const char *const lines[] = {
        MTF "bytes=\"ab\\x41\\101\" => rank=[97,98]",
        "mtf.encode gen=runs n=12 seed=3 chunk=1 hash=0123456789abcdef",
        ("test.mix id=a why=\"x\" type=affine mode=slow count=7 keys=[1:2,3:4] values=[5,6] flags=hex:0001 "
         "small=[-1] big=#0000000000000001 wide=[0x1p3,inf] => invalid"),
    };
    static const char alphabet[] = "\"\\[]=>,:#-.@x019af \t\n\377ign";
    sb_random random = {1};

    for (int i = 0; i < 20000; i++) {
        uint64_t capacity[SB_MAX_ARRAYS];
        char text[256], why[256] = "";
        sb_case_line line;
        size_t length = (size_t)snprintf(text, sizeof text, "%s", lines[i % 3]);

        for (uint64_t k = 1 + sb_random_below(&random, 3); k > 0; k--)
            text[sb_random_below(&random, length)] = alphabet[sb_random_below(&random, sizeof alphabet)];
        length -= sb_random_below(&random, 8) == 0 ? sb_random_below(&random, length) : 0;
        if (sb_case_parse(text, length, NULL, &line, reason, sizeof reason)) {
            ck_assert_msg(sb_case_shape(&line.c, capacity, why, sizeof why), "%s: %s", text, why);
            sb_case_line_free(&line);
        } else {
            ck_assert_msg(strncmp(reason, "column ", 7) == 0, "%s: %s", text, reason);
        }
    }
}
END_TEST

START_TEST(array_excerpt_is_cut_elsewhere)
{
    static const struct {
        uint64_t from, limit;
        const char *text;
    } excerpts[] = {{0, 9, "[5,6,7]"}, {0, 3, "[5,6,7]"}, {1, 1, "[6,...]"}, {2, 1, "[7]"},
                    {3, 1, "[]"},      {9, 1, "[]"},      {0, 0, "[...]"}};
    const uint32_t elements[] = {5, 6, 7};
    sb_array array = {.type = SB_U32};

    ck_assert(sb_array_set(&array, elements, 3));
    for (size_t i = 0; i < sizeof excerpts / sizeof *excerpts; i++) {
        char text[64] = "";
        FILE *out = fmemopen(text, sizeof text, "w");

        sb_array_print(out, &array, excerpts[i].from, excerpts[i].limit);
        fclose(out);
        ck_assert_str_eq(text, excerpts[i].text);
    }
    free(array.data);
}
END_TEST

START_TEST(case_beside_its_files_is_read_as_another)
{
    for (uint64_t limit = 0; limit < 3000; limit += 500)
        for (uint64_t n = 0; n < 900; n += 300) {
            const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_F64, 0, 1};
            char text[65536];
            sb_case_line line;
            sb_result result;
            sb_case c;
            FILE *out = fmemopen(text, sizeof text, "w");

            ck_assert(sb_generate(&c, &mix, "random", n, 1, parameters));
            ck_assert(sb_case_reference(&c, &result));
            ck_assert(sb_case_print(out, &c, &result, folder, limit));
            fclose(out);
            ck_assert((strstr(text, "wide=@random-") != NULL) == (limit == 0 || 8 * n > limit));
            ck_assert((strstr(text, "flags=@random-") != NULL) == (limit == 0 || n > limit));
            ck_assert(sb_case_parse(text, strcspn(text, "\n"), folder, &line, reason, sizeof reason));
            ck_assert(sb_case_equal(&c, &line.c));
            ck_assert_uint_eq(sb_result_hash(&result, 2, 1), sb_result_hash(&line.expected, 2, 1));
            sb_case_free(&c);
            sb_result_free(&result);
            sb_case_line_free(&line);
        }
}
END_TEST

START_TEST(file_that_is_no_array_is_taken)
{
    static const struct {
        const char *value, *message;
    } bad[] = {{"@", "not the name of a file"},
               {"@/etc/passwd", "not the name of a file"},
               {"@../x", "not the name of a file"},
               {"@a/../x", "not the name of a file"},
               {"@a//x", "not the name of a file"},
               {"@..", "not the name of a file"},
               {"@none", "No such file"},
               {"@sub", "not a regular file"},
               {"@three", "3 bytes are not a whole number of elements of u32"}};
    sb_case_line line;
    char text[256];

    put("three", "abc");
    put("four", "abcd");
    ck_assert_int_eq(mkdir(path_of("sub"), 0700), 0);
    put("sub/..four", "abcd");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, MIX "keys=%s " TAILS, bad[i].value);
        ck_assert(!sb_case_parse(text, strlen(text), folder, &line, reason, sizeof reason));
        ck_assert_msg(strncmp(reason, "column 47: ", 11) == 0 && strstr(reason, bad[i].message) != NULL, "%s", reason);
    }
    snprintf(text, sizeof text, MIX "keys=@four values=@sub/..four flags=@three small=[] big=[] wide=[]");
    ck_assert_msg(sb_case_parse(text, strlen(text), folder, &line, reason, sizeof reason), "%s", reason);
    ck_assert_uint_eq(*(uint32_t *)line.c.inputs[VALUES].data, 0x64636261);
    sb_case_line_free(&line);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("case_text");
    TCase *tests = tcase_create("library"), *files = tcase_create("files");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, files);
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(tests, line_loses_something);
    tcase_add_test(tests, escape_means_another_byte);
    tcase_add_test(tests, bytes_are_printed_in_an_unreadable_form);
    tcase_add_test(tests, number_means_another_element);
    tcase_add_test(tests, printed_case_is_read_as_another);
    tcase_add_test(tests, float_is_printed_longer_than_need_be);
    tcase_add_loop_test(tests, malformed_line_is_taken_or_badly_explained, 0, sizeof malformed / sizeof *malformed);
    tcase_add_test(tests, result_takes_what_it_must_not);
    tcase_add_test(tests, damaged_line_gives_an_ill_formed_case);
    tcase_add_test(tests, array_excerpt_is_cut_elsewhere);
    tcase_add_test(files, case_beside_its_files_is_read_as_another);
    tcase_add_test(files, file_that_is_no_array_is_taken);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
