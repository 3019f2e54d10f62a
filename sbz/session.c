/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Codecs, slots and the run of a file: contract in session.h.
 */
#include "session.h"
#include "memory.h"
#include "parallel_for.h"
#include "process.h"
#include "common/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

void sbz_job_fail(sbz_job *slot, sbz_exit status, const char *error)
{
    slot->status = status;
    snprintf(slot->error, sizeof slot->error, "%s", error);
}

enum {
    MAX_BATCH = 4096, /* blocks of one batch, however small they are; bounds the slots; not tuned */
    /* Threads that give batches to a GPU: while one works on the host, kernels of the others run. simt runs in one thread.
     * With an H200 and 16 cores 1 GiB of programs and libraries takes 2.50 s at -6 and 1.46 s back; with 8 threads 2.58 and
     * 1.55; with 12 and 16 connections (CUDA_DEVICE_MAX_CONNECTIONS, by default 8) 2.66 and 1.66; with 4 connections, and 6
     * threads for compression and 8 for decompression, 2.69 and 1.60. */
    GPU_THREADS = 10
};

/* Slots for each thread of the CPU where bytes bound the jobs. Behind a long block many short ones wait to be written: with 16
 * threads, 256 MiB of libraries and archives that -9 wrote take 5.2 s with 5 slots, 2.8 s with 20, 2.3 s with 60; headers
 * and Python 1.15, 0.98, 0.93 s. */
enum { SCARCE_SLOTS = 60 };

/* Bytes of the input below which the CPU is done before a GPU is open. */
static const uint64_t SMALL = (uint64_t)32 << 20;

/* Keeps the message of the codec, and returns the status of its last call. */
static sb_status note(sbz_worker *worker, sb_status status)
{
    if (status != SB_OK)
        snprintf(worker->error, sizeof worker->error, "%s", sbz_codec_error(worker->codec));
    return status;
}

static void close_codec(sbz_worker *worker)
{
    sbz_codec_close(worker->codec);
    worker->codec = NULL;
}

static sb_status open_codec(const sbz_session *session, sbz_worker *worker)
{
    const sbz_options *options = session->options;
    sbz_settings settings = {.where = session->where,
                             .stages = options->stages,
                             .batch = (uint64_t)session->batch * session->block,
                             .encodes = options->action == SBZ_COMPRESS};

    if (worker->codec != NULL)
        return SB_OK;
    if (note(worker, sbz_codec_open(&worker->codec, &settings)) == SB_OK)
        return SB_OK;
    close_codec(worker);
    return SB_UNSUPPORTED;
}

bool sbz_session_open(sbz_session *session, const sbz_options *options)
{
    *session = (sbz_session){.options = options, .workers = options->threads};
    sbz_parallel_share(options->threads);
    session->worker = calloc(session->workers + GPU_THREADS, sizeof *session->worker);
    if (session->worker == NULL)
        return sbz_fail(SBZ_EXIT_FAILED, "out of memory");
    session->device = session->worker + session->workers;
    pthread_mutex_init(&session->lock, NULL);
    pthread_cond_init(&session->let_go, NULL);
    return true;
}

sbz_worker *sbz_session_worker(const sbz_session *session, size_t number)
{
    return (session->where != SBZ_CPU ? session->device : session->worker) + number;
}

/* Half of the memory of the computer, or of what the process may have; but not more than the limit. */
static uint64_t memory(const sbz_options *options)
{
    uint64_t bytes = sbz_physical_memory();
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes)
        bytes = limit.rlim_cur;
    return bytes / 2 < options->memory ? bytes / 2 : options->memory;
}

bool sbz_session_lower_blocks(sbz_options *options)
{
    while (sbz_memory_need_of_limit(options->limit, 1) > options->memory && options->limit > 1)
        options->limit -= options->limit / 16 + 1;
    options->block = options->block < options->limit ? options->block : options->limit;
    return sbz_memory_need_of_limit(options->limit, 1) <= options->memory;
}

