/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages: bytes, mostly small ranks, to the payloads of blocks and back. docs/SBZ.md defines the payloads.
 *
 * All that sbz knows of a stage is its row in entropy.c; CONTRIBUTING.md says how to add one. Only `stored` is more than its row:
 * the container checks its size (layout.c), and a block that no stage makes smaller is stored.
 *
 * Functions that take several blocks take their bytes side by side in one array, in the order of the records.
 */
#ifndef SBZ_ENTROPY_H
#define SBZ_ENTROPY_H

#include "engine.h"
#include "estimate.h"

/* The entropy stages own the engine slots from SBZ_ENTROPY_SLOT up to SBZ_SLOT_PICKED, and all host slots. */
enum { SBZ_ENTROPY_SLOT = 4, SBZ_HOST_BYTES = 0, SBZ_HOST_OFFSETS = 1, SBZ_HOST_SYMBOLS = 2, SBZ_HOST_FLAGS = 3 };

/* What runs a stage while the blocks lie on a device. */
typedef enum sbz_place {
    SBZ_PLACE_DEVICE,
    SBZ_PLACE_HOST,     /* the host, but for a forced variant */
    SBZ_PLACE_HOST_ONLY /* the host, but for the references */
} sbz_place;

/* A block of which a stage with such limits is certain to make the smallest payload, if that is smaller than the block. */
typedef struct sbz_certainty {
    uint64_t max_short;        /* it has at most so many bytes; or */
    uint64_t max_runs;         /* fewer runs than 1 - 1/max_runs of its bytes, */
    uint64_t min_payload;      /* at least so many bytes of payload ... */
    uint64_t max_runs_of_byte; /* ... and at least one for so many runs */
} sbz_certainty;

/* A field that is left out is 0, false or NULL. */
typedef struct sbz_stage sbz_stage;
struct sbz_stage {
    const char *name; /* as in --stages */

    /* The codec takes one block a call ... */
    sb_status (*encode)(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
    sb_status (*decode)(sbz_engine *engine, const sbz_record *record, sb_array *bytes);
    /* ... or several. `segment` 0: they have the same size, the last may be shorter. Else each but the last has a multiple of
     * so many bytes. */
    sb_status (*encode_all)(sbz_engine *engine, const sbz_stage *stage, const sb_array *bytes, sbz_record *records,
                            size_t count);
    sb_status (*decode_all)(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records, size_t count,
                            const sb_array *bytes);
    uint64_t segment;              /* bytes, the same in all blocks; 0: the whole block is one */
    const char *encoder, *decoder; /* the algorithms of rangecoder.c */
    bool apart; /* the host makes each segment a call of its own, for threads that are idle: it takes so long */

    sbz_place place;
    bool plain; /* it takes bytes without ranking */

    /* Bytes of memory that decoding takes, beside the text: for each byte of the text, and of the payload. */
    uint32_t text_memory, payload_memory;

    /* When a block is tried with it: as the first or the second stage of these kinds (sets of 1 << sbz_kind), or, where no stage is
     * the second, if its estimate is the smallest. */
    uint32_t first, second;
    sbz_estimator *estimate;
    /* Or, of a stage that takes more time than all others together: after them, in texts with sbz_text.slow. */
    bool slow;
    const sbz_certainty *certain; /* of a slow stage: then it is the first, and no other is tried. NULL: never */
    /* A block of which this stage does not save 1/min_gain is noise, and tried with nothing more. 0: it is. */
    uint32_t min_gain;
};

/* By the number of the format, sbz_entropy. */
extern const sbz_stage sbz_stages[SBZ_ENTROPIES];

/* True if one call can take the block `more` after the blocks first..last, all of one stage. `tails`: their tails, which are
 * no whole segments, are coded apart (sbz_encode_segments). A GPU is faster with more blocks in a call. */
bool sbz_entropy_together(const sbz_record *first, const sbz_record *last, const sbz_record *more, bool tails);

/* Encodes `count` blocks: sets payload, encoded and entropy of their records. `encoded` is 0 for a block whose payload
 * would have more bytes than the block. */
sb_status sbz_entropy_encode(sbz_engine *engine, uint8_t entropy, const sb_array *bytes, sbz_record *records,
                             size_t count);

/* Decodes `count` blocks of one stage. SB_INVALID: at least one payload is damaged. */
sb_status sbz_entropy_decode(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes);

/* ---- the codecs ---- */

sb_status sbz_encode_huffman(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
sb_status sbz_decode_huffman(sbz_engine *engine, const sbz_record *record, sb_array *bytes);

enum {
    SBZ_RANGECODER_SEGMENT = 1 << 16, /* bytes, of SBZ_ENTROPY_RANGECODER; part of the format */
    SBZ_RANGECODER1_SEGMENT =
        1 << 24,                   /* bytes, of SBZ_ENTROPY_RANGECODER1; likewise: more than a block of any level has */
    SBZ_MIXCODER_SEGMENT = 1 << 18 /* bytes, of SBZ_ENTROPY_MIXCODER; likewise. ref/mixcoder.h has the costs */
};
sb_status sbz_encode_rangecoder(sbz_engine *engine, const sbz_stage *stage, const sb_array *bytes, sbz_record *records,
                                size_t count);
sb_status sbz_decode_rangecoder(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records, size_t count,
                                const sb_array *bytes);

/* The same for blocks of any size. `bytes` has only the whole segments of each block; the rest of block i is the block tails[i], of
 * 0 bytes if there is no rest. Encoding: the caller has encoded the tails. Decoding: each tail gets its payload, which belongs to
 * the record, and the caller decodes it. tails NULL: no block has a rest. */
sb_status sbz_encode_segments(sbz_engine *engine, const sbz_stage *stage, const sb_array *bytes, sbz_record *records,
                              const sbz_record *tails, size_t count);
sb_status sbz_decode_segments(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records, sbz_record *tails,
                              size_t count, const sb_array *bytes);

#endif
