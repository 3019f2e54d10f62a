/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The memory of texts: contract in slab.h.
 */
#include "slab.h"
#include "parallel_for.h"
#include "common/cores.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 }; /* bytes, on x86-64 and on arm64 with 4 KiB pages */

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
    madvise(slab->memory, bytes, MADV_HUGEPAGE); /* may fail: small pages are only slower */
    slab->bytes = bytes;
    slab->text = text;
    return true;
}

static void join(sbz_slab *slab)
{
    while (slab->threads > 0)
        pthread_join(slab->thread[--slab->threads], NULL);
}

void sbz_slab_stop_prefault(sbz_slab *slab)
{
    atomic_store(&slab->prefaulted, slab->bytes);
    join(slab);
}

void sbz_slab_free(sbz_slab *slab, const sbz_codec *codec)
{
    sbz_slab_stop_prefault(slab);
    if (slab->pinned)
        sbz_codec_unpin(codec, slab->memory);
    free(slab->memory);
    *slab = (sbz_slab){0};
}

void *sbz_slab_text(const sbz_slab *slab, size_t slot)
{
    return slab->memory + slot * slab->text;
}

static void populate(const sbz_slab *slab, size_t begin, size_t end)
{
#ifdef MADV_POPULATE_WRITE
    madvise(slab->memory + begin, (end < slab->bytes ? end : slab->bytes) - begin, MADV_POPULATE_WRITE);
#else
    (void)slab;
    (void)begin;
    (void)end;
#endif
}

void sbz_slab_prefault_texts(const sbz_slab *slab, size_t slot, size_t texts)
{
    if (slab->memory != NULL)
        populate(slab, slot * slab->text / LARGE_PAGE * LARGE_PAGE, (slot + texts) * slab->text);
}

static void *prefault(void *argument)
{
    sbz_slab *slab = argument;

    for (size_t at; (at = atomic_fetch_add(&slab->prefaulted, LARGE_PAGE)) < slab->bytes;)
        populate(slab, at, at + LARGE_PAGE);
    return NULL;
}

void sbz_slab_prefault(sbz_slab *slab)
{
    const size_t max_threads = sb_cores() / 4 < SBZ_SLAB_THREADS ? sb_cores() / 4 : SBZ_SLAB_THREADS;

    while (slab->prefaulted < slab->bytes && slab->threads < max_threads &&
           sbz_thread_begin(&slab->thread[slab->threads], prefault, slab))
        slab->threads++;
}

void sbz_slab_pin(sbz_slab *slab, const sbz_codec *codec)
{
    join(slab);
    slab->pinned = slab->pinned || (slab->memory != NULL && sbz_codec_pin(codec, slab->memory, slab->bytes));
}