static bool grow_batch(sbz_worker *worker, size_t batch)
{
    if (batch <= worker->batch_capacity)
        return true;
    free(worker->texts);
    free(worker->records);
    free(worker->blocks);
    worker->texts = calloc(batch, sizeof *worker->texts);
    worker->records = calloc(batch, sizeof *worker->records);
    worker->blocks = calloc(batch, sizeof *worker->blocks);
    worker->batch_capacity = worker->texts != NULL && worker->records != NULL && worker->blocks != NULL ? batch : 0;
    return worker->batch_capacity > 0;
}

static bool grow_slots(sbz_session *session, size_t slots)
{
    sbz_job *slot;

    if (slots <= session->slot_capacity)
        return true;
    slot = realloc(session->slot, slots * sizeof *slot);
    if (slot == NULL)
        return false;
    memset(slot + session->slot_capacity, 0, (slots - session->slot_capacity) * sizeof *slot);
    session->slot = slot;
    session->slot_capacity = slots;
    return true;
}

static size_t workers_for(const sbz_session *session)
{
    const uint64_t bytes = memory(session->options);

    if (session->where == SBZ_GPU)
        return GPU_THREADS;
    if (session->where == SBZ_SIMT)
        return 1;
    return sbz_memory_threads(session->limit, session->workers, bytes);
}

/* How many batches the contents make. When decoding, their size is an estimate, which is hardly ever too low by a
 * factor of 4. */
static uint64_t batches_of(const sbz_session *session)
{
    const uint64_t batch = (uint64_t)session->batch * session->block;
    const uint64_t bytes = session->options->action == SBZ_COMPRESS ? session->bytes : 4 * session->bytes;

    return bytes / batch + (bytes % batch != 0);
}

/* glibc keeps what a thread has freed, up to 64 MiB for each. From now on, what has 1 MiB and more goes back at once. */
static void return_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

/* The reader may be at work already. */
static void set_space(sbz_session *session, bool scarce)
{
    const uint64_t bytes = memory(session->options);

    pthread_mutex_lock(&session->lock);
    session->scarce = scarce;
    session->space = session->where != SBZ_CPU ? UINT64_MAX
                     : scarce                  ? sbz_memory_jobs(session->limit, bytes)
                                               : sbz_memory_space(session->limit, session->active, bytes);
    pthread_mutex_unlock(&session->lock);
}

/* Batches that are read before a thread takes them, for each thread: so the reader, which is one thread, need not wait for the first
 * batch to be written, for which all of its stages have to run. */
enum { AHEAD = 1 }; /* when compressing */

/* Chooses threads and slots. On a device there are AHEAD batches more for each thread, and two: one is being read, one written; and
 * their texts take at most half of the memory. */
static void plan(sbz_session *session)
{
    const size_t workers = workers_for(session);
    const bool fewer = session->where == SBZ_CPU && workers < session->workers;
    const bool compresses = session->options->action == SBZ_COMPRESS;
    const bool scarce = fewer && !compresses;
    uint64_t batch;
    size_t batches;

    /* When decoding, hardly any block is one of the largest: all threads work, and each block counts for what it needs. */
    session->active = scarce ? session->workers : workers;
    session->lowered = fewer && !scarce;
    if (scarce)
        return_memory();
    batches = (compresses ? 1 + AHEAD : 1) * session->active + 2;
    batch = memory(session->options) / 2 / batches / (session->block > 0 ? session->block : 1);
    session->batch = sbz_codec_batch(session->where, compresses, session->block);
    session->batch = session->batch < MAX_BATCH ? session->batch : MAX_BATCH;
    session->batch = batch >= session->batch ? session->batch : batch > 0 ? (size_t)batch : 1;
    session->slots = scarce ? SCARCE_SLOTS * session->active : sbz_memory_slots(session->active);
    set_space(session, scarce);
    if (session->batch == 1)
        return;
    if (session->bytes > 0 && batches_of(session) < batches) {
        batches = (size_t)batches_of(session);
        session->active = session->active < batches ? session->active : batches;
    }
    session->slots = batches * session->batch;
}

