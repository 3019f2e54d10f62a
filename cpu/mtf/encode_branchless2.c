/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/branchless2: contract in ref/mtf.h.
 *
 * Two symbols go through the list in one walk, the second right behind the first: a word is loaded once, passes the
 * first, then the second, and is stored once. The second so searches the list that the first leaves, at whose front the
 * first stands: equal neighbours need no care. The last byte of an odd length goes alone. As in branchless, no branch
 * depends on the data; the steps of the two overlap.
 */
#include "chunks.h"
#include "words.h"

static void encode(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    uint64_t list[SB_WORDS], i = 0;

    sb_words_reset(list);
    for (; i + 1 < n; i += 2) {
        sb_mover first = sb_mover_of(bytes[i]), second = sb_mover_of(bytes[i + 1]);

        for (int k = 0; k < SB_WORDS; k++)
            list[k] = sb_mover_pass(&second, sb_mover_pass(&first, list[k]));
        rank[i] = (uint8_t)(first.moved - 1);
        rank[i + 1] = (uint8_t)(second.moved - 1);
    }
    if (i < n) {
        sb_mover last = sb_mover_of(bytes[i]);

        for (int k = 0; k < SB_WORDS; k++)
            (void)sb_mover_pass(&last, list[k]);
        rank[i] = (uint8_t)(last.moved - 1);
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encode, parameters, inputs, outputs);
}

extern const sb_variant sb_cpu_mtf_encode_branchless2[];
const sb_variant sb_cpu_mtf_encode_branchless2[] = {
    {"mtf.encode", "branchless2", "two symbols in one walk through the whole list", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
