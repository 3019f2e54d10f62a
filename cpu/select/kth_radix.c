/* SPDX-License-Identifier: BSD-2-Clause
 *
 * select.kth/radix: contract in ref/select.h.
 *
 * Digits of 11 bits of words of the same order (words.h), the most significant first. A pass counts the digits of the
 * words that are left, goes down from the largest digit until the counts reach k, and keeps the words with that digit. The
 * first pass reads the keys and the second one reads them again to keep some; later ones move words within the workspace.
 * Equal keys are words like others.
 */
#include "words.h"
#include <samebits/algorithms.h>
#include <stddef.h>

enum {
    BITS = 11, /* of a digit: 2048 counters of 8 bytes fit the first-level cache; not tuned */
    DIGITS = 1 << BITS,
    BLOCK = 1024 /* words that are loaded at once */
};

/* Which digit has the k-th largest of the counted words; *k becomes its rank among the words with that digit. */
static uint64_t choose_digit(const uint64_t count[DIGITS], uint64_t *k)
{
    uint64_t digit = DIGITS - 1;

    for (; count[digit] < *k; digit--)
        *k -= count[digit];
    return digit;
}

static void count_words(const uint64_t *word, uint64_t n, unsigned shift, uint64_t count[DIGITS])
{
    for (uint64_t i = 0; i < n; i++)
        count[word[i] >> shift & (DIGITS - 1)]++;
}

/* Moves the words with the digit to `to`, which may be `word`. Returns how many there are. Each word is written, and the
 * next one over it if it is not wanted. */
static uint64_t keep_words(const uint64_t *word, uint64_t n, unsigned shift, uint64_t digit, uint64_t *to)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < n; i++) {
        uint64_t mine = word[i];

        to[kept] = mine;
        kept += (mine >> shift & (DIGITS - 1)) == digit;
    }
    return kept;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return (inputs[SB_SELECT_KEYS].length + BLOCK) * sizeof(uint64_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t type = parameters[SB_SELECT_TYPE], k = parameters[SB_SELECT_K], n = inputs[SB_SELECT_KEYS].length;
    const void *keys = inputs[SB_SELECT_KEYS].data;
    uint64_t *block = workspace, *word = block + BLOCK, count[DIGITS] = {0}, digit, kept = 0;
    unsigned shift = sb_word_bits(type) - BITS;

    if (k == 0 || k > n)
        return SB_INVALID;
    for (uint64_t i = 0; i < n; i += BLOCK) {
        uint64_t size = n - i < BLOCK ? n - i : BLOCK;

        sb_load_words(type, keys, i, size, block);
        count_words(block, size, shift, count);
    }
    digit = choose_digit(count, &k);
    for (uint64_t i = 0; i < n; i += BLOCK) {
        uint64_t size = n - i < BLOCK ? n - i : BLOCK;

        sb_load_words(type, keys, i, size, block);
        kept += keep_words(block, size, shift, digit, word + kept);
    }
    while (shift > 0) {
        shift = shift < BITS ? 0 : shift - BITS; /* the last digit may have some bits of the one before */
        memset(count, 0, sizeof count);
        count_words(word, kept, shift, count);
        digit = choose_digit(count, &k);
        kept = keep_words(word, kept, shift, digit, word);
    }
    sb_store_key(type, word[0], outputs[SB_SELECT_KEY].data);
    return SB_OK;
}

const sb_variant sb_cpu_select_kth_radix[] = {
    {"select.kth", "radix", "11-bit digits from the most significant; words with the digit are kept", NULL,
     workspace_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
