/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Block splitting: cuts the input into texts, each of which becomes a block. The contents alone decide, not how they
 * arrive. A text has the ordinary block size, except:
 *
 * - Runs of one byte that take much of a block are run-length coded. The size of the code then counts instead of the
 *   size of the text, and the text goes on until its code has the ordinary size.
 * - Noise, which compresses little, gains by longer blocks: the text goes on while all of it is noise. Text (prose,
 *   sources) goes on for one block more.
 * - A remainder of the input that would make a short block joins the text before it, if that is one of these, or if
 *   both together are worth run-length coding.
 * - Where contents become denser behind the middle of a block, the text ends, so that the dense part is in one block.
 * - With `rsyncable`, a text ends where a hash of the bytes before its end says, so that an insertion moves few ends.
 *
 * The last three apply only if the block limit is above the ordinary size. Other contents gain less by longer blocks,
 * or lose: programs consist of many unlike parts.
 */
#ifndef SBZ_SPLIT_H
#define SBZ_SPLIT_H

#include "text.h"

typedef enum sbz_split_status {
    SBZ_SPLIT_BLOCK = 0,
    SBZ_SPLIT_END = 1,
    SBZ_SPLIT_SOURCE = 2,
    SBZ_SPLIT_MEMORY = 3
} sbz_split_status;

/* The caller may set `runs` to `patient` after sbz_splitter_init; the rest is private. */
typedef struct sbz_splitter {
    sbz_source source;
    void *from;
    uint32_t block, limit; /* bytes: ordinary size, maximum size */
    bool runs;             /* runs may be coded */
    uint32_t part;         /* sbz_text.part of texts that are longer than usual; 0: they may not be split again */
    uint32_t split;        /* sbz_text.split of texts other than noise; 0: they may not be halved */
    uint32_t measured;     /* a first text of fewer bytes does not have sbz_text.estimated */
    bool open;             /* sbz_text.open of all texts */
    bool rsyncable;        /* texts end where the bytes before their end have a rare hash, if there is such a place */
    uint64_t mixed;        /* texts that begin before so many bytes have sbz_text.slow */
    bool patient;          /* sbz_text.patient of all texts */
    uint64_t position;     /* bytes of all texts so far */
    bool ended;            /* the source has no more */
    bool failed;           /* the source failed */
    uint64_t left;         /* bytes that the source still has; UINT64_MAX: unknown */
    sbz_text ahead;        /* bytes that were read and belong to later texts, from `taken` on */
    size_t taken;          /* bytes at the front of `ahead` that texts have taken */
    sbz_text first;        /* the first text, if sbz_splitter_typical has made it */
    sbz_split_status first_status;
    bool has_first;
} sbz_splitter;

/* `size`: bytes of the source; UINT64_MAX: unknown. Knowing the size saves memory and reading ahead; it changes no
 * text. */
void sbz_splitter_init(sbz_splitter *splitter, uint32_t block, uint32_t limit, uint64_t size, sbz_source source,
                       void *from);
/* The size that most texts, or their run-length codes, will have. It looks at the first text, so it may only be called
 * before sbz_splitter_next. */
uint32_t sbz_splitter_typical(sbz_splitter *splitter);
/* The next text, of at least one byte; its memory is reused. No estimate tells whether a long text is better than
 * several short ones. So long texts other than noise have `part` set: the caller encodes both ways and keeps the
 * smaller. */
sbz_split_status sbz_splitter_next(sbz_splitter *splitter, sbz_text *text);
/* The source begins anew behind the last text: what was read ahead is forgotten, and that the source ended or failed. */
void sbz_splitter_resume(sbz_splitter *splitter);
void sbz_splitter_free(sbz_splitter *splitter);

/* Sets `runs` of a part of a text whose runs of `run_byte` are coded. */
void sbz_split_count_runs(sbz_text *part);

#endif
