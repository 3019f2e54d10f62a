/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two variants have one name: the first is right, and whoever looks for the name finds it. */
#include "cheat.h"

LAUNCH
{
    UNUSED;
    honest(parameters, inputs, outputs);
    return SB_OK;
}

static sb_status wrong(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    UNUSED;
    memset(OUT, 0, LENGTH);
    return SB_OK;
}

const sb_variant *samebits_variants(uint32_t version, size_t *count)
{
    static const sb_variant variants[] = {{"mtf.encode", "cheat", "a cheat", NULL, NULL, launch, NULL},
                                          {"mtf.encode", "cheat", "a cheat", NULL, NULL, wrong, NULL}};

    (void)version;
    *count = 2;
    return variants;
}
