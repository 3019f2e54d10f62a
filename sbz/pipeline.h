/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pieces of work on their way from a reader through workers to a writer. The reader has a thread of its own, every
 * worker too, the writer is the thread that calls. Pieces are written in the order in which they were read, whichever
 * worker is done first, so what is written does not depend on the number of threads. A piece lies in a slot; there are
 * as many pieces in memory as there are slots, and who is ahead waits.
 *
 * Failure is the user's matter: a piece says so in its slot, the writer comes upon it after all that stood before it,
 * and stops the run by returning false.
 */
#ifndef SBZ_PIPELINE_H
#define SBZ_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sbz_pool_limits {
    size_t slots;   /* that are in use: at least `batch` */
    size_t workers; /* threads that work, at most; a worker is started only when one more is needed */
    size_t batch;   /* a worker takes so many pieces at once, or what is left before the end */
} sbz_pool_limits;

typedef struct sbz_pipeline {
    void *context;
    sbz_pool_limits crew;

    /* Called first by the thread that calls, while the first pieces are read already; nobody works before it returns.
     * May make the crew smaller in every part. False: stop. May be NULL. */
    bool (*settle)(void *context, sbz_pool_limits *crew);
    /* Fills the slot. False: it did not, the end was reached. Not called again after that. */
    bool (*read)(void *context, size_t slot);
    /* Works on the pieces in `slots`; `worker` counts the threads from 0. */
    void (*work)(void *context, size_t worker, const size_t *slots, size_t count);
    /* Takes the piece out of the slot, which is free afterwards. False: stop. */
    bool (*write)(void *context, size_t slot);
    /* Called by the writer some times a second, and whenever it waited. May be NULL. */
    void (*tick)(void *context);
    /* Makes a `read` that waits for input return, with true or false. May be NULL: it never waits for long. */
    void (*interrupt)(void *context);
} sbz_pipeline;

typedef enum sbz_pipeline_end {
    SBZ_PIPELINE_DONE,     /* every piece that was read was written */
    SBZ_PIPELINE_STOPPED,  /* by the writer, or before it began */
    SBZ_PIPELINE_NO_THREAD /* no memory, or the system gives no thread */
} sbz_pipeline_end;

/* All threads have ended when it returns. Signals are left to the calling thread. */
sbz_pipeline_end sbz_pipeline_run(const sbz_pipeline *pipeline);

#endif
