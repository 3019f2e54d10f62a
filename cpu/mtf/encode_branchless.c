/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/branchless: contract in ref/mtf.h.
 *
 * For every byte the whole list is searched and the whole list is written anew, into a second one, each entry from its
 * own place or the one before. No branch depends on the data: the time is the same whatever the ranks are, and it is
 * that of two walks through 256 bytes.
 */
#include "chunks.h"
#include "whole.h"

static void encode(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    sb_whole_list list[2];
    uint8_t index[SB_VALUES];

    sb_indices(index);
    sb_indices(list[0].before + SB_FRONT);
    for (uint64_t i = 0; i < n; i++) {
        sb_whole_list *from = &list[i % 2];

        rank[i] = sb_whole_find(from, index, bytes[i]);
        sb_whole_move(&list[1 - i % 2], from, index, bytes[i], rank[i]);
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encode, parameters, inputs, outputs);
}

extern const sb_variant sb_cpu_mtf_encode_branchless[];
const sb_variant sb_cpu_mtf_encode_branchless[] = {
    {"mtf.encode", "branchless", "the whole list searched and written for every byte", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