/* Puts the texts of the slots into the slab, if there is memory for it. */
static void lend_texts(sbz_session *session)
{
    bool lent =
        session->batch > 1 && sbz_slab_resize(&session->slab, session->block, session->slots, session->device->codec);

    for (size_t i = 0; i < session->slots; i++) {
        sbz_text *text = &session->slot[i].text;

        if (lent || text->lent)
            sbz_text_free(text);
        if (lent)
            *text = (sbz_text){.data = sbz_slab_text(&session->slab, i), .capacity = session->block, .lent = true};
    }
    if (lent && session->bytes > 0) /* else nobody knows how much of it will be used */
        sbz_slab_prefault(&session->slab);
}

bool sbz_session_prepare(sbz_session *session, uint32_t limit, uint32_t block, uint64_t bytes)
{
    const sbz_where where = session->options->where;

    session->where = where;
    if (where == SBZ_AUTO)
        session->where = !session->no_device && (bytes == 0 || bytes >= SMALL) ? SBZ_GPU : SBZ_CPU;
    session->limit = limit;
    session->block = block;
    session->bytes = bytes;
    plan(session);
    if (!grow_slots(session, session->slots))
        return sbz_fail(SBZ_EXIT_FAILED, "out of memory");
    lend_texts(session);
    return true;
}

void sbz_session_release(sbz_session *session)
{
    for (size_t i = 0; i < session->workers; i++)
        close_codec(&session->worker[i]);
    for (size_t i = 0; i < session->slot_capacity; i++) {
        sbz_text_free(&session->slot[i].text);
        sbz_record_free(&session->slot[i].record);
    }
}

bool sbz_session_start(sbz_session *session)
{
    const double started = sb_now();
    bool opened;

    sbz_signals_hold(); /* the threads of a device runtime must not get signals */
    opened = open_codec(session, sbz_session_worker(session, 0)) == SB_OK;
    if (!opened && session->options->where == SBZ_AUTO && session->where == SBZ_GPU) {
        session->no_device = true;
        session->where = SBZ_CPU;
        sbz_slab_stop_prefault(&session->slab);
        plan(session);
        opened = open_codec(session, sbz_session_worker(session, 0)) == SB_OK;
    }
    if (opened && session->where != SBZ_CPU && session->bytes > 0) /* else nobody knows how much of it will be used */
        sbz_slab_pin(&session->slab, session->device->codec);
    sbz_signals_release();
    session->opening = sb_now() - started;
    for (size_t i = 0; i < session->active; i++) {
        sbz_worker *worker = sbz_session_worker(session, i);

        worker->spent = worker->codec != NULL ? sbz_codec_seconds(worker->codec) : (sbz_seconds){0, 0};
    }
    return opened || sbz_fail(SBZ_EXIT_FAILED, "%s", sbz_session_worker(session, 0)->error);
}

sbz_seconds sbz_session_seconds(const sbz_session *session)
{
    sbz_seconds sum = {0, 0};

    for (size_t i = 0; i < session->active; i++) {
        const sbz_worker *worker = sbz_session_worker(session, i);
        sbz_seconds spent = worker->codec != NULL ? sbz_codec_seconds(worker->codec) : worker->spent;

        sum.transform += spent.transform - worker->spent.transform;
        sum.entropy += spent.entropy - worker->spent.entropy;
    }
    return sum;
}

static void free_worker(sbz_worker *worker)
{
    sbz_codec_close(worker->codec);
    free(worker->texts);
    free(worker->records);
    free(worker->blocks);
    sbz_trial_free(&worker->trial);
}

void sbz_session_close(sbz_session *session)
{
    if (session->worker != NULL)
        sbz_slab_free(&session->slab, session->device->codec);
    for (size_t i = 0; session->worker != NULL && i < session->workers + GPU_THREADS; i++)
        free_worker(&session->worker[i]);
    for (size_t i = 0; i < session->slot_capacity; i++) {
        sbz_text_free(&session->slot[i].text);
        sbz_record_free(&session->slot[i].record);
        sbz_blocks_free(&session->slot[i].blocks);
        sbz_look_free(&session->slot[i].look);
    }
    if (session->worker != NULL) {
        pthread_cond_destroy(&session->let_go);
        pthread_mutex_destroy(&session->lock);
    }
    free(session->worker);
    free(session->slot);
    *session = (sbz_session){0};
}

