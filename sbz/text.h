/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A text: the original bytes of one block, with what the splitter found out about them.
 */
#ifndef SBZ_TEXT_H
#define SBZ_TEXT_H

#include "format.h"

/* A zeroed text is empty and owns nothing. */
typedef struct sbz_text {
    uint8_t *data; /* owned (malloc), or borrowed if `lent` */
    size_t size, capacity;
    bool lent;
    uint32_t runs;    /* encoding: bytes of the run-length code of run_byte, if the block uses one; else 0 */
    uint8_t run_byte; /* encoding: the byte whose runs are coded */
    uint8_t filter;   /* encoding: a value of sbz_filter ... */
    uint8_t distance; /* ... and its distance, or 0 */
    bool matches;     /* encoding: without coded runs, its long matches are coded, if that makes it shorter */
    bool open;        /* encoding: filter and matches are chosen by trial (trial.h) */
    uint32_t limit;   /* encoding: bytes that its run-length code may have behind a filter */
    uint32_t part;    /* encoding: the text may be replaced by several blocks of at most `part` bytes; 0: it may not */
    bool slow;        /* encoding: it is tried with the slow entropy stages too (entropy.h) */
    bool patient;     /* encoding: it is tried with and without long matches where either may be smaller */
    bool estimated;   /* encoding: an estimate says where `split` halves it, without measuring */
    uint32_t
        split; /* encoding: it may be halved, again and again, into blocks of at least `split` bytes; 0: it may not */
    struct sbz_look *look; /* encoding: what was found out about it without encoding it (trial.h); NULL: nothing yet */
    char error[SBZ_ERROR]; /* decoding: why the text could not be decoded; "" if it was */
} sbz_text;

void sbz_text_free(sbz_text *text);
/* Makes the capacity at least `bytes`; the contents are lost. False: out of memory. */
bool sbz_text_reserve(sbz_text *text, size_t bytes);

#endif
