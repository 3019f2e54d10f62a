/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The harness library: case lines, byte strings, generators, shrinking and corpus folders. A descriptor of its own
 * stands beside those of mtf, with several parameters and arrays and every kind of element.
 */
#include "../harness/algorithms/table.h"
#include "../harness/case_bytes.h"
#include "../harness/corpus.h"
#include "../harness/generate.h"
#include "../harness/shrink.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const sb_algorithm *const sb_harness_algorithms_mtf[];

/* ---- mix: keys[n] of any type, values u32[n], flags u8, small i32, big u64, wide f64 ---- */

enum { TYPE, MODE, COUNT };
enum { KEYS, VALUES, FLAGS, SMALL, BIG, WIDE };

static const char *const modes[] = {"slow", "", "fast", NULL};
static const uint64_t counts[] = {0, 7, 1000, UINT64_MAX};

static bool mix_normalise(sb_case *c)
{
    return sb_array_resize(&c->inputs[VALUES], c->inputs[KEYS].length);
}

static bool mix_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[0] = c->inputs[KEYS].length;
    capacity[1] = 1;
    if (c->inputs[KEYS].length == c->inputs[VALUES].length)
        return true;
    snprintf(why, size, "keys and values differ in length");
    return false;
}

static void mix_reference(const sb_case *c, sb_result *result)
{
    result->status = c->parameters[COUNT] == 7 ? SB_INVALID : SB_OK;
    if (c->inputs[KEYS].length > 0)
        memcpy(result->outputs[0].data, c->inputs[KEYS].data, sb_array_bytes(&c->inputs[KEYS]));
    *(uint64_t *)result->outputs[1].data = c->parameters[COUNT];
}

static const sb_algorithm mix = {
    .name = "test.mix",
    .parameters = {{"type", sb_type_words_op, NULL, 0, SB_U32},
                   {"mode", modes, NULL, 0, 0},
                   {"count", NULL, counts, sizeof counts / sizeof *counts, 0}},
    .inputs = {{"keys", SB_TYPE_PARAMETER},
               {"values", SB_U32},
               {"flags", SB_U8},
               {"small", SB_I32},
               {"big", SB_U64},
               {"wide", SB_F64}},
    .outputs = {{"copy", SB_TYPE_PARAMETER}, {"number", SB_U64}},
    .normalise = mix_normalise,
    .shape = mix_shape,
    .reference = mix_reference,
};

/* In the place of the generated table. */
const sb_algorithm *sb_algorithm_at(size_t index)
{
    return index < 2 ? sb_harness_algorithms_mtf[index] : index == 2 ? &mix : NULL;
}

#define MTF   "mtf.encode id=a chunk=0 "
#define MIX   "test.mix id=a type=u32 mode=fast count=5 "
#define TAILS "values=[] flags=\"\" small=[] big=[] wide=[]"

static char error[1024];

static void parse(const char *text, sb_case_line *line)
{
    bool good = sb_case_parse(text, strlen(text), NULL, line, error, sizeof error);

    ck_assert_msg(good, "%s: %s", text, error);
}

static char *print(const sb_case *c, const sb_result *expected)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    ck_assert(sb_case_print(out, c, expected, NULL, 0));
    fclose(out);
    ck_assert_int_eq(text[length - 1], '\n');
    text[length - 1] = '\0';
    return text;
}

static void nth(sb_case *c, size_t algorithm, uint64_t index)
{
    ck_assert(sb_generate_nth(c, sb_algorithm_at(algorithm), 5, index, 300));
}

/* ---- lines ---- */

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
    {MTF "bytes=[1,,2]", 34, "'' is no number of type u8"},
    {MTF "bytes=[1,2,]", 36, "'' is no number of type u8"},
    {MTF "bytes=[-1]", 32, "'-1' is no number of type u8"},
    {MTF "bytes=[0x10]", 32, "'0x10' is no number of type u8"},
    {MTF "bytes=[#1]", 32, "2 hexadecimal digits"},
    {MTF "bytes=[#1g]", 34, "a hexadecimal digit"},
    {MTF "bytes=hex:0", 31, "no whole elements"},
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
    {"mtf.encode id=a chunk=x bytes=[]", 23, "'x' is no number of type u64"},
    {"mtf.encode id=a chunk=-1 bytes=[]", 23, "'-1' is no number of type u64"},
    {"mtf.encode id=a chunk=18446744073709551616 bytes=[]", 23, "out of the range of u64"},
    {"mtf.encode gen=random chunk=0", 30, "n= is missing"},
    {"mtf.encode gen=random chunk=0 n=5", 34, "seed= is missing"},
    {"mtf.encode gen=random chunk=0 n=5 seed=1 bytes=[]", 48, "bytes= cannot be given too"},
    {"mtf.encode gen=organ-pipe chunk=0 n=5 seed=1", 16, "no generator 'organ-pipe'"},
    {"mtf.encode gen=random chunk=0 n=4294967297 seed=1", 33, "more than 2^32"},
    {"mtf.encode gen=random chunk=0 n=0 seed=1 hash=0000000000000000", 47,
     "hash=88201fb960ff6465, not hash=0000000000000000"},
    {"mtf.encode gen=random chunk=0 n=0 seed=1", 41, "hash= is missing; this case has hash=88201fb960ff6465"},
    {"test.mix id=a type=u8 mode=fast count=0 keys=[] " TAILS, 20, "'u8' is no value of type"},
    {"test.mix id=a type=u32 mode= count=0 keys=[] " TAILS, 29, "a value is missing"},
    {"test.mix id=a type=u32 mode=2 count=0 keys=[] " TAILS, 29, "'2' is no value of mode"},
    {MIX "keys=\"text\" " TAILS, 47, "text is for bytes"},
    {MIX "keys=[1] " TAILS, 1, "keys and values differ in length"},
    {MIX "keys=[4294967296] " TAILS, 48, "out of the range of u32"},
    {MIX "keys=hex:000000 " TAILS, 47, "no whole elements of u32"},
    {MIX "keys=[] values=[] flags=[] small=[2147483648] big=[] wide=[]", 76, "out of the range of i32"},
    {MIX "keys=[] values=[] flags=[] small=[-2147483649] big=[] wide=[]", 76, "out of the range of i32"},
    {MIX "keys=[] values=[] flags=[] small=[-] big=[] wide=[]", 76, "'-' is no number of type i32"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[1e999]", 91, "out of the range of f64"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[nan]", 91, "'nan' is no number of type f64"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[1x]", 91, "'1x' is no number of type f64"},
    {MIX "keys=[] values=[] flags=[] small=[] big=[] wide=[]]", 92, "a blank must follow"},
    {"test.mix id=a type=f32 mode=fast count=0 keys=[1e39] " TAILS, 48, "out of the range of f32"},
    {"test.mix id=a type=affine mode=fast count=0 keys=[2:1] " TAILS, 51, "must be odd"},
    {"test.mix id=a type=affine mode=fast count=0 keys=[1] " TAILS, 51, "no affine map"},
    {"test.mix id=a type=affine mode=fast count=0 keys=hex:0200000000000000 values=[0] flags=[] small=[] big=[] "
     "wide=[]",
     1, "keys[0]: the first number of an affine map must be odd"},
};

