/* SPDX-License-Identifier: BSD-2-Clause
 *
 * select.kth/introselect: contract in ref/select.h.
 *
 * Quickselect (C. Hoare, "Algorithm 65: FIND", 1961) on a copy of the keys as words, in which the pivot is the median of
 * three words. Words are divided into those below, equal to and above the pivot, so equal keys end the search. If bad
 * pivots take more steps than twice the logarithm of n, the pivot is from then on the median of the medians of groups of
 * five, which leaves at most about 7/10 of the words (M. Blum et al., "Time bounds for selection", 1973): so the time is
 * linear on every input. Source: D. Musser, "Introspective sorting and selection algorithms" (1997).
 */
#include "words.h"
#include <samebits/algorithms.h>
#include <stddef.h>

enum { GROUP = 5 };

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t word = *a;

    *a = *b;
    *b = word;
}

static void insertion_sort(uint64_t *word, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++)
        for (uint64_t j = i; j > 0 && word[j] < word[j - 1]; j--)
            swap(&word[j], &word[j - 1]);
}

static uint64_t median_of_three(uint64_t a, uint64_t b, uint64_t c)
{
    if (a < b)
        return b < c ? b : a < c ? c : a;
    return a < c ? a : b < c ? c : b;
}

static uint64_t select_word(uint64_t *word, uint64_t n, uint64_t rank, unsigned steps);

/* The median of the medians, which are moved to the front. The groups of these medians have a fifth of the words, and no
 * steps left, so the recursion has at most log5(n) levels. */
static uint64_t median_of_medians(uint64_t *word, uint64_t n)
{
    uint64_t groups = 0;

    for (uint64_t i = 0; i < n; i += GROUP) {
        uint64_t size = n - i < GROUP ? n - i : GROUP;

        insertion_sort(word + i, size);
        swap(&word[groups++], &word[i + size / 2]);
    }
    return select_word(word, groups, groups / 2, 0);
}

/* The word at `rank`, from 0, in ascending order. Moves the words. `steps`: how many pivots may be medians of three. */
static uint64_t select_word(uint64_t *word, uint64_t n, uint64_t rank, unsigned steps)
{
    while (n > GROUP) {
        uint64_t pivot = steps > 0 ? median_of_three(word[0], word[n / 2], word[n - 1]) : median_of_medians(word, n);
        uint64_t below = 0,
                 above = n; /* words before `below` are below the pivot, those from `above` on are above it */

        steps -= steps > 0;
        for (uint64_t i = 0; i < above;) {
            if (word[i] < pivot)
                swap(&word[below++], &word[i++]);
            else if (word[i] > pivot)
                swap(&word[--above], &word[i]);
            else
                i++;
        }
        if (rank >= below && rank < above)
            return pivot;
        if (rank < below) {
            n = below;
        } else {
            word += above;
            n -= above;
            rank -= above;
        }
    }
    insertion_sort(word, n);
    return word[rank];
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length * sizeof(uint64_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t type = parameters[SB_SELECT_TYPE], k = parameters[SB_SELECT_K], n = inputs[SB_SELECT_KEYS].length;
    unsigned steps = 2;

    if (k == 0 || k > n)
        return SB_INVALID;
    for (uint64_t rest = n; rest > 1; rest /= 2)
        steps += 2;
    sb_load_words(type, inputs[SB_SELECT_KEYS].data, 0, n, workspace);
    sb_store_key(type, select_word(workspace, n, n - k, steps), outputs[SB_SELECT_KEY].data);
    return SB_OK;
}

const sb_variant sb_cpu_select_kth_introselect[] = {
    {"select.kth", "introselect", "quickselect by medians of three, after bad pivots by medians of medians", NULL,
     workspace_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
