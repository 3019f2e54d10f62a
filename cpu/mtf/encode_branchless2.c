/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/branchless2: contract in ref/mtf.h.
 *
 * Two symbols in one pass: both are searched in the list as it is, and the new list is written once for both. If the
 * second symbol is before the first one in the list, moving the first has moved it one back; if both are equal, its
 * rank is 0. In the new list, the entries up to the nearer symbol come from two indices before, those up to the farther
 * symbol from one index before, and the others from their own index. With equal symbols only the front comes from two
 * indices before. The last byte of an odd length is searched alone. No branch depends on the data.
 *
 * Source: move-to-front: Bentley, Sleator, Tarjan and Wei 1986 (ref/mtf.h).
 */
#include "chunks.h"
#include "whole.h"

static void move_two(sb_whole_list *restrict to, sb_whole_list *restrict from, const uint8_t index[restrict SB_VALUES],
                     const uint8_t *symbols, uint8_t first, uint8_t second)
{
    uint8_t *restrict entry = to->before + SB_FRONT;
    uint8_t *restrict old = from->before + SB_FRONT;
    uint8_t nearer = first < second ? first : second, farther = first < second ? second : first;
    uint8_t by_two =
        (uint8_t)(first == second
                      ? 0
                      : nearer + 1); /* index of the last one that comes from two before; nearer is not 255 */

    old[-2] = symbols[1];
    old[-1] = symbols[0];
    for (int i = 0; i < SB_VALUES; i++) {
        uint8_t by_one = sb_select(index[i] <= farther, old[i - 1], old[i]);

        entry[i] = sb_select(index[i] <= by_two, old[i - 2], by_one);
    }
}

static void encode(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    sb_whole_list list[2];
    uint8_t index[SB_VALUES];
    uint64_t i = 0;

    sb_indices(index);
    sb_indices(list[0].before + SB_FRONT);
    for (; i + 1 < n; i += 2) {
        sb_whole_list *from = &list[i / 2 % 2];
        uint8_t first = sb_whole_find(from, index, bytes[i]);
        uint8_t second = sb_whole_find(from, index, bytes[i + 1]);

        rank[i] = first;
        rank[i + 1] = (uint8_t)(first == second ? 0 : second + (second < first));
        move_two(&list[1 - i / 2 % 2], from, index, bytes + i, first, second);
    }
    if (i < n)
        rank[i] = sb_whole_find(&list[i / 2 % 2], index, bytes[i]);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encode, parameters, inputs, outputs);
}

extern const sb_variant sb_cpu_mtf_encode_branchless2[];
const sb_variant sb_cpu_mtf_encode_branchless2[] = {
    {"mtf.encode", "branchless2", "two symbols in one pass over the whole list", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