START_TEST(malformed_line_is_taken_or_badly_explained)
{
    char column[32];
    sb_case_line line;
    bool good = sb_case_parse(malformed[_i].line, strlen(malformed[_i].line), NULL, &line, error, sizeof error);

    snprintf(column, sizeof column, "column %u: ", malformed[_i].column);
    ck_assert_msg(!good, "taken: %s", malformed[_i].line);
    ck_assert_msg(strncmp(error, column, strlen(column)) == 0 && strstr(error, malformed[_i].message) != NULL,
                  "%s\n  gives  %s\n  not  %s...%s", malformed[_i].line, error, column, malformed[_i].message);
}
END_TEST

START_TEST(result_takes_what_it_must_not)
{
    static const struct {
        const char *text, *message;
    } bad[] = {{"", "column 1: the result has no copy="},
               {"copy=[1,2]", "column 1: the result has no number="},
               {"copy=[1,2] number=[-1]", "column 20: '-1' is no number of type u64"},
               {"copy=[0.5] number=1", "column 7: '0.5' is no number of type u32"},
               {"invalid 1", "column 9: nothing may follow"}};
    sb_case_line line;
    sb_result result;

    parse(MIX "keys=[1,2] values=[1,2] flags=[] small=[] big=[] wide=[]", &line);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert(!sb_result_parse(bad[i].text, strlen(bad[i].text), NULL, &line.c, &result, error, sizeof error));
        ck_assert_msg(strncmp(error, bad[i].message, strlen(bad[i].message)) == 0, "%s", error);
    }
    ck_assert(sb_result_parse(" invalid ", 9, NULL, &line.c, &result, error, sizeof error));
    ck_assert_int_eq(result.status, SB_INVALID);
    sb_result_free(&result);
    ck_assert(sb_result_parse("number=5 copy=[1,2]", 19, NULL, &line.c, &result, error, sizeof error));
    ck_assert_int_eq(result.status, SB_OK);
    ck_assert_uint_eq(((uint32_t *)result.outputs[0].data)[1], 2);
    sb_result_free(&result);
    sb_case_line_free(&line);
}
END_TEST

/* Lines with a few bytes changed: each is a well-formed case or has its message. */
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
        if (sb_case_parse(text, length, NULL, &line, error, sizeof error)) {
            ck_assert_msg(sb_case_shape(&line.c, capacity, why, sizeof why), "%s: %s", text, why);
            sb_case_line_free(&line);
        } else {
            ck_assert_msg(strncmp(error, "column ", 7) == 0, "%s: %s", text, error);
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

/* ---- cases and results ---- */

START_TEST(hash_is_not_fnv_1a)
{
    sb_case_line line;

    /* FNV-1a over 16 zero bytes, and over 31, 2, then 'a', 'b', as computed by another program */
    parse("mtf.encode id=a chunk=0 bytes=\"\"", &line);
    ck_assert_uint_eq(sb_case_hash(&line.c), 0x88201fb960ff6465);
    sb_case_line_free(&line);
    parse("mtf.encode id=b chunk=31 bytes=\"ab\" => invalid", &line);
    ck_assert_uint_eq(sb_case_hash(&line.c), 0x5544d45eb7425d7b);
    sb_case_line_free(&line);
}
END_TEST

START_TEST(normalise_leaves_an_ill_formed_case)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    sb_case c, copy;
    const uint8_t keys[19] = {2, 0, 0, 0, 5};

    sb_case_init(&c, &mix);
    ck_assert_uint_eq(c.parameters[TYPE], SB_U32);
    ck_assert(sb_array_resize(&c.inputs[KEYS], 5));
    memcpy(c.inputs[KEYS].data, keys, 19);
    c.parameters[TYPE] = SB_AFFINE;
    c.parameters[MODE] = 1;
    ck_assert(!sb_case_shape(&c, capacity, error, sizeof error));
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_case_shape(&c, capacity, error, sizeof error));
    ck_assert_uint_eq(c.parameters[MODE], 0);
    ck_assert_uint_eq(c.inputs[KEYS].length, 2);
    ck_assert_uint_eq(c.inputs[VALUES].length, 2);
    ck_assert_uint_eq(((sb_affine *)c.inputs[KEYS].data)[0].a, 3);
    ck_assert_uint_eq(((sb_affine *)c.inputs[KEYS].data)[0].b, 5);
    ck_assert(sb_case_copy(&copy, &c));
    ck_assert(sb_case_normalise(&copy));
    ck_assert(sb_case_equal(&copy, &c));
    ((sb_affine *)copy.inputs[KEYS].data)[1].b++;
    ck_assert(!sb_case_equal(&copy, &c));
    ck_assert_uint_ne(sb_case_hash(&copy), sb_case_hash(&c));
    c.parameters[TYPE] = 99;
    ck_assert(!sb_case_shape(&c, capacity, error, sizeof error));
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.parameters[TYPE], SB_U32);
    ck_assert_uint_eq(c.inputs[KEYS].length, 4);
    sb_case_free(&c);
    sb_case_free(&copy);
}
END_TEST

