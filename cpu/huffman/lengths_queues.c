/* SPDX-License-Identifier: BSD-2-Clause
 *
 * huffman.lengths/queues: contract in ref/huffman.h.
 *
 * Leaves are sorted by radix. The lightest node is then at the front of one of two queues, leaves and inner nodes, both
 * of ascending weight (codes.c), so the tree takes linear time.
 *
 * Source: J. van Leeuwen, "On the construction of Huffman trees", 1976.
 */
#include "codes.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters;
    (void)workspace;
    return sb_huffman_lengths(inputs[SB_HUFFMAN_LENGTHS_COUNT].data, outputs[SB_HUFFMAN_LENGTHS_LENGTH].data)
               ? SB_OK
               : SB_INVALID;
}

extern const sb_variant sb_cpu_huffman_lengths_queues[];
const sb_variant sb_cpu_huffman_lengths_queues[] = {
    {"huffman.lengths", "queues", "leaves sorted by radix, the lightest node from two queues", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
