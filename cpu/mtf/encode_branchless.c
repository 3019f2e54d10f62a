/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/branchless: contract in ref/mtf.h.
 *
 * The whole list is walked for every byte, eight positions a step, and no branch depends on the data: the time is the
 * same whatever the ranks are. Words before the symbol move up by one position and carry their last byte into the next;
 * in the word that has it the positions up to it move; the others are written as they were. The 32 dependent steps
 * bound it.
 */
#include "chunks.h"
#include "words.h"

static void encode(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    uint64_t list[SB_WORDS];

    sb_words_reset(list);
    for (uint64_t i = 0; i < n; i++) {
        sb_mover mover = sb_mover_of(bytes[i]);

        for (int k = 0; k < SB_WORDS; k++)
            list[k] = sb_mover_pass(&mover, list[k]);
        rank[i] = (uint8_t)(mover.moved - 1);
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encode, parameters, inputs, outputs);
}

extern const sb_variant sb_cpu_mtf_encode_branchless[];
const sb_variant sb_cpu_mtf_encode_branchless[] = {
    {"mtf.encode", "branchless", "the whole list for every byte, eight positions a step", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