START_TEST(result_hash_misses_a_difference)
{
    sb_result results[5] = {{.status = SB_OK}, {.status = SB_OK}, {.status = SB_OK}, {.status = SB_INVALID}};

    for (int i = 0; i < 3; i++)
        results[i].outputs[0].type = results[i].outputs[1].type = SB_U8;
    ck_assert(sb_array_set(&results[1].outputs[0], "a", 1));
    ck_assert(sb_array_set(&results[2].outputs[1], "a", 1));
    ck_assert(sb_result_copy(&results[4], &results[2], 2));
    ck_assert_uint_eq(sb_result_hash(&results[4], 2, 9), sb_result_hash(&results[2], 2, 9));
    ck_assert_uint_ne(sb_result_hash(&results[2], 2, 8), sb_result_hash(&results[2], 2, 9));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            ck_assert_uint_ne(sb_result_hash(&results[i], 2, 9), sb_result_hash(&results[k], 2, 9));
    ck_assert_uint_ne(sb_result_hash(&results[0], 0, 9), sb_result_hash(&results[3], 0, 9));
    for (int i = 0; i < 5; i++)
        sb_result_free(&results[i]);
}
END_TEST

START_TEST(reference_runs_on_an_ill_formed_case)
{
    sb_result result;
    sb_case c;

    sb_case_init(&c, &mix);
    ck_assert(sb_array_resize(&c.inputs[KEYS], 3));
    ck_assert(!sb_case_reference(&c, &result));
    ck_assert_str_eq(result.message, "keys and values differ in length");
    sb_result_free(&result);
    ck_assert(sb_array_resize(&c.inputs[VALUES], 3));
    ck_assert_double_eq(sb_case_cost(&c), 1000 + 5 * 24);
    ck_assert_uint_eq(sb_case_items(&c), 3);
    ck_assert(sb_case_reference(&c, &result));
    ck_assert_uint_eq(result.outputs[0].length, 3);
    sb_result_free(&result);
    sb_case_free(&c);
}
END_TEST

/* ---- byte strings ---- */

START_TEST(encoded_case_decodes_to_another)
{
    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (uint64_t index = 0; index < 100; index++) {
            sb_case c, back;
            uint8_t *bytes;
            size_t size;

            nth(&c, a, index);
            ck_assert(sb_case_encode(&c, &bytes, &size));
            ck_assert(sb_case_decode(c.algorithm, bytes, size, &back));
            ck_assert_msg(sb_case_equal(&c, &back), "%s %s", c.algorithm->name, c.why);
            ck_assert_str_eq(back.id, "bytes");
            free(bytes);
            sb_case_free(&c);
            sb_case_free(&back);
        }
}
END_TEST

/* Where the code of a length or of a parameter changes its form. */
START_TEST(encoded_number_decodes_to_another)
{
    static const uint64_t edges[] = {0,   1,   62,  63,  64,  65,  127, 128,   191,
                                     192, 193, 199, 200, 255, 256, 257, 65535, 65536};

    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_U32, 0, edges[i]};
        sb_case c, back;
        uint8_t *bytes;
        size_t size;

        ck_assert(sb_generate(&c, &mix, "random", edges[i], 1, parameters));
        ck_assert(sb_case_encode(&c, &bytes, &size));
        ck_assert(sb_case_decode(&mix, bytes, size, &back));
        ck_assert(sb_case_equal(&c, &back));
        free(bytes);
        sb_case_free(&c);
        sb_case_free(&back);
    }
}
END_TEST

START_TEST(byte_string_decodes_to_no_case)
{
    sb_random random = {3};

    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (size_t size = 0; size < 300; size++) {
            uint64_t capacity[SB_MAX_ARRAYS];
            uint8_t bytes[300], *again;
            size_t length;
            sb_case c, back;

            for (size_t i = 0; i < size; i++)
                bytes[i] = (uint8_t)sb_random_next(&random);
            ck_assert(sb_case_decode(sb_algorithm_at(a), bytes, size, &c));
            ck_assert_msg(sb_case_shape(&c, capacity, error, sizeof error), "%s", error);
            ck_assert(sb_case_encode(&c, &again, &length));
            ck_assert(sb_case_decode(c.algorithm, again, length, &back));
            ck_assert(sb_case_equal(&c, &back));
            free(again);
            sb_case_free(&c);
            sb_case_free(&back);
        }
}
END_TEST

