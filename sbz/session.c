/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Codecs, slots and the run of a file: contract in session.h.
 */
#include "session.h"
#include "harness/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void sbz_piece_fail(sbz_piece *slot, sbz_exit status, const char *error)
{
    slot->status = status;
    snprintf(slot->error, sizeof slot->error, "%s", error);
}

static bool open_codec(const sbz_session *session, sbz_worker *worker, char *error, size_t size)
{
    const sbz_options *options = session->options;
    sbz_settings settings = {.where = options->where,
                             .stages = options->stages,
                             .block_limit = options->action == SBZ_COMPRESS ? options->block : 0};

    if (worker->codec == NULL)
        worker->codec = sbz_codec_open(&settings, error, size);
    return worker->codec != NULL;
}

bool sbz_session_open(sbz_session *session, const sbz_options *options)
{
    char error[SBZ_ERROR];
    bool opened;

    *session = (sbz_session){.options = options, .workers = options->threads};
    session->worker = calloc(session->workers, sizeof *session->worker);
    if (session->worker == NULL)
        return sbz_fail(SBZ_EXIT_FAILED, "out of memory");
    sbz_signals_hold(); /* for the threads of a device */
    opened = open_codec(session, &session->worker[0], error, sizeof error);
    sbz_signals_release();
    if (!opened)
        return sbz_fail(SBZ_EXIT_FAILED, "%s", error);
    if (sbz_codec_where(session->worker[0].codec) != SBZ_CPU)
        session->workers = 1;
    return true;
}

/* Half of what the machine has, or of what the process may have. */
static uint64_t memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes)
        bytes = limit.rlim_cur;
    return bytes / 2;
}

/* Arrays for batches of the present size; what is in `slot` stays. */
static bool allocate(sbz_session *session, size_t slots)
{
    sbz_piece *slot = slots > session->slots ? realloc(session->slot, slots * sizeof *slot) : session->slot;

    if (slot == NULL)
        return false;
    session->slot = slot;
    if (slots > session->slots)
        memset(slot + session->slots, 0, (slots - session->slots) * sizeof *slot);
    session->slots = slots > session->slots ? slots : session->slots;
    for (size_t i = 0; i < session->workers; i++) {
        free(session->worker[i].texts);
        free(session->worker[i].records);
        session->worker[i].texts = calloc(session->batch, sizeof(sbz_text));
        session->worker[i].records = calloc(session->batch, sizeof(sbz_record));
        if (session->worker[i].texts == NULL || session->worker[i].records == NULL)
            return false;
    }
    return true;
}

/* While a worker has a batch, another is being read and a third is written; of several workers some wait for the first.
 */
bool sbz_session_prepare(sbz_session *session, uint32_t block)
{
    uint64_t each = 1 + 2 * (sbz_decode_memory(block) + 2 * (uint64_t)block), most = memory() / each;
    size_t slots;

    session->active = most < 1 ? 1 : most < session->workers ? (size_t)most : session->workers;
    session->batch = sbz_codec_batch(session->worker[0].codec, block);
    slots = session->active > 1 ? session->active * 3 / 2 + 2 : 3 * session->batch;
    return allocate(session, slots) || sbz_fail(SBZ_EXIT_FAILED, "out of memory");
}

void sbz_session_close(sbz_session *session)
{
    for (size_t i = 0; session->worker != NULL && i < session->workers; i++) {
        sbz_codec_close(session->worker[i].codec);
        free(session->worker[i].texts);
        free(session->worker[i].records);
    }
    for (size_t i = 0; session->slot != NULL && i < session->slots; i++) {
        sbz_text_free(&session->slot[i].text);
        sbz_record_free(&session->slot[i].record);
    }
    free(session->worker);
    free(session->slot);
    *session = (sbz_session){0};
}

