/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What outlasts a file: codecs, one for each thread that works, and the memory of the blocks on their way. A run takes
 * one input through them to one output.
 */
#ifndef SBZ_SESSION_H
#define SBZ_SESSION_H

#include "split.h"
#include "files.h"
#include "pipeline.h"
#include "report.h"
#include "slab.h"
#include "trial.h"

/* A block on its way. */
typedef struct sbz_job {
    sbz_text text;
    sbz_record record; /* to decode */
    sbz_blocks blocks; /* encoded */
    sbz_exit status;   /* unless SBZ_EXIT_DONE: why there is no block, or no other side of it */
    char error[SBZ_ERROR + 64];
} sbz_job;

void sbz_job_fail(sbz_job *slot, sbz_exit status, const char *error);

typedef struct sbz_worker {
    sbz_codec *codec;
    sbz_text *texts; /* of a batch */
    sbz_record *records;
    sbz_blocks *blocks;
    sbz_trial ways;
    size_t batch;      /* room in these */
    sbz_seconds spent; /* by the codec, before the present file */
} sbz_worker;

typedef struct sbz_session {
    const sbz_options *options;
    size_t workers;        /* most threads */
    sbz_worker *worker;    /* so many on the CPU, and behind them: */
    sbz_worker *device;    /* those that give batches to a device */
    bool no_device;        /* looked for, and there is none */
    sbz_where where;       /* of the present file: not SBZ_AUTO */
    uint32_t limit, block; /* bytes of a block, at most and mostly */
    uint64_t bytes;        /* of the contents, about; 0: unknown */
    double opening;        /* seconds that it took to find the codec for the present file */
    size_t active;         /* threads for blocks of the present size */
    size_t batch;          /* blocks that a thread takes at once */
    size_t slots, room;    /* blocks on their way, and ever */
    sbz_job *slot;
    sbz_slab slab; /* texts of the slots, for a device */
} sbz_session;

/* False: said why. */
bool sbz_session_open(sbz_session *session, const sbz_options *options);
/* Before a run: chooses between CPU and GPU, and takes so many threads and slots as there is memory for when the block
 * limit is `limit`, and blocks have mostly `block` bytes. `bytes`: of the contents, as far as known, else 0. False:
 * said why. */
bool sbz_session_prepare(sbz_session *session, uint32_t limit, uint32_t block, uint64_t bytes);
/* Opens what was chosen, or the CPU where that was only looked for. sbz_run_pipeline does it. False: said why. */
bool sbz_session_start(sbz_session *session);
/* What the codecs have spent on the present file, all threads together. */
sbz_seconds sbz_session_seconds(const sbz_session *session);
/* The worker of a thread, as last prepared. */
sbz_worker *sbz_session_worker(const sbz_session *session, size_t number);
void sbz_session_close(sbz_session *session);

typedef struct sbz_run {
    sbz_session *session;
    sbz_input *input;
    sbz_output *output;
    sbz_progress progress;
    uint64_t blocks; /* written */
    bool ended;      /* nothing more is to be read */
    bool copied;     /* the input was no compressed file */
    sbz_splitter splitter;
    sbz_writer writer;
    sbz_reader reader;
    sbz_job first; /* read ahead */
    bool has_first;
} sbz_run;

/* Encodes or decodes a slot each; for sbz_pipeline.work. */
void sbz_encode_slots(void *run, size_t worker, const size_t *slots, size_t count);
void sbz_decode_slots(void *run, size_t worker, const size_t *slots, size_t count);
/* Runs the pipeline over the slots. False: it said why, or `write` did. */
bool sbz_run_pipeline(sbz_run *run, bool (*read)(void *run, size_t slot),
                      void (*work)(void *run, size_t worker, const size_t *slots, size_t count),
                      bool (*write)(void *run, size_t slot));
/* Says what the slot has wrong. False, unless there is nothing. */
bool sbz_run_check(const sbz_run *run, const sbz_job *slot);

/* From the opened input to the opened output. False: it said why, and the output is to be thrown away. */
bool sbz_compress(sbz_run *run);
bool sbz_decompress(sbz_run *run);
bool sbz_recover(sbz_run *run);

/* Prints a row with what is in the compressed file, and a row for each of its blocks; at the end the sums. */
void sbz_list(sbz_input *input, bool blocks);
void sbz_list_end(void);

#endif
