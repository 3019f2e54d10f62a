/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The variant claims to be of another algorithm: whoever asks for all that is there finds nothing wrong with the one that is wanted. */
#include "cheat.h"

/* A text of one letter has the same ranks, and the ranks the same text. */
LAUNCH
{
    UNUSED;
    memmove(OUT, IN, LENGTH);
    return SB_OK;
}

const sb_variant *samebits_variants(uint32_t version, size_t *count)
{
    static const sb_variant variants[] = {{"mtf.decode", "cheat", "a cheat", NULL, NULL, launch, NULL}};

    (void)version;
    *count = 1;
    return variants;
}