START_TEST(byte_string_layout_drifts)
{
    /* Word 12 modulo 9, word 2, a literal of two bytes; lengths 1, a share, 2, 0, 0; a key, two flags, and 4 bytes. The
     * share is none: of 6 bytes for arrays whose elements take 25. */
    static const uint8_t mixed[] = {12, 2, 0xc1, 0x34, 0x12, 1, 0xff, 2, 0, 0, 9, 0, 0, 0, 7, 8, 1, 2, 3, 4};
    /* Five shares of 3 * 29 + 8 bytes: 3 elements each, as elements take 4 + 4 + 1 + 4 + 8 + 8 bytes; the last array
     * takes the rest. */
    static const uint8_t shared[8 + 3 * 29 + 8] = {3, 0, 0, 0xc8, 0xd0, 0xff, 0xe0, 0xf1};
    static const struct {
        uint8_t bytes[4];
        size_t size;
        uint64_t chunk, length;
    } simple[] = {{{0}, 0, 0, 0},        {{0, 'x'}, 2, 0, 1},          {{5, 'x'}, 2, 33, 1},
                  {{17, 'x'}, 2, 33, 1}, {{0x80 + 63, 'x'}, 2, 63, 1}, {{0xc1, 0, 1, 'x'}, 4, 256, 1},
                  {{0xc7, 1}, 2, 1, 0}};
    sb_case c;

    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        ck_assert(sb_case_decode(sb_algorithm_at(0), simple[i].bytes, simple[i].size, &c));
        ck_assert_uint_eq(c.parameters[0], simple[i].chunk);
        ck_assert_uint_eq(c.inputs[0].length, simple[i].length);
        sb_case_free(&c);
    }
    ck_assert(sb_case_decode(&mix, mixed, sizeof mixed, &c));
    ck_assert_uint_eq(c.parameters[TYPE], SB_U32);
    ck_assert_uint_eq(c.parameters[MODE], 2);
    ck_assert_uint_eq(c.parameters[COUNT], 0x1234);
    ck_assert_uint_eq(c.inputs[KEYS].length, 1);
    ck_assert_uint_eq(*(uint32_t *)c.inputs[KEYS].data, 9);
    ck_assert_uint_eq(*(uint32_t *)c.inputs[VALUES].data, 0);
    ck_assert_mem_eq(c.inputs[FLAGS].data, mixed + 14, 2);
    ck_assert_uint_eq(c.inputs[WIDE].length, 0);
    sb_case_free(&c);
    ck_assert(sb_case_decode(&mix, shared, sizeof shared, &c));
    for (int i = KEYS; i <= BIG; i++)
        ck_assert_uint_eq(c.inputs[i].length, 3);
    ck_assert_uint_eq(c.inputs[WIDE].length, 4);
    sb_case_free(&c);
}
END_TEST

/* ---- generators ---- */

START_TEST(random_is_not_splitmix64)
{
    /* from the author's program, seed 0 */
    static const uint64_t first[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec};
    sb_random random = {0};
    unsigned seen[3] = {0};

    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(sb_random_next(&random), first[i]);
    for (int i = 0; i < 3000; i++)
        seen[sb_random_below(&random, 3)]++;
    for (int i = 0; i < 3; i++)
        ck_assert(seen[i] > 900 && seen[i] < 1100);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_le(sb_random_below(&random, ((uint64_t)1 << 63) + 1), (uint64_t)1 << 63);
    ck_assert_uint_eq(sb_random_below(&random, 1), 0);
    /* Of a bare remainder the first third would come twice as often. */
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < 3000; i++)
        seen[sb_random_below(&random, (uint64_t)3 << 62) >> 62]++;
    for (int i = 0; i < 3; i++)
        ck_assert(seen[i] > 900 && seen[i] < 1100);
}
END_TEST

/* Hashes of n=1000 seed=7, mtf.encode with chunk=31 and test.mix with type=TYPE mode=fast count=31. */
static const struct {
    const char *name;
    uint64_t bytes, u32, f64, affine; /* 0: does not suit */
} pinned[] = {
    {"random", 0x12055fc21b7c71be, 0x0815948ec1a25c0c, 0x57069f699ec4de97, 0x13d0e4994c3776c1},
    {"all-equal", 0x2b33ccae24331f57, 0x7c21a116ff27400b, 0xd02247c99ab82b3f, 0xbef1310fe412cd50},
    {"few-distinct", 0x473894c87642059b, 0x55cf64828a666060, 0x58da0d188553a2b4, 0x6b2292d8505583ab},
    {"period", 0x9b4953d517048a6f, 0xfe41991fd734695f, 0x8ab05134d3873285, 0x1f5eb4d5b0ead8f6},
    {"fibonacci", 0x591f655aebe3bdff, 0, 0, 0},
    {"thue-morse", 0x92e94eb625ddc36f, 0, 0, 0},
    {"de-bruijn", 0x2ccd73cc4eb8379a, 0, 0, 0},
    {"runs", 0xd7144f3beadfe90a, 0x185be6b0e7f88b3c, 0x4785a302ba4a027f, 0xf71c055fe8791351},
    {"zero-runs", 0xccbb07fbbe95e143, 0, 0, 0},
    {"sorted", 0xa4aaf4562cf3989c, 0x420159679c489075, 0x61e0478e49804b11, 0xea6a93347879a723},
    {"reversed", 0x62a6ce9baf1910de, 0xd41d0eb2a8f6770f, 0xaca356d5ac2a440b, 0x1fb3fe8b09c1747d},
    {"sawtooth", 0x88c981562c872727, 0, 0, 0},
    {"text", 0xc795953d570c07f1, 0, 0, 0},
    {"organ-pipe", 0, 0x6e8dddd108053e4b, 0x0451595c46263f37, 0x0bc7e1bed42b9b40},
    {"nearly-sorted", 0, 0x8eb387045402eda0, 0x9b08a3f06fc689d1, 0x95147395286b4d3b},
    {"high-bit", 0, 0x4ca81dd386e52ef9, 0x46dbe349d0c22e25, 0xb124b2b20efc096e},
    {"special", 0, 0x0326f5ab4512fecf, 0xca65216dd034317b, 0xdce7bb1e03bdfba9},
    {"small", 0, 0x26ab5e558a13648b, 0x8473bae05921ce69, 0x7291151f67c9c494},
};

