/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.forward/divsufsort: contract in ref/bwt.h. A peer, for comparison: libdivsufsort (Y. Mori) sorts the suffixes of
 * the smallest rotation of the root; rotation.h says why that is the order of the rotations.
 *
 * `last` holds the rotated root until the suffixes are sorted. Workspace: 4 bytes for each byte of the longest block.
 * The library itself allocates 257 KiB more.
 */
#include "rotation.h"
#include <divsufsort.h>
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

static sb_status sort_block(void *workspace, const uint8_t *text, uint64_t n, uint8_t *last, uint64_t *primary)
{
    saidx_t *row = workspace;
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
    return sb_sort_blocks(sort_block, workspace, parameters, inputs, outputs);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return sizeof(saidx_t) * sb_longest_block(parameters, inputs);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_longest_block(parameters, inputs) > INT32_MAX ? "the library indexes a block with 31 bits" : NULL;
}

extern const sb_variant sb_cpu_bwt_forward_divsufsort[];
const sb_variant sb_cpu_bwt_forward_divsufsort[] = {
    {"bwt.forward", "divsufsort", "libdivsufsort on the smallest rotation of the root", refuses, workspace_bytes,
     launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
