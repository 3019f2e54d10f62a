/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the unit tests of the compression references share: texts, pieces that they are cut into, and cases.
 */
#ifndef TESTS_REF_FIXTURE_H
#define TESTS_REF_FIXTURE_H

#include "../common/algorithm.h"
#include "../common/case.h"
#include "draw.h"
#include <check.h>
#include <samebits/algorithms.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 700 }; /* of a text: more than two runs of 255 */

/* Sizes of chunks, blocks and segments. */
static const uint64_t pieces[] = {0, 1, 2, 3, 7, 63, 64, 65, 255, 256, 257, UINT64_MAX - 1, UINT64_MAX};

/* n bytes in runs of up to 2^k, from an alphabet of up to 2^j letters, 0 among them. */
static inline void fill(uint8_t *bytes, uint64_t n)
{
    uint64_t longest = (uint64_t)1 << draw(10), letters = (uint64_t)1 << draw(9);

    for (uint64_t i = 0, run = 0, letter = 0; i < n; i++, run--) {
        if (run == 0) {
            run = 1 + draw(longest);
            letter = draw(letters);
        }
        bytes[i] = (uint8_t)letter;
    }
}

/* Word number `index` of the n-letter words over 0..letters-1. */
static inline void spell(uint8_t *word, uint64_t n, uint64_t letters, uint64_t index)
{
    for (uint64_t i = 0; i < n; i++, index /= letters)
        word[i] = (uint8_t)(index % letters);
}

static inline uint64_t power(uint64_t base, uint64_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static inline void set(sb_case *c, int input, const void *data, uint64_t length)
{
    ck_assert(sb_array_set(&c->inputs[input], data, length));
}

static inline void refer(const sb_case *c, sb_result *result)
{
    ck_assert_msg(sb_case_reference(c, result), "%s", result->message);
}

/* `invert` and the reference of the inverse give the inputs back. */
static inline void check_inverse(const sb_algorithm *algorithm, const sb_algorithm *inverse)
{
    uint8_t bytes[MAX_BYTES];

    ck_assert_str_eq(algorithm->inverse, inverse->name);
    for (int i = 0; i < 100; i++) {
        sb_case c, back;
        sb_result result, undone;
        uint64_t n = i < 5 ? (uint64_t)i : draw(MAX_BYTES);

        fill(bytes, n);
        sb_case_init(&c, algorithm);
        c.parameters[0] = pieces[draw(sizeof pieces / sizeof *pieces)];
        set(&c, 0, bytes, n);
        refer(&c, &result);
        sb_case_init(&back, inverse);
        ck_assert(algorithm->invert(&c, &result, &back));
        refer(&back, &undone);
        ck_assert_int_eq(undone.status, SB_OK);
        ck_assert_uint_eq(undone.outputs[0].length, n);
        if (n > 0)
            ck_assert_mem_eq(undone.outputs[0].data, bytes, n);
        sb_result_free(&undone);
        sb_case_free(&back);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}

/* Calls `check` with each bit of the payload flipped, then with each offset increased by 1, one change at a time. */
static inline void for_each_change(uint8_t *payload, uint64_t payload_bytes, uint64_t *offset, uint64_t offsets,
                                   void (*check)(const void *context), const void *context)
{
    for (uint64_t bit = 0; bit < 8 * payload_bytes; bit++) {
        payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
        check(context);
        payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (uint64_t i = 0; i < offsets; i++) {
        offset[i]++;
        check(context);
        offset[i]--;
    }
}

#endif