/* The texts and records of the slots that have a block stand in a row for the codec, and go back. */
static size_t gather(sbz_run *run, sbz_worker *worker, const size_t *slots, size_t count, bool back)
{
    size_t good = 0;

    for (size_t i = 0; i < count; i++) {
        sbz_piece *slot = &run->session->slot[slots[i]];

        if (slot->status != SBZ_EXIT_DONE)
            continue;
        if (back) {
            slot->text = worker->texts[good];
            slot->record = worker->records[good];
        } else {
            worker->texts[good] = slot->text;
            worker->records[good] = slot->record;
        }
        good++;
    }
    return good;
}

static void fail_slots(sbz_run *run, const size_t *slots, size_t count, const char *error)
{
    for (size_t i = 0; i < count; i++)
        if (run->session->slot[slots[i]].status == SBZ_EXIT_DONE)
            sbz_piece_fail(&run->session->slot[slots[i]], SBZ_EXIT_FAILED, error);
}

typedef bool (*work_function)(sbz_worker *worker, size_t count, char *error, size_t size);

static void run_codec(sbz_run *run, size_t number, const size_t *slots, size_t count, work_function function)
{
    sbz_worker *worker = &run->session->worker[number];
    double started = sb_now();
    size_t good = gather(run, worker, slots, count, false);
    char error[SBZ_ERROR];
    bool done = good == 0 ||
                (open_codec(run->session, worker, error, sizeof error) && function(worker, good, error, sizeof error));

    gather(run, worker, slots, count, true);
    if (!done)
        fail_slots(run, slots, count, error);
    worker->seconds += sb_now() - started;
}

static bool encode(sbz_worker *worker, size_t count, char *error, size_t size)
{
    return sbz_codec_encode(worker->codec, worker->texts, count, worker->records, error, size);
}

static bool decode(sbz_worker *worker, size_t count, char *error, size_t size)
{
    return sbz_codec_decode(worker->codec, worker->records, count, worker->texts, error, size);
}

void sbz_encode_slots(void *run, size_t worker, const size_t *slots, size_t count)
{
    run_codec(run, worker, slots, count, encode);
}

void sbz_decode_slots(void *run, size_t worker, const size_t *slots, size_t count)
{
    sbz_piece *slot = ((sbz_run *)run)->session->slot;

    run_codec(run, worker, slots, count, decode);
    for (size_t i = 0; i < count; i++)
        if (slot[slots[i]].status == SBZ_EXIT_DONE && slot[slots[i]].text.error[0] != '\0')
            sbz_piece_fail(&slot[slots[i]], SBZ_EXIT_DAMAGED, slot[slots[i]].text.error);
}

static void tick(void *argument)
{
    sbz_run *run = argument;

    sbz_progress_show(&run->progress, run->input->read, run->output->written);
}

static void interrupt(void *argument)
{
    sbz_input_interrupt(((sbz_run *)argument)->input);
}

bool sbz_run_pipeline(sbz_run *run, bool (*read)(void *run, size_t slot),
                      void (*work)(void *run, size_t worker, const size_t *slots, size_t count),
                      bool (*write)(void *run, size_t slot))
{
    const sbz_session *session = run->session;
    sbz_pipeline pipeline = {run, session->slots, session->active, session->batch, read, work, write, tick, interrupt};
    sbz_pipeline_end end;

    for (size_t i = 0; i < session->workers; i++)
        session->worker[i].seconds = 0;
    for (size_t i = 0; i < session->slots; i++)
        session->slot[i].status = SBZ_EXIT_DONE;
    end = sbz_pipeline_run(&pipeline);
    if (end == SBZ_PIPELINE_NO_THREAD)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: no memory for threads", run->input->name);
    return end == SBZ_PIPELINE_DONE;
}

bool sbz_run_check(const sbz_run *run, const sbz_piece *slot)
{
    return slot->status == SBZ_EXIT_DONE || sbz_fail(slot->status, "%s: %s", run->input->name, slot->error);
}
