/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The C variants of select.kth on every input of up to 9 keys of 3 values, for every k, and on inputs that drive a
 * quickselect to its worst case; and the reference of select.topk against that of select.kth.
 */
#include "../ref/select.h"
#include "suite.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

enum { MAX_KEYS = 9, VALUES = 3 };

extern const sb_variant sb_cpu_select_kth_introselect[], sb_cpu_select_kth_radix[];

/* The smallest word, one above the middle, the largest one; and -NaN, -0 and +0. Ascending in key order. */
static const uint32_t u32[VALUES] = {0, 0x80000000, 0xffffffff};
static const uint64_t f64[VALUES] = {UINT64_MAX, (uint64_t)1 << 63, 0};

/* Runs the variant, and returns 0 if it gives the bytes of `expected`. */
static int differs(const sb_variant *variant, sb_ref_type type, const void *keys, uint64_t n, uint64_t k,
                   const void *expected)
{
    uint64_t parameters[] = {type, k, 0}, key = 0;
    sb_array input = {(void *)keys, n, n, type, 0}, output = {&key, 1, 1, type, 0};
    void *workspace = malloc(variant->workspace(parameters, &input));
    sb_status status = variant->launch(parameters, &input, &output, workspace);

    free(workspace);
    return status != SB_OK || memcmp(&key, expected, sb_ref_type_size(type)) != 0;
}

/* Enumerates the digits of `number` in base 3 as keys. `count` says how many keys have each value. */
static void make_keys(sb_ref_type type, uint64_t number, uint64_t n, void *keys, uint64_t count[VALUES])
{
    memset(count, 0, VALUES * sizeof *count);
    for (uint64_t i = 0; i < n; i++, number /= VALUES) {
        uint64_t value = number % VALUES;

        count[value]++;
        if (type == SB_REF_U32)
            ((uint32_t *)keys)[i] = u32[value];
        else
            ((uint64_t *)keys)[i] = f64[value];
    }
}

START_TEST(select_of_few_keys_is_wrong)
{
    const sb_variant *variants[] = {sb_cpu_select_kth_introselect, sb_cpu_select_kth_radix};
    uint64_t runs = 0;

    for (int wide = 0; wide < 2; wide++) {
        sb_ref_type type = wide ? SB_REF_F64 : SB_REF_U32;
        uint64_t inputs = 1;

        for (uint64_t n = 1; n <= MAX_KEYS; n++) {
            inputs *= VALUES;
            for (uint64_t number = 0; number < inputs; number++) {
                uint64_t keys[MAX_KEYS], count[VALUES];

                make_keys(type, number, n, keys, count);
                for (uint64_t k = 1; k <= n; k++) { /* by counting: no sort, no reference */
                    unsigned value = k <= count[2] ? 2 : k <= count[2] + count[1] ? 1 : 0;
                    const void *expected = wide ? (const void *)&f64[value] : (const void *)&u32[value];

                    for (int v = 0; v < 2; v++, runs++)
                        ck_assert_msg(!differs(variants[v], type, keys, n, k, expected),
                                      "%s: input %d of %d keys, k = %d", variants[v]->name, (int)number, (int)n,
                                      (int)k);
                }
            }
        }
    }
    ck_assert_uint_eq(runs, 2 * 2 * 250959); /* sum of n 3^n */
}
END_TEST

/* Medians of three are bad pivots where they are always among the smallest keys left: D. Musser's sequences. */
START_TEST(introselect_fails_on_bad_pivots)
{
    enum { N = 2000 };
    uint32_t keys[N];

    for (int kind = 0; kind < 3; kind++) {
        for (uint32_t i = 0; i < N; i++) {
            uint32_t killer = i % 2 == 0 && i < N / 2 ? i + 1 : i < N / 2 ? N / 2 + i : 2 * (i - N / 2 + 1);

            keys[i] = kind == 0 ? killer : kind == 1 ? (i < N / 2 ? i : N - i) : i % 3;
        }
        for (uint64_t k = 1; k <= N; k += 37) {
            uint32_t expected;

            ck_assert(sb_ref_select_kth(SB_REF_U32, keys, N, k, &expected) == SB_REF_OK);
            ck_assert(!differs(sb_cpu_select_kth_introselect, SB_REF_U32, keys, N, k, &expected));
        }
    }
}
END_TEST

START_TEST(topk_is_not_every_kth_key_with_its_index)
{
    uint64_t inputs = 1;

    for (uint64_t n = 1; n <= 6; n++) {
        inputs *= VALUES;
        for (uint64_t number = 0; number < inputs; number++)
            for (uint64_t k = 1; k <= n; k++) {
                uint64_t keys[MAX_KEYS], count[VALUES], key[MAX_KEYS], one;
                uint32_t index[MAX_KEYS];

                make_keys(SB_REF_F64, number, n, keys, count);
                ck_assert(sb_ref_select_topk(SB_REF_F64, keys, n, k, key, index) == SB_REF_OK);
                for (uint64_t i = 0; i < k; i++) {
                    ck_assert(sb_ref_select_kth(SB_REF_F64, keys, n, i + 1, &one) == SB_REF_OK);
                    ck_assert(index[i] < n && key[i] == one && keys[index[i]] == one);
                    ck_assert(i == 0 || key[i] != key[i - 1] || index[i - 1] < index[i]);
                    for (uint32_t j = 0; i == 0 || key[i] != key[i - 1] ? j < index[i] : 0; j++)
                        ck_assert(keys[j] != one); /* the first of its value */
                }
            }
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, select_of_few_keys_is_wrong);
    tcase_add_test(tests, introselect_fails_on_bad_pivots);
    tcase_add_test(tests, topk_is_not_every_kth_key_with_its_index);
}

int main(void)
{
    return run_tests("select", add_tests, NULL, 60);
}