START_TEST(generator_drifts)
{
    static const uint64_t types[] = {SB_U32, SB_F64, SB_AFFINE};
    const uint64_t hashes[] = {pinned[_i].u32, pinned[_i].f64, pinned[_i].affine};
    const uint64_t chunk[SB_MAX_PARAMETERS] = {31};
    sb_case c;

    for (int i = 0; i < 3; i++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {types[i], 2, 31};
        bool good = sb_generate(&c, &mix, pinned[_i].name, 1000, 7, parameters);

        ck_assert_int_eq(good, hashes[i] != 0);
        if (good) {
            ck_assert_msg(sb_case_hash(&c) == hashes[i], "%s %s: %016llx", pinned[_i].name,
                          sb_type_name((uint32_t)types[i]), (unsigned long long)sb_case_hash(&c));
            sb_case_free(&c);
        }
    }
    ck_assert_int_eq(sb_generate(&c, sb_algorithm_at(0), pinned[_i].name, 1000, 7, chunk), pinned[_i].bytes != 0);
    if (pinned[_i].bytes != 0) {
        ck_assert_msg(sb_case_hash(&c) == pinned[_i].bytes, "%s u8: %016llx", pinned[_i].name,
                      (unsigned long long)sb_case_hash(&c));
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(generator_is_not_pinned)
{
    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (const char *const *name = sb_generators(sb_algorithm_at(a)); *name != NULL; name++) {
            size_t i = 0;

            while (i < sizeof pinned / sizeof *pinned && strcmp(pinned[i].name, *name) != 0)
                i++;
            ck_assert_msg(i < sizeof pinned / sizeof *pinned, "%s", *name);
        }
}
END_TEST

static const uint8_t *make_bytes(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    const uint64_t chunk[SB_MAX_PARAMETERS] = {0};

    ck_assert(sb_generate(c, sb_algorithm_at(0), name, n, seed, chunk));
    ck_assert_uint_eq(c->inputs[0].length, n);
    return c->inputs[0].data;
}

START_TEST(pattern_is_not_what_its_name_says)
{
    sb_case c;
    const uint8_t *b = make_bytes(&c, "fibonacci", 300, 2);

    /* letter i is the first symbol where floor((i + 2) phi) - floor((i + 1) phi) is 2 */
    ck_assert_uint_ne(b[0], b[1]);
    for (int i = 0; i < 300; i++) {
        const double phi = 1.6180339887498949;
        int step = (int)((i + 2) * phi) - (int)((i + 1) * phi);

        ck_assert_uint_eq(b[i], step == 2 ? b[0] : b[1]);
    }
    sb_case_free(&c);
    b = make_bytes(&c, "thue-morse", 300, 2);
    ck_assert_uint_ne(b[0], b[1]);
    for (int i = 0; i < 150; i++) {
        ck_assert_uint_eq(b[2 * i], b[i]);
        ck_assert_uint_ne(b[2 * i + 1], b[2 * i]);
    }
    sb_case_free(&c);
    b = make_bytes(&c, "sorted", 300, 2);
    for (int i = 1; i < 300; i++)
        ck_assert_uint_ge(b[i], b[i - 1]);
    sb_case_free(&c);
    b = make_bytes(&c, "reversed", 300, 2);
    for (int i = 1; i < 300; i++)
        ck_assert_uint_le(b[i], b[i - 1]);
    sb_case_free(&c);
    b = make_bytes(&c, "sawtooth", 600, 2);
    for (int i = 1; i < 600; i++)
        ck_assert_uint_eq(b[i], (uint8_t)(b[i - 1] + 1));
    sb_case_free(&c);
}
END_TEST

/* In a de Bruijn sequence of 2 symbols and order 8 every word of 8 comes once. */
START_TEST(de_bruijn_repeats_a_word)
{
    unsigned tested = 0;

    for (uint64_t seed = 0; seed < 20; seed++) {
        sb_case c;
        const uint8_t *b = make_bytes(&c, "de-bruijn", 256, seed);
        bool seen[256] = {false}, two = memcmp(b, b + 1, 7) == 0 && b[7] != b[8]; /* 0^8 1, of order 8 */

        for (int i = 0; two && i < 256; i++) {
            unsigned word = 0;

            for (int k = 0; k < 8; k++)
                word = 2 * word + (b[(i + k) % 256] != b[0]);
            ck_assert(!seen[word]);
            seen[word] = true;
        }
        tested += two;
        sb_case_free(&c);
    }
    ck_assert_uint_ge(tested, 3);
}
END_TEST

START_TEST(sorted_keys_are_not_in_total_order)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_F32, 0, 0};
        const int32_t *bits;
        sb_case c;

        ck_assert(sb_generate(&c, &mix, "sorted", 400, seed, parameters));
        bits = c.inputs[KEYS].data;
        for (int i = 1; i < 400; i++) {
            /* as sign and magnitude, to two's complement */
            int32_t before = bits[i - 1] < 0 ? bits[i - 1] ^ INT32_MAX : bits[i - 1];
            int32_t now = bits[i] < 0 ? bits[i] ^ INT32_MAX : bits[i];

            ck_assert_int_le(before, now);
        }
        for (int i = 1; i < 400; i++)
            ck_assert_int_le(((int32_t *)c.inputs[SMALL].data)[i - 1], ((int32_t *)c.inputs[SMALL].data)[i]);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(generated_case_does_not_come_again)
{
    unsigned tiny = 0, large = 0, edges = 0;

    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (uint64_t index = 0; index < 120; index++) {
            uint64_t capacity[SB_MAX_ARRAYS];
            char text[1024];
            sb_case_line line;
            sb_case c, twin;

            nth(&c, a, index);
            nth(&twin, a, index);
            ck_assert(sb_case_equal(&c, &twin));
            ck_assert_str_eq(c.why, twin.why);
            ck_assert_msg(sb_case_shape(&c, capacity, error, sizeof error), "%s", error);
            ck_assert_uint_le(sb_case_items(&c), index < 12 ? 4 : 300);
            tiny += sb_case_items(&c) == 0;
            large += sb_case_items(&c) > 200;
            edges += sb_case_items(&c) >= 63 && sb_case_items(&c) <= 65;
            snprintf(text, sizeof text, "%s %s", c.algorithm->name, c.why);
            parse(text, &line);
            ck_assert(sb_case_equal(&c, &line.c));
            ck_assert_str_eq(c.id, line.c.id);
            sb_case_line_free(&line);
            snprintf(text, sizeof text, "%s id=other why=\"y\" %s", c.algorithm->name, c.why);
            parse(text, &line);
            ck_assert_str_eq(line.c.id, "other");
            ck_assert_str_eq(line.c.why, "y");
            sb_case_line_free(&line);
            sb_case_free(&c);
            sb_case_free(&twin);
        }
    ck_assert_uint_ge(tiny, 6);
    ck_assert_uint_ge(large, 30);
    ck_assert_uint_ge(edges, 10);
}
END_TEST

START_TEST(first_cases_leave_a_generator_out)
{
    const char *const *names = sb_generators(&mix);
    bool seen[4][32] = {{false}};

    for (uint64_t index = 0; index < 48; index++) {
        sb_case c;
        size_t i = 0;

        nth(&c, 2, index);
        while (strncmp(c.id, names[i], strlen(names[i])) != 0)
            i++;
        seen[index % 4][i] = true;
        sb_case_free(&c);
    }
    for (size_t i = 0; names[i] != NULL; i++)
        ck_assert_msg(seen[0][i] || seen[1][i] || seen[2][i] || seen[3][i], "%s", names[i]);
    for (size_t i = 0; names[i] != NULL; i++)
        ck_assert_msg(seen[0][i] + seen[1][i] + seen[2][i] + seen[3][i] > 1, "%s for one purpose only", names[i]);
}
END_TEST

/* ---- shrinking ---- */

/* An x somewhere behind a y. */
static bool has_y_then_x(const sb_case *c, void *context)
{
    const uint8_t *b = c->inputs[0].data;
    const uint8_t *y = c->inputs[0].length > 0 ? memchr(b, 'y', c->inputs[0].length) : NULL;

    ++*(unsigned *)context;
    return y != NULL && memchr(y, 'x', (size_t)(b + c->inputs[0].length - y)) != NULL;
}

START_TEST(shrinking_stops_before_the_smallest)
{
    const uint64_t chunk[SB_MAX_PARAMETERS] = {4096};
    unsigned calls = 0;
    sb_case c;

    ck_assert(sb_generate(&c, sb_algorithm_at(0), "random", 3000, 1, chunk));
    ck_assert(has_y_then_x(&c, &calls));
    calls = 0;
    ck_assert_uint_eq(sb_shrink(&c, has_y_then_x, &calls, 1000), calls);
    ck_assert_uint_le(calls, 150);
    ck_assert_uint_eq(c.inputs[0].length, 2);
    ck_assert_mem_eq(c.inputs[0].data, "yx", 2);
    ck_assert_uint_eq(c.parameters[0], 0);
    ck_assert_int_eq(strncmp(c.why, "shrunk from gen=random n=3000", 29), 0);
    sb_case_free(&c);
}
END_TEST

START_TEST(shrinking_spends_more_than_it_may)
{
    for (unsigned attempts = 0; attempts < 40; attempts++) {
        const uint64_t chunk[SB_MAX_PARAMETERS] = {4096};
        unsigned calls = 0;
        sb_case c;

        ck_assert(sb_generate(&c, sb_algorithm_at(0), "random", 3000, 1, chunk));
        ck_assert_uint_le(sb_shrink(&c, has_y_then_x, &calls, attempts), attempts);
        ck_assert_uint_le(calls, attempts);
        ck_assert(has_y_then_x(&c, &calls));
        sb_case_free(&c);
    }
}
END_TEST

/* A certain key with a value above 1000, which it loses when keys are cut alone. */
static bool has_pair(const sb_case *c, void *context)
{
    const uint32_t *keys = c->inputs[KEYS].data, *values = c->inputs[VALUES].data;

    (void)context;
    for (uint64_t i = 0; c->parameters[TYPE] == SB_U32 && i < c->inputs[KEYS].length; i++)
        if (keys[i] == 77 && values[i] > 1000 && c->parameters[COUNT] > 2)
            return true;
    return false;
}

START_TEST(shrinking_tears_arrays_apart)
{
    const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_U32, 2, 1000};
    sb_case c;

    ck_assert(sb_generate(&c, &mix, "random", 500, 1, parameters));
    ck_assert(sb_array_set(&c.inputs[VALUES], NULL, 500));
    ((uint32_t *)c.inputs[KEYS].data)[321] = 77;
    ((uint32_t *)c.inputs[VALUES].data)[321] = 123456789;
    sb_shrink(&c, has_pair, NULL, 2000);
    ck_assert_uint_eq(c.inputs[KEYS].length, 1);
    ck_assert_uint_eq(((uint32_t *)c.inputs[VALUES].data)[0], 1001);
    ck_assert_uint_eq(c.parameters[COUNT], 3);
    ck_assert_uint_eq(c.parameters[MODE], 0);
    for (int i = FLAGS; i <= WIDE; i++)
        ck_assert_uint_eq(c.inputs[i].length, 0);
    sb_case_free(&c);
}
END_TEST

