/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/branchless: contract in ref/mtf.h.
 *
 * For every byte the whole list is searched, and a second list is written as a whole: each entry is copied from its own
 * index or from the one before. No branch depends on the data, so the time per byte is constant: two passes over 256
 * bytes.
 *
 * Source: move-to-front: Bentley, Sleator, Tarjan and Wei 1986 (ref/mtf.h).
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
