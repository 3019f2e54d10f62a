/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What lives longer than one file: the codecs, one for each working thread, and the slots, which hold the blocks that
 * are being processed. A run takes one input through them to one output.
 */
#ifndef SBZ_SESSION_H
#define SBZ_SESSION_H

#include "split.h"
#include "files.h"
#include "pipeline.h"
#include "read_ahead.h"
#include "report.h"
#include "slab.h"
#include "trial.h"
#include <pthread.h>

/* The job of a slot: one text, and what it becomes or comes from. */
typedef struct sbz_job {
    sbz_text text;
    sbz_record record; /* decoding: the input */
    sbz_blocks blocks; /* encoding: the output */
    sbz_look look;     /* encoding: what was found out about the text, if it says so */
    uint64_t bytes;    /* memory of the job, as session->held counts it */
    uint64_t work;     /* memory that it needs besides until it is decoded, counted there too */
    sbz_exit status;   /* SBZ_EXIT_DONE, or the kind of the failure that `error` describes */
    char error[SBZ_ERROR + 128];
} sbz_job;

void sbz_job_fail(sbz_job *slot, sbz_exit status, const char *error);

typedef struct sbz_worker {
    sbz_codec *codec;
    sbz_text *texts; /* a batch for the codec */
    sbz_record *records;
    sbz_blocks *blocks;
    sbz_trial trial;
    size_t batch_capacity; /* of these three */
    sbz_seconds spent;     /* what the codec had spent before this file */
    char error[SBZ_ERROR]; /* why it could not work */
} sbz_worker;

typedef struct sbz_session {
    const sbz_options *options;
    size_t workers;              /* maximum number of threads on the CPU */
    sbz_worker *worker;          /* those on the CPU; `device` points behind them */
    sbz_worker *device;          /* those that give batches to a device */
    bool no_device;              /* there is no GPU; known once one was looked for */
    sbz_where where;             /* for this file; not SBZ_AUTO */
    uint32_t limit, block;       /* bytes: maximum and typical block size */
    uint64_t bytes;              /* of the contents, estimated; 0: unknown */
    double opening;              /* seconds that opening the codecs took for this file */
    size_t active;               /* threads that this file gets */
    bool lowered;                /* on the CPU: fewer than there could be, because of memory */
    size_t batch;                /* blocks that a thread takes at once */
    size_t slots, slot_capacity; /* slots in use; allocated */
    sbz_job *slot;
    sbz_slab slab;         /* the memory of their texts, for a device */
    pthread_mutex_t lock;  /* protects the following */
    pthread_cond_t let_go; /* a job was written */
    uint64_t held, space;  /* bytes of the jobs in memory, and how many they may have; UINT64_MAX: any */
    bool scarce;           /* decoding on the CPU: not all threads could decode the largest blocks at once */
    bool stopped;
} sbz_session;

/* Lowers the block size for compression until one thread gets along with the memory limit, if there is one. False: no
 * block size is small enough. */
bool sbz_session_lower_blocks(sbz_options *options);

/* Functions here that return bool have reported the error when they return false. */
bool sbz_session_open(sbz_session *session, const sbz_options *options);
/* Before a run: chooses between CPU and GPU, and as many threads and slots as memory allows for this block limit and
 * typical block size. `bytes`: size of the contents, estimated; 0: unknown. */
bool sbz_session_prepare(sbz_session *session, uint32_t limit, uint32_t block, uint64_t bytes);
/* Frees what the slots and the threads on the CPU have kept for further blocks. */
void sbz_session_release(sbz_session *session);
/* Opens the codecs. With SBZ_AUTO the CPU takes over if there is no GPU. sbz_run_pipeline calls it. */
bool sbz_session_start(sbz_session *session);
/* Waits until there is space for a job of so many bytes, which has just been read, and, where memory is scarce, for as many as
 * work on it takes. A job that is alone always has space. */
void sbz_session_hold(sbz_session *session, sbz_job *job, uint64_t bytes, uint64_t work);
/* Work on the job is over. */
void sbz_session_worked(sbz_session *session, sbz_job *job);
/* The job was written. Where memory is bounded, its own is freed. */
void sbz_session_let_go(sbz_session *session, sbz_job *job);
/* What the codecs have spent on this file, all threads together. */
sbz_seconds sbz_session_seconds(const sbz_session *session);
/* The worker of thread `number` of this run. */
sbz_worker *sbz_session_worker(const sbz_session *session, size_t number);
void sbz_session_close(sbz_session *session);

typedef struct sbz_run {
    sbz_session *session;
    sbz_input *input;
    sbz_output *output;
    sbz_progress progress;
    uint64_t blocks;   /* written */
    uint64_t finished; /* bytes of the input whose output was written; more are read ahead */
    uint64_t wasted;   /* recovery: bytes that damaged blocks would have had */
    bool ended;        /* nothing more will be read */
    bool copied;       /* the input was not compressed, and was copied */
    sbz_read_ahead ahead;
    sbz_splitter splitter;
    sbz_writer writer;
    sbz_reader reader;
    sbz_job first; /* the first block, read ahead */
    bool has_first;
} sbz_run;

/* Encode or decode the jobs of these slots; for sbz_pipeline.work. */
void sbz_encode_slots(void *run, size_t worker, const size_t *slots, size_t count);
void sbz_decode_slots(void *run, size_t worker, const size_t *slots, size_t count);
/* Runs the pipeline over the slots. `prepare` may be NULL, and is for a device, whose threads wait for it most of the time. False: it or `write` has reported the error. */
bool sbz_run_pipeline(sbz_run *run, bool (*read)(void *run, size_t slot), void (*prepare)(void *run, size_t slot),
                      uint64_t (*bytes)(void *run, size_t slot),
                      void (*work)(void *run, size_t worker, const size_t *slots, size_t count),
                      bool (*write)(void *run, size_t slot));
/* True if the job succeeded; else reports its error. */
bool sbz_run_check(const sbz_run *run, const sbz_job *slot);

/* From the opened input to the opened output. False: the error is reported, and the output must be discarded. */
bool sbz_run_compress(sbz_run *run);
bool sbz_run_decompress(sbz_run *run);
bool sbz_run_recover(sbz_run *run);
bool sbz_run_range(sbz_run *run);

/* Prints a row for the compressed file and, if `verbose`, one for each of its blocks; sbz_list_end prints the totals. */
void sbz_list(sbz_input *input, const sbz_options *options);
void sbz_list_end(const sbz_options *options);

#endif