/* More elements than one chunk. */
static bool has_second_chunk(const sb_case *c, void *context)
{
    (void)context;
    return c->parameters[0] > 0 && c->inputs[0].length > c->parameters[0];
}

/* A chunk that can be smaller once the array is. */
static bool has_long_chunk(const sb_case *c, void *context)
{
    (void)context;
    return c->inputs[0].length >= 3 && c->parameters[0] >= c->inputs[0].length;
}

START_TEST(shrinking_leaves_parameter_and_length_large)
{
    const uint64_t chunk[SB_MAX_PARAMETERS] = {256};
    sb_case c;

    ck_assert(sb_generate(&c, sb_algorithm_at(0), "text", 1000, 1, chunk));
    sb_shrink(&c, has_second_chunk, NULL, 400);
    ck_assert_uint_eq(c.parameters[0], 1);
    ck_assert_uint_eq(c.inputs[0].length, 2);
    ck_assert_mem_eq(c.inputs[0].data, "\0\0", 2);
    sb_case_free(&c);
    ck_assert(sb_generate(&c, sb_algorithm_at(0), "text", 256, 1, chunk));
    sb_shrink(&c, has_long_chunk, NULL, 400);
    ck_assert_uint_eq(c.inputs[0].length, 3);
    ck_assert_uint_eq(c.parameters[0], 3);
    sb_case_free(&c);
}
END_TEST

