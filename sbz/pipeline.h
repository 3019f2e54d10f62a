/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A pipeline: jobs go from a reader through workers to a writer. The reader and each worker have a thread of their own;
 * the writer is the calling thread. Jobs are written in the order in which they were read, whichever worker is done
 * first, so the output does not depend on the number of threads. A job is in a slot; the number of slots bounds the
 * jobs in memory, and the reader waits when all are in use.
 *
 * Failures are up to the caller: a job records its failure in its slot; the writer meets it after all jobs before it,
 * and stops the pipeline by returning false.
 */
#ifndef SBZ_PIPELINE_H
#define SBZ_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sbz_pool_limits {
    size_t slots;     /* slots in use: at least `batch` */
    size_t workers;   /* maximum number of worker threads; a worker is started when one more is needed */
    size_t batch;     /* jobs that a worker takes at once; at the end it takes what is left */
    uint64_t bytes;   /* of the jobs that it takes at once, unless one alone has more */
    size_t preparers; /* threads for `prepare`; `start` may lower them to 0 */
} sbz_pool_limits;

typedef struct sbz_pipeline {
    void *context;
    sbz_pool_limits limits;

    /* Called first, by the calling thread, while the reader already reads; workers start when it returns. May lower any
     * of the limits. False: stop. May be NULL. */
    bool (*start)(void *context, sbz_pool_limits *limits);
    /* Fills the slot. False: there are no more jobs, and it is not called again. */
    bool (*read)(void *context, size_t slot);
    /* What can be done for a job that was read before a worker takes it; `preparers` threads of their own do it, from the beginning on
     * and in the order of the jobs. A worker does not wait for those that none of them has begun: `work` gets jobs that are
     * prepared, and others. May be NULL. */
    void (*prepare)(void *context, size_t slot);
    /* The bytes of the job in the slot, which was read. NULL: the number of jobs alone counts. */
    uint64_t (*bytes)(void *context, size_t slot);
    /* Called first by the thread of each worker but worker 0. False: it cannot work, and ends; others do its work. May be NULL. */
    bool (*begin)(void *context, size_t worker);
    /* Works on the jobs in `slots`; `worker` is the number of the thread, from 0. */
    void (*work)(void *context, size_t worker, const size_t *slots, size_t count);
    /* Writes the job in the slot, which is then free. False: stop. */
    bool (*write)(void *context, size_t slot);
    /* Called by the writer about ten times a second. May be NULL. */
    void (*tick)(void *context);
    /* Makes a `read` that waits for input return, with true or false. May be NULL if `read` never waits for long. */
    void (*interrupt)(void *context);
} sbz_pipeline;

typedef enum sbz_pipeline_end {
    SBZ_PIPELINE_DONE,     /* all jobs were written */
    SBZ_PIPELINE_STOPPED,  /* by the writer, or before it began */
    SBZ_PIPELINE_NO_THREAD /* out of memory, or no thread could be started */
} sbz_pipeline_end;

/* Runs the pipeline. When it returns, all threads have ended. Only the calling thread gets signals. */
sbz_pipeline_end sbz_pipeline_run(const sbz_pipeline *pipeline);

#endif
