/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.decode/bitmask where the judge does not reach: it gives no more room than the bytes take, or stand before a
 * fault.
 */
#include <check.h>
#include <samebits/module.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 60000, CODE = 200 };

extern const sb_variant sb_cpu_rle0_decode_bitmask[];

static sb_status decode(uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t room, uint64_t *length)
{
    sb_array in = {code, n, n, SB_U8, 0}, out = {bytes, room, room, SB_U8, 0};
    sb_status status = sb_cpu_rle0_decode_bitmask->launch(NULL, &in, &out, NULL);

    *length = out.length;
    return status;
}

START_TEST(a_fault_is_missed_when_there_is_room)
{
    static uint8_t code[CODE], bytes[ROOM];
    uint64_t length;

    for (unsigned at = 0; at + 1 < CODE; at++) {
        memset(code, 'a', CODE);
        code[at] = 0;
        ck_assert_int_eq(decode(code, CODE, bytes, ROOM, &length), SB_OK);
        ck_assert_uint_eq(length, CODE - 2 + 'a');
        code[at + 1] = 0;
        ck_assert_int_eq(decode(code, CODE, bytes, ROOM, &length), SB_INVALID);
    }
}
END_TEST

START_TEST(more_is_written_than_there_is_room)
{
    static uint8_t code[CODE], bytes[ROOM];
    uint64_t length;
    unsigned written = 0;

    for (unsigned i = 0; i < CODE; i++)
        code[i] = i % 2 == 0 ? 0 : 255;
    for (unsigned room = 0; room <= CODE / 2 * 255; room += room < 600 ? 1 : 97) {
        memset(bytes, 0xa5, ROOM);
        ck_assert_int_eq(decode(code, CODE, bytes, room, &length), room == CODE / 2 * 255 ? SB_OK : SB_INVALID);
        for (unsigned i = room; i < ROOM; i++)
            written += bytes[i] != 0xa5;
        ck_assert_uint_eq(written, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rle0.decode/bitmask");
    TCase *tests = tcase_create("room");
    SRunner *runner = srunner_create(suite);

    tcase_add_test(tests, a_fault_is_missed_when_there_is_room);
    tcase_add_test(tests, more_is_written_than_there_is_room);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