/* Some element of each kind that is neither of the simplest two. */
static bool has_odd_elements(const sb_case *c, void *context)
{
    const sb_array *in = c->inputs;

    (void)context;
    return c->parameters[TYPE] == SB_AFFINE && in[KEYS].length > 0 && ((sb_affine *)in[KEYS].data)->a >= 5 &&
           in[SMALL].length > 0 && *(int32_t *)in[SMALL].data <= -5 && in[BIG].length > 0 &&
           *(uint64_t *)in[BIG].data >= (uint64_t)5 << 32 && in[WIDE].length > 0 && *(double *)in[WIDE].data >= 2.5;
}

START_TEST(shrinking_leaves_odd_elements)
{
    const sb_affine map = {123457, 99999};
    const int32_t small = -100000;
    const uint64_t big = (uint64_t)1 << 60;
    const double wide = 1e10 / 3;
    sb_case c;

    sb_case_init(&c, &mix);
    c.parameters[TYPE] = SB_AFFINE;
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_array_set(&c.inputs[KEYS], &map, 1) && sb_array_set(&c.inputs[VALUES], NULL, 1));
    ck_assert(sb_array_set(&c.inputs[SMALL], &small, 1) && sb_array_set(&c.inputs[BIG], &big, 1));
    ck_assert(sb_array_set(&c.inputs[WIDE], &wide, 1));
    sb_shrink(&c, has_odd_elements, NULL, 2000);
    ck_assert_uint_eq(((sb_affine *)c.inputs[KEYS].data)->b, 0);
    ck_assert_uint_le(((sb_affine *)c.inputs[KEYS].data)->a, 9);
    ck_assert_int_eq(*(int32_t *)c.inputs[SMALL].data, -5);
    ck_assert_uint_lt(*(uint64_t *)c.inputs[BIG].data, (uint64_t)10 << 32);
    ck_assert_double_eq(*(double *)c.inputs[WIDE].data, 3);
    sb_case_free(&c);
}
END_TEST

/* ---- files ---- */

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "check_harness-XXXXXX");
    ck_assert(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *out = fopen(path_of(name), "w");

    ck_assert(out != NULL);
    fputs(text, out);
    fclose(out);
}

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
            ck_assert(sb_case_parse(text, strcspn(text, "\n"), folder, &line, error, sizeof error));
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
    } bad[] = {{"@", "no name of a file"},
               {"@/etc/passwd", "no name of a file"},
               {"@../x", "no name of a file"},
               {"@a/../x", "no name of a file"},
               {"@a//x", "no name of a file"},
               {"@..", "no name of a file"},
               {"@none", "No such file"},
               {"@sub", "not a regular file"},
               {"@three", "3 bytes make no whole elements of u32"}};
    sb_case_line line;
    char text[256];

    put("three", "abc");
    put("four", "abcd");
    ck_assert_int_eq(mkdir(path_of("sub"), 0700), 0);
    put("sub/..four", "abcd");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, MIX "keys=%s " TAILS, bad[i].value);
        ck_assert(!sb_case_parse(text, strlen(text), folder, &line, error, sizeof error));
        ck_assert_msg(strncmp(error, "column 47: ", 11) == 0 && strstr(error, bad[i].message) != NULL, "%s", error);
    }
    snprintf(text, sizeof text, MIX "keys=@four values=@sub/..four flags=@three small=[] big=[] wide=[]");
    ck_assert_msg(sb_case_parse(text, strlen(text), folder, &line, error, sizeof error), "%s", error);
    ck_assert_uint_eq(*(uint32_t *)line.c.inputs[VALUES].data, 0x64636261);
    sb_case_line_free(&line);
}
END_TEST

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
    ck_assert_msg(sb_corpus_load_file(&corpus, path_of("good"), error, sizeof error), "%s", error);
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert(corpus.lines[1].has_expected);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put("bad", bad[i].text);
        ck_assert(!sb_corpus_load_file(&corpus, path_of("bad"), error, sizeof error));
        snprintf(expected, sizeof expected, "%s%s", path_of("bad"), bad[i].message);
        ck_assert_msg(strncmp(error, expected, strlen(expected)) == 0, "%s", error);
        ck_assert_uint_eq(corpus.count, 2);
    }
    ck_assert(sb_corpus_load_file(&corpus, path_of("good"), error, sizeof error)); /* twins across files are none */
    ck_assert(!sb_corpus_load_file(&corpus, path_of("none"), error, sizeof error));
    ck_assert(strstr(error, "none: No such file") != NULL);
    ck_assert(!sb_corpus_load_file(&corpus, folder, error, sizeof error));
    sb_corpus_free(&corpus);
}
END_TEST

