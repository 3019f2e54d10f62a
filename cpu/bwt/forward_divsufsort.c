/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.forward/divsufsort: contract in ref/bwt.h. A peer: libdivsufsort of Yuta Mori sorts the suffixes of the least
 * rotation of the root, and rotation.h says why that is the order of the rotations.
 *
 * The rotated root stands in `last` until the suffixes are sorted. 4 bytes of workspace a byte of the longest block;
 * the library itself takes 257 KiB more.
 */
#include "rotation.h"
#include <divsufsort.h>
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

static sb_status sort_block(const uint8_t *text, uint64_t n, uint8_t *last, uint64_t *primary, saidx_t *row)
{
    const sb_root root = sb_find_root(text, n);
    const uint64_t times = n / root.length;

    memcpy(last, text + root.least, root.length - root.least);
    memcpy(last + root.length - root.least, text, root.least);
    if (divsufsort(last, row, (saidx_t)root.length) != 0)
        return SB_FAILED;
    for (uint64_t i = 0; i < root.length; i++) {
        uint64_t start = (uint64_t)row[i] + root.least;

        start -= start < root.length ? 0 : root.length;
        if (start == 0)
            *primary = i * times;
        memset(last + i * times, text[(start > 0 ? start : root.length) - 1], times);
    }
    return SB_OK;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *text = inputs[SB_BWT_FORWARD_TEXT].data;
    uint8_t *last = outputs[SB_BWT_FORWARD_LAST].data;
    uint64_t *primary = outputs[SB_BWT_FORWARD_PRIMARY].data;
    uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length;
    sb_status status = SB_OK;

    for (uint64_t first = 0, length; status == SB_OK && first < n; first += length) {
        length = sb_block_length(n, parameters[SB_BWT_BLOCK], first);
        status = sort_block(text + first, length, last + first, primary++, workspace);
    }
    return status;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return sizeof(saidx_t) * sb_block_length(inputs[SB_BWT_FORWARD_TEXT].length, parameters[SB_BWT_BLOCK], 0);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t longest = sb_block_length(inputs[SB_BWT_FORWARD_TEXT].length, parameters[SB_BWT_BLOCK], 0);

    return longest > INT32_MAX ? "the library counts bytes of a block in 31 bits" : NULL;
}

extern const sb_variant sb_cpu_bwt_forward_divsufsort[];
const sb_variant sb_cpu_bwt_forward_divsufsort[] = {
    {"bwt.forward", "divsufsort", "libdivsufsort on the least rotation of the root", refuses, workspace_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
