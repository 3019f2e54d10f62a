/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The inside of a codec, for the files that implement codec.h:
 *
 *     codec.c         opening and closing
 *     encode.c        texts to records
 *     choice.c        which entropy stages a block is tried with
 *     decode.c        records to texts
 *     codec_batch.c   what encoding and decoding share
 *
 * The blocks of a batch lie side by side in one array of the device, in the order that batch.h defines. Blocks of one
 * size pass transform and ranking in one call, as the blocks of one array; blocks of one entropy stage pass that stage
 * in one call where the stage allows it.
 */
#ifndef SBZ_CODEC_STATE_H
#define SBZ_CODEC_STATE_H

#include "batch.h"
#include "codec.h"
#include "stages.h"

/* Engine slots of the codec; the slots between these two groups belong to the entropy stages (entropy.h). */
enum {
    SBZ_SLOT_STAGE1,    /* the first array of a batch, before any stage; of the host's engine: payloads of tails */
    SBZ_SLOT_STAGE2,    /* after one stage of transform and ranking */
    SBZ_SLOT_STAGE3,    /* after both */
    SBZ_SLOT_PRIMARIES, /* primary indices of the blocks */
    SBZ_SLOT_PICKED = SBZ_SLOTS - 2, /* blocks of one entropy stage, where they are not adjacent in the batch */
    SBZ_SLOT_SAMPLES
};

/* Maximum bytes of a batch on a device, unless a single block has more. A batch takes many times as much device memory
 * (codec.c), for each of several threads. While one batch is on the device, the host works for others: encoding 256 MiB of
 * headers and Python with 16 cores and an H200 takes 0.99 s at -6 and 1.34 s at -9, with 64 MiB 1.16 and 1.58 s. Decoding takes
 * 4 to 7% less with 64 MiB than with 32. */
enum { SBZ_ENCODE_BATCH = 32 << 20, SBZ_DECODE_BATCH = 64 << 20 };

/* A block, or the end of one, for an entropy stage of the host. */
typedef struct sbz_host_block {
    size_t at;      /* its position in the layout */
    uint64_t skip;  /* bytes of it before the part that is meant */
    sb_array bytes; /* in host memory */
    sbz_record *record;
    uint8_t entropy;
    bool settled; /* encoding: no other stage needs to be tried */
    sb_status status;
} sbz_host_block;

struct sbz_codec {
    sbz_engine engine;
    sbz_engine host; /* a CPU engine beside that of a device, for stages that are one sequential chain */
    sbz_forced_stages forced;
    sbz_seconds seconds;

    size_t capacity;           /* texts that the next ten arrays can hold */
    sbz_record *inner;         /* the records behind filter and reduction; their payloads belong to others */
    sbz_text *view;            /* the texts behind filter and reduction */
    sbz_text *filtered;        /* the texts behind their filters */
    sbz_text *coded;           /* what reductions left */
    uint8_t *alternative;      /* the second entropy stage that each block is tried with */
    bool *settled;             /* the block has its payload */
    size_t *picked;            /* positions in the layout of the blocks that go through one entropy call */
    sbz_record *picked_record; /* their records */
    sbz_record *tail;          /* what is behind their whole segments; the payloads belong to others */
    sbz_host_block *on_host;

    sbz_record alternative_record; /* the payload of the second entropy stage */
    sbz_batch layout;
    size_t primary_capacity;
    uint64_t *primary;  /* by position in the layout */
    size_t large_count; /* blocks at the front of the layout that are sampled; the others are looked at whole */
    uint64_t sample_capacity;
    uint8_t *sample;
};

/* ---- codec_batch.c ---- */

/* Returns the status of a call, after a message for SB_INVALID, which engines give none. */
sb_status sbz_codec_end(sbz_codec *codec, sb_status status);
/* Makes the arrays above hold `count` texts. */
sb_status sbz_codec_reserve(sbz_codec *codec, size_t count);
void sbz_codec_free_arrays(sbz_codec *codec);
/* Lays out a batch by the `original` of the records, which are those without the run-length code. */
sb_status sbz_codec_lay(sbz_codec *codec, const sbz_record *records, size_t count);
/* Seconds since *started, which becomes now. A device works asynchronously: its time is charged to the next call that
 * waits for it. */