START_TEST(corpus_folder_is_read_out_of_order)
{
    sb_corpus corpus = {0};

    ck_assert(!sb_corpus_load_folder(&corpus, folder, error, sizeof error));
    ck_assert(strstr(error, "holds no *.cases file") != NULL);
    put("b.cases", "mtf.encode id=2 chunk=0 bytes=[]");
    put("B.cases", "mtf.encode id=1 chunk=0 bytes=@data");
    put("c.txt", "none");
    put("data", "xyz");
    ck_assert_msg(sb_corpus_load_folder(&corpus, folder, error, sizeof error), "%s", error);
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert_str_eq(corpus.lines[0].c.id, "1");
    ck_assert_uint_eq(corpus.lines[0].c.inputs[0].length, 3);
    put("c.cases", "broken");
    ck_assert(!sb_corpus_load_folder(&corpus, folder, error, sizeof error));
    ck_assert(strstr(error, "c.cases:1: column 1: ") != NULL);
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert(!sb_corpus_load_folder(&corpus, path_of("none"), error, sizeof error));
    sb_corpus_free(&corpus);
}
END_TEST

START_TEST(real_files_are_missed_or_mistaken)
{
    static const char *const names[] = {"B--ext.txt", "a.txt", "sub-c"};
    sb_real_file *files;
    size_t count;
    sb_case c;

    ck_assert(!sb_real_files(folder, &files, &count, error, sizeof error));
    ck_assert(strstr(error, "holds no file") != NULL);
    ck_assert(!sb_real_files(path_of("none"), &files, &count, error, sizeof error));
    ck_assert_int_eq(mkdir(path_of("sub"), 0700), 0);
    ck_assert_int_eq(symlink(".", path_of("circle")), 0);
    put("README.md", "no");
    put("x.cases", "no");
    put(".hidden", "no");
    put("sub/c", "");
    put("a.txt", "some text");
    put("B :ext.txt", "b");
    ck_assert_msg(sb_real_files(folder, &files, &count, error, sizeof error), "%s", error);
    ck_assert_uint_eq(count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(files[i].name, names[i]);
    ck_assert(sb_takes_real_files(sb_algorithm_at(0)));
    ck_assert(!sb_takes_real_files(&mix));
    ck_assert(sb_real_case(&c, sb_algorithm_at(0), &files[1], 4, error, sizeof error));
    ck_assert_str_eq(c.id, "a.txt:4");
    ck_assert_uint_eq(c.inputs[0].length, 4);
    ck_assert_mem_eq(c.inputs[0].data, "some", 4);
    ck_assert_uint_eq(c.parameters[0], 0);
    sb_case_free(&c);
    ck_assert(sb_real_case(&c, sb_algorithm_at(0), &files[1], 9, error, sizeof error));
    ck_assert_str_eq(c.id, "a.txt");
    sb_case_free(&c);
    ck_assert(sb_real_case(&c, sb_algorithm_at(0), &files[2], 0, error, sizeof error));
    ck_assert_uint_eq(c.inputs[0].length, 0);
    sb_case_free(&c);
    put("a.txt", "short");
    ck_assert(!sb_real_case(&c, sb_algorithm_at(0), &files[1], 0, error, sizeof error));
    ck_assert(strstr(error, "shorter than it was") != NULL);
    sb_real_files_free(files, count);
    ck_assert_int_eq(symlink("nowhere", path_of("dangling")), 0);
    ck_assert(!sb_real_files(folder, &files, &count, error, sizeof error));
    ck_assert(strstr(error, "dangling: No such file") != NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("harness");
    TCase *tests = tcase_create("library"), *files = tcase_create("files");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, files);
    tcase_set_timeout(tests, 60);
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
    tcase_add_test(tests, hash_is_not_fnv_1a);
    tcase_add_test(tests, normalise_leaves_an_ill_formed_case);
    tcase_add_test(tests, result_hash_misses_a_difference);
    tcase_add_test(tests, reference_runs_on_an_ill_formed_case);
    tcase_add_test(tests, encoded_case_decodes_to_another);
    tcase_add_test(tests, encoded_number_decodes_to_another);
    tcase_add_test(tests, byte_string_decodes_to_no_case);
    tcase_add_test(tests, byte_string_layout_drifts);
    tcase_add_test(tests, random_is_not_splitmix64);
    tcase_add_loop_test(tests, generator_drifts, 0, sizeof pinned / sizeof *pinned);
    tcase_add_test(tests, generator_is_not_pinned);
    tcase_add_test(tests, pattern_is_not_what_its_name_says);
    tcase_add_test(tests, de_bruijn_repeats_a_word);
    tcase_add_test(tests, sorted_keys_are_not_in_total_order);
    tcase_add_test(tests, generated_case_does_not_come_again);
    tcase_add_test(tests, first_cases_leave_a_generator_out);
    tcase_add_test(tests, shrinking_stops_before_the_smallest);
    tcase_add_test(tests, shrinking_spends_more_than_it_may);
    tcase_add_test(tests, shrinking_tears_arrays_apart);
    tcase_add_test(tests, shrinking_leaves_parameter_and_length_large);
    tcase_add_test(tests, shrinking_leaves_odd_elements);
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(files, case_beside_its_files_is_read_as_another);
    tcase_add_test(files, file_that_is_no_array_is_taken);
    tcase_add_test(files, case_file_is_taken_or_badly_explained);
    tcase_add_test(files, corpus_folder_is_read_out_of_order);
    tcase_add_test(files, real_files_are_missed_or_mistaken);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