/* Moves the jobs without an error from the slots into the arrays of the worker, or (`back`) the other way. Returns how
 * many there are. */
static size_t gather(sbz_run *run, sbz_worker *worker, const size_t *slots, size_t count, bool back)
{
    size_t good = 0;

    for (size_t i = 0; i < count; i++) {
        sbz_job *slot = &run->session->slot[slots[i]];

        if (slot->status != SBZ_EXIT_DONE)
            continue;
        if (back) {
            slot->text = worker->texts[good];
            slot->record = worker->records[good];
            slot->blocks = worker->blocks[good];
        } else {
            worker->texts[good] = slot->text;
            worker->records[good] = slot->record;
            worker->blocks[good] = slot->blocks;
        }
        good++;
    }
    return good;
}

static void fail_slots(sbz_run *run, const size_t *slots, size_t count, const char *error)
{
    for (size_t i = 0; i < count; i++)
        if (run->session->slot[slots[i]].status == SBZ_EXIT_DONE)
            sbz_job_fail(&run->session->slot[slots[i]], SBZ_EXIT_FAILED, error);
}

typedef sb_status (*work_function)(sbz_worker *worker, size_t count);

/* Gives a worker its arrays and its codec. */
static sb_status equip(sbz_session *session, sbz_worker *worker, size_t count)
{
    if (grow_batch(worker, count))
        return open_codec(session, worker);
    snprintf(worker->error, sizeof worker->error, "out of memory");
    return SB_UNSUPPORTED;
}

static void run_codec(sbz_run *run, size_t number, const size_t *slots, size_t count, work_function function)
{
    const bool on_cpu = run->session->where == SBZ_CPU; /* else the thread mostly waits for the device */
    sbz_worker *worker = sbz_session_worker(run->session, number);
    sb_status status = equip(run->session, worker, count);

    if (on_cpu)
        sbz_parallel_work(true);
    if (status == SB_OK) {
        size_t good = gather(run, worker, slots, count, false);

        if (good > 0)
            status = note(worker, function(worker, good));
        gather(run, worker, slots, count, true);
    }
    if (on_cpu)
        sbz_parallel_work(false);
    if (status != SB_OK)
        fail_slots(run, slots, count, worker->error);
}

static sb_status encode(sbz_worker *worker, size_t count)
{
    return sbz_trial_encode(&worker->trial, worker->codec, worker->texts, count, worker->blocks);
}

static sb_status decode(sbz_worker *worker, size_t count)
{
    return sbz_codec_decode(worker->codec, worker->records, count, worker->texts);
}

void sbz_encode_slots(void *run, size_t worker, const size_t *slots, size_t count)
{
    run_codec(run, worker, slots, count, encode);
}

void sbz_decode_slots(void *run, size_t worker, const size_t *slots, size_t count)
{
    sbz_session *session = ((sbz_run *)run)->session;
    sbz_codec *codec;

    run_codec(run, worker, slots, count, decode);
    codec = sbz_session_worker(session, worker)->codec;
    if (session->scarce && codec != NULL)
        sbz_codec_free_memory(codec);
    for (size_t i = 0; i < count; i++) {
        sbz_job *job = &session->slot[slots[i]];

        if (job->status == SBZ_EXIT_DONE && job->text.error[0] != '\0')
            sbz_job_fail(job, SBZ_EXIT_DAMAGED, job->text.error);
        sbz_session_worked(session, job);
    }
}

void sbz_session_hold(sbz_session *session, sbz_job *job, uint64_t bytes, uint64_t work)
{
    pthread_mutex_lock(&session->lock);
    while (session->held > 0 && session->held + bytes + (session->scarce ? work : 0) > session->space &&
           !session->stopped)
        pthread_cond_wait(&session->let_go, &session->lock);
    job->bytes = bytes;
    job->work = session->scarce ? work : 0;
    session->held += job->bytes + job->work;
    pthread_mutex_unlock(&session->lock);
}

void sbz_session_worked(sbz_session *session, sbz_job *job)
{
    pthread_mutex_lock(&session->lock);
    session->held -= job->work;
    job->work = 0;
    pthread_cond_signal(&session->let_go);
    pthread_mutex_unlock(&session->lock);
}