double sbz_lap(double *started);
/* How many of the records, from the first on, make a batch of at most `max_bytes`. */
size_t sbz_codec_batch_count(const sbz_codec *codec, const sbz_record *records, size_t count, uint64_t max_bytes);
/* The part of the array that the `row` blocks from position `first` on take. */
sb_array sbz_codec_row(const sbz_codec *codec, const sb_array *bytes, const sbz_record *records, size_t first,
                       size_t row);
/* Original bytes of all records together. */
uint64_t sbz_records_bytes(const sbz_record *records, size_t count);
/* Picks blocks of one entropy stage, from position *from on: of a stage of the device as many as one call can take. Returns
 * how many; *from moves past them. 0: there are no more. */
size_t sbz_codec_pick(sbz_codec *codec, const sbz_record *records, uint8_t entropy, size_t *from);
/* True if the picked blocks lie in the batch without gaps between them. */
bool sbz_codec_adjacent(const sbz_codec *codec, size_t picked);
/* True if the picked blocks have ends that are no whole segments, but for the last one: they need a call with tails. */
bool sbz_codec_has_tails(const sbz_codec *codec, size_t picked);
/* Where the k-th picked block begins in the array of the batch. */
uint64_t sbz_codec_picked_start(const sbz_codec *codec, size_t k);
/* True if the CPU may run stages although blocks lie on a device: no variant is forced. */
bool sbz_codec_may_use_host(const sbz_codec *codec);
/* True if the CPU runs this entropy stage, although blocks lie on a device. */
bool sbz_codec_runs_on_host(const sbz_codec *codec, uint8_t entropy);
/* Gives the first `count` blocks of codec->on_host, whose place and record are set, memory of the host for their bytes in
 * `array`: the same if that is in host memory, else uninitialised. */
sb_status sbz_codec_host_memory(sbz_codec *codec, size_t count, const sb_array *array);
/* Runs a stage for each i below `count`: on the host several at a time, each with an engine of its own, else one after the
 * other with the engine of the codec. Returns a status of one that failed, after all have run. */
typedef sb_status sbz_host_stage(void *with, sbz_engine *engine, size_t i);
sb_status sbz_codec_run_each(sbz_codec *codec, bool on_host, size_t count, sbz_host_stage *stage, void *with);
/* Runs an entropy stage on these blocks: of a device several at a time, each with an engine of its own. Returns the status of
 * one that failed; that of each is in the block. */
sb_status sbz_codec_run_on_host(sbz_codec *codec, size_t count,
                                sb_status (*stage)(sbz_engine *engine, sbz_host_block *block));
/* From position `at` on, and over at most `max_count` blocks: the bytes of texts that are contiguous both in host
 * memory and in the batch, so that one copy moves them. `run` becomes how many texts these are, at least 1. */
uint64_t sbz_codec_contiguous(const sbz_codec *codec, const sbz_text *texts, size_t at, size_t max_count, size_t *run);
/* Runs mtf.encode or mtf.decode on every block; the result is in `slot` and replaces *array. */
sb_status sbz_codec_rank(sbz_codec *codec, const char *algorithm, const sbz_record *records, sb_array *array, int slot);

/* ---- choice.c ---- */

typedef struct sbz_choice {
    uint8_t first, alternative; /* values of sbz_entropy; equal: the block is encoded once */
} sbz_choice;

/* Brings samples of all blocks to the host. `bytes` is the output of the ranking stage. */
sb_status sbz_codec_take_samples(sbz_codec *codec, const sb_array *bytes, const sbz_record *records);
/* The entropy stages to try on the block of `size` bytes at position `at`. May be called from several threads. */
sbz_choice sbz_codec_choose(const sbz_codec *codec, size_t at, uint32_t size);

#endif
