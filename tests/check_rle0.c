/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rle0.decode/bitmask with capacities that the judge never gives: the judge's outputs are as large as the decoded
 * bytes, or somewhat larger than what precedes a fault.
 */
#include "suite.h"
#include <samebits/module.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 60000, CODE = 200 }; /* bytes */

extern const sb_variant sb_cpu_rle0_decode_bitmask[];

static sb_status decode(uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t capacity, uint64_t *length)
{
    sb_array in = {code, n, n, SB_U8, 0}, out = {bytes, capacity, capacity, SB_U8, 0};
    sb_status status = sb_cpu_rle0_decode_bitmask->launch(NULL, &in, &out, NULL);

    *length = out.length;
    return status;
}

START_TEST(a_fault_is_missed_when_the_output_has_capacity)
{
    static uint8_t code[CODE], bytes[MAX_BYTES];
    uint64_t length;

    for (unsigned at = 0; at + 1 < CODE; at++) {
        memset(code, 'a', CODE);
        code[at] = 0;
        ck_assert_int_eq(decode(code, CODE, bytes, MAX_BYTES, &length), SB_OK);
        ck_assert_uint_eq(length, CODE - 2 + 'a');
        code[at + 1] = 0;
        ck_assert_int_eq(decode(code, CODE, bytes, MAX_BYTES, &length), SB_INVALID);
    }
}
END_TEST

START_TEST(bytes_are_written_past_the_capacity)
{
    static uint8_t code[CODE], bytes[MAX_BYTES];
    uint64_t length;
    unsigned written = 0;

    for (unsigned i = 0; i < CODE; i++)
        code[i] = i % 2 == 0 ? 0 : 255;
    for (unsigned capacity = 0; capacity <= CODE / 2 * 255; capacity += capacity < 600 ? 1 : 97) {
        memset(bytes, 0xa5, MAX_BYTES);
        ck_assert_int_eq(decode(code, CODE, bytes, capacity, &length), capacity == CODE / 2 * 255 ? SB_OK : SB_INVALID);
        for (unsigned i = capacity; i < MAX_BYTES; i++)
            written += bytes[i] != 0xa5;
        ck_assert_uint_eq(written, 0);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, a_fault_is_missed_when_the_output_has_capacity);
    tcase_add_test(tests, bytes_are_written_past_the_capacity);
}

int main(void)
{
    return run_tests("rle0.decode/bitmask", add_tests, NULL, 60);
}
