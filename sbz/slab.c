/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of texts side by side: contract in slab.h.
 */
#include "slab.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };

bool sbz_slab_resize(sbz_slab *slab, size_t text, size_t texts, const sbz_codec *codec)
{
    const size_t bytes = (text * texts + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;

    if (slab->memory != NULL && bytes <= slab->bytes) {
        slab->text = text;
        return true;
    }
    sbz_slab_free(slab, codec);
    slab->memory = aligned_alloc(LARGE_PAGE, bytes);
    if (slab->memory == NULL)
        return false;
    madvise(slab->memory, bytes, MADV_HUGEPAGE); /* where there are none, it is only slower */
    slab->bytes = bytes;
    slab->text = text;
    return true;
}

void sbz_slab_free(sbz_slab *slab, const sbz_codec *codec)
{
    if (slab->pinned)
        sbz_codec_unpin(codec, slab->memory);
    free(slab->memory);
    *slab = (sbz_slab){0};
}

void *sbz_slab_text(const sbz_slab *slab, size_t slot)
{
    return slab->memory + slot * slab->text;
}

void sbz_slab_populate(const sbz_slab *slab, size_t slot, size_t texts)
{
#ifdef MADV_POPULATE_WRITE
    const size_t begin = slot * slab->text / LARGE_PAGE * LARGE_PAGE, end = (slot + texts) * slab->text;

    if (slab->memory != NULL)
        madvise(slab->memory + begin, (end < slab->bytes ? end : slab->bytes) - begin, MADV_POPULATE_WRITE);
#else
    (void)slab;
    (void)slot;
    (void)texts;
#endif
}

void sbz_slab_pin(sbz_slab *slab, const sbz_codec *codec)
{
    slab->pinned = slab->pinned || (slab->memory != NULL && sbz_codec_pin(codec, slab->memory, slab->bytes));
}