void sbz_session_let_go(sbz_session *session, sbz_job *job)
{
    if (session->space != UINT64_MAX) {
        sbz_text_free(&job->text);
        sbz_record_free(&job->record);
        sbz_blocks_free(&job->blocks);
    }
    pthread_mutex_lock(&session->lock);
    session->held -= job->bytes + job->work;
    job->bytes = job->work = 0;
    pthread_cond_signal(&session->let_go);
    pthread_mutex_unlock(&session->lock);
}

static void tick(void *argument)
{
    sbz_run *run = argument;

    sbz_progress_show(&run->progress, run->finished, run->output->written);
}

static void interrupt(void *argument)
{
    sbz_run *run = argument;

    pthread_mutex_lock(&run->session->lock);
    run->session->stopped = true;
    pthread_cond_signal(&run->session->let_go);
    pthread_mutex_unlock(&run->session->lock);
    sbz_input_interrupt(run->input);
}

/* Blocks may be longer than usual. On the CPU a batch is one block. */
static uint64_t batch_bytes(const sbz_session *session)
{
    return session->batch > 1 ? (uint64_t)session->batch * session->block : UINT64_MAX;
}

/* If the device is full, fewer threads work. */
static bool begin_worker(void *argument, size_t number)
{
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER; /* a module need not be opened by two threads at once */
    const sbz_session *session = ((sbz_run *)argument)->session;
    sbz_worker *worker = sbz_session_worker(session, number);
    bool works = session->where == SBZ_CPU;

    if (works)
        return true;
    pthread_mutex_lock(&opening);
    works = open_codec(session, worker) == SB_OK && sbz_codec_has_memory(worker->codec);
    if (!works)
        close_codec(worker);
    pthread_mutex_unlock(&opening);
    return works;
}

static bool start(void *argument, sbz_pool_limits *limits)
{
    sbz_session *session = ((sbz_run *)argument)->session;

    if (!sbz_session_start(session))
        return false;
    limits->slots = session->slots < limits->slots ? session->slots : limits->slots;
    limits->workers = session->active;
    limits->batch = session->batch;
    limits->bytes = batch_bytes(session);
    limits->preparers = session->where != SBZ_CPU ? limits->preparers : 0;
    return true;
}

/* Of the threads that the user allows one reads; one more is left to the device until it is open. */
static size_t preparers(const sbz_session *session)
{
    enum { OTHERS = 2 };

    return session->where == SBZ_CPU || session->workers <= OTHERS ? 0 : session->workers - OTHERS;
}

bool sbz_run_pipeline(sbz_run *run, bool (*read)(void *run, size_t slot), void (*prepare)(void *run, size_t slot),
                      uint64_t (*bytes)(void *run, size_t slot),
                      void (*work)(void *run, size_t worker, const size_t *slots, size_t count),
                      bool (*write)(void *run, size_t slot))
{
    sbz_session *session = run->session;
    const size_t max_workers = session->active > session->workers ? session->active : session->workers;
    sbz_pipeline pipeline = {.context = run,
                             .limits = {session->slots, max_workers, session->batch, batch_bytes(session),
                                        prepare != NULL ? preparers(session) : 0},
                             .start = start,
                             .read = read,
                             .prepare = prepare,
                             .bytes = bytes,
                             .begin = begin_worker,
                             .work = work,
                             .write = write,
                             .tick = tick,
                             .interrupt = interrupt};
    sbz_pipeline_end end;

    for (size_t i = 0; i < session->slots; i++) {
        session->slot[i].status = SBZ_EXIT_DONE;
        session->slot[i].bytes = session->slot[i].work = 0;
    }
    session->held = 0;
    session->stopped = false;
    end = sbz_pipeline_run(&pipeline);
    if (end == SBZ_PIPELINE_NO_THREAD)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: no memory for threads", run->input->name);
    return end == SBZ_PIPELINE_DONE;
}

bool sbz_run_check(const sbz_run *run, const sbz_job *slot)
{
    return slot->status == SBZ_EXIT_DONE || sbz_fail(slot->status, "%s: %s", run->input->name, slot->error);
}
