/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Decompressing a file, and recovering the intact blocks of a damaged one.
 */
#include "session.h"
#include "memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    USUAL_RATIO = 4, /* contents to compressed size: an estimate for how many threads to start; not tuned */
    PREFAULT = 8,    /* texts that are prefaulted by one call; not tuned */
    WASTE_PER_BYTE = 256,
    MIN_SHORT_LIMIT = 4 << 20,
    MAX_INDEXES = 16 /* read from the end for the size of the contents; more take too long for an estimate */
};

/* Recovery decodes each block that a header announces, and knows only afterwards that it was damaged. What damaged
 * blocks would have had in bytes is limited, or a few bytes could make it work for hours. 64 MiB take less than 2 s, and
 * are 18 blocks of the largest that -8 writes. 256 is the ratio of a log file of few different lines; up to it each
 * block of a file may be damaged. */
static const uint64_t WASTE = (uint64_t)64 << 20;

static void fail_with_hint(sbz_job *job, sbz_exit status, const char *error, const char *hint)
{
    snprintf(job->error, sizeof job->error, "%.*s; %s", SBZ_ERROR, error, hint);
    job->status = status;
}

/* Recovery goes on behind the block. */
static void fail_for_memory(const sbz_reader *reader, sbz_job *job)
{
    char hint[64];

    snprintf(hint, sizeof hint, "--memlimit=%" PRIu64 "M allows it", sbz_mebibytes(reader->needed));
    fail_with_hint(job, reader->recover ? SBZ_EXIT_DAMAGED : SBZ_EXIT_FAILED, reader->error, hint);
}

/* Reads the next block into the job, or the error. False: the input has ended. */
static bool next_block(sbz_run *run, sbz_job *job)
{
    sbz_read_status status = sbz_reader_next(&run->reader, &job->record);

    job->status = SBZ_EXIT_DONE;
    if (status == SBZ_READ_LIMIT)
        fail_for_memory(&run->reader, job);
    if (status == SBZ_READ_BAD)
        sbz_job_fail(job, SBZ_EXIT_DAMAGED, run->reader.error);
    if (status == SBZ_READ_TIRED)
        fail_with_hint(job, SBZ_EXIT_DAMAGED, run->reader.error, "-f tries it");
    if (status == SBZ_READ_SOURCE)
        sbz_job_fail(job, SBZ_EXIT_FAILED, run->input->error);
    if (status == SBZ_READ_MEMORY)
        sbz_job_fail(job, SBZ_EXIT_FAILED, "out of memory");
    return status != SBZ_READ_END;
}

/* The block limit of a stream. Short streams have their own size for a limit; rounding it up keeps small ones that follow
 * each other in one pipeline. The least, 4 MiB, is about the limit of the default level. */
static uint32_t limit_of(const sbz_reader *reader)
{
    uint32_t limit = MIN_SHORT_LIMIT;

    if (!reader->is_short)
        return reader->block_limit;
    while (limit < reader->block_limit)
        limit *= 2;
    return limit;
}

/* Threads and slots were chosen for the block limit of the first stream. With a larger one they would take too much
 * memory: such a block waits until all before it are written, and begins a pipeline of its own. */
static bool postpone(sbz_run *run, sbz_job *slot)
{
    const sbz_record record = run->first.record;

    if (slot->status != SBZ_EXIT_DONE || limit_of(&run->reader) <= run->session->limit)
        return false;
    run->first.record = slot->record;
    run->first.status = slot->status;
    slot->record = record;
    run->has_first = true;
    return true;
}

static bool read_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_job *slot = &run->session->slot[number];
    sbz_record record = slot->record;

    if (run->ended)
        return false;
    if (number % PREFAULT == 0)
        sbz_slab_prefault_texts(&run->session->slab, number, PREFAULT); /* usually while the device is being opened */
    if (run->has_first) {
        slot->record = run->first.record;
        slot->status = run->first.status;
        memcpy(slot->error, run->first.error, sizeof slot->error);
        run->first.record = record;
        run->has_first = false;
    } else {
        run->ended = !next_block(run, slot);
        if (!run->ended && postpone(run, slot))
            return false;
    }
    if (!run->ended && slot->status == SBZ_EXIT_DONE)
        sbz_session_hold(run->session, slot, (uint64_t)slot->record.block.original + slot->record.block.encoded,
                         sbz_decode_memory(&slot->record.block));
    run->ended |= slot->status != SBZ_EXIT_DONE;
    return !run->ended || slot->status != SBZ_EXIT_DONE;
}

static uint64_t block_bytes(void *argument, size_t number)
{
    return ((sbz_run *)argument)->session->slot[number].record.block.transformed;
}

static bool write_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_job *slot = &run->session->slot[number];

    if (!sbz_run_check(run, slot) || !sbz_output_write(run->output, slot->text.data, slot->text.size))
        return false;
    run->blocks++;
    run->finished = slot->record.offset + slot->record.block.encoded;
    sbz_session_let_go(run->session, slot);
    return true;
}

static void end_run(sbz_run *run)
{
    if (run->reader.padding > 0)
        sbz_hint("%s: %" PRIu64 " zero bytes after the last stream are ignored", run->input->name, run->reader.padding);
    sbz_reader_free(&run->reader);
    sbz_record_free(&run->first.record);
    sbz_text_free(&run->first.text);
}

/* True if the input is copied as it is (-dcf), since it was never compressed. A file that begins like a stream, or is a
 * beginning of one, is damaged instead. */
static bool is_foreign(const sbz_run *run)
{
    const sbz_options *options = run->session->options;
    const sbz_reader *reader = &run->reader;

    return options->to_stdout && options->force && reader->broken && reader->offset == 0 &&
           (reader->filled == 0 || !sbz_is_stream(reader->window, reader->filled));
}

/* Copies the window, of which nothing was consumed, and the rest of the input. */
static bool copy(sbz_run *run)
{
    sbz_reader *reader = &run->reader;
    ptrdiff_t got = (ptrdiff_t)reader->filled;

    run->copied = true;
    while (got > 0) {
        if (!sbz_output_write(run->output, reader->window, (size_t)got))
            return false;
        sbz_progress_show(&run->progress, run->input->read, run->output->written);
        got = sbz_input_read(run->input, reader->window, reader->capacity);
    }
    return got == 0 || sbz_fail(SBZ_EXIT_FAILED, "%s: %s", run->input->name, run->input->error);
}

/* The typical block size: that of the first block, unless that may be the last one and short. */
static uint32_t usual_block(const sbz_run *run)
{
    const uint32_t limit = limit_of(&run->reader), first = run->has_first ? run->first.record.block.transformed : 0;

    return first < limit / 4 ? limit / 4 : first;
}

/* Size of the contents by the last indexes, which are untrusted. 0: they cannot be read. */
static uint64_t original_bytes(sbz_input *input)
{
    uint64_t end = S_ISREG(input->status.st_mode) ? sbz_input_end(input) : 0, bytes = 0;
    sbz_index index;

    for (int i = 0; i < MAX_INDEXES && end > 0; i++) {
        if (sbz_index_read(&index, end, sbz_input_read_at, input) != SBZ_READ_END)
            return 0;
        bytes += index.original;
        end = index.before;
        sbz_index_free(&index);
    }
    return bytes;
}

/* Space for the output is reserved while a device opens; the CPU is ready too soon for that. */
static bool prepare(sbz_run *run)
{
    if (!sbz_session_prepare(run->session, limit_of(&run->reader), usual_block(run), USUAL_RATIO * run->input->size))
        return false;
    if (run->session->where != SBZ_CPU)
        sbz_output_expect(run->output, original_bytes(run->input));
    return true;
}

static void begin(sbz_run *run, bool recover)
{
    sbz_reader_init(&run->reader, SBZ_MAX_BLOCK, recover, sbz_input_read, run->input);
    run->reader.need = sbz_memory_need;
    run->reader.max_need = run->session->options->memory;
    run->reader.single_stream = run->session->options->single_stream;
}

/* Reads the first block ahead: the block limit decides how many threads memory allows. */
bool sbz_run_decompress(sbz_run *run)
{
    bool done;

    begin(run, false);
    run->has_first = next_block(run, &run->first);
    run->ended = !run->has_first;
    done = is_foreign(run)
               ? copy(run)
               : prepare(run) && sbz_run_pipeline(run, read_block, NULL, block_bytes, sbz_decode_slots, write_block);
    while (done && run->has_first && !run->copied) {
        sbz_session_release(run->session);
        done = sbz_session_prepare(run->session, limit_of(&run->reader), usual_block(run), 0) &&
               sbz_run_pipeline(run, read_block, NULL, block_bytes, sbz_decode_slots, write_block);
    }
    end_run(run);
    return done;
}

static uint64_t input_bytes(const sbz_run *run)
{
    return run->input->size != 0 ? run->input->size : run->input->read;
}

/* Blocks are recovered one by one, for where the search for the next begins depends on whether this one is good. False:
 * there are no more. */
static bool recover_block(sbz_run *run, uint64_t *missing)
{
    static const size_t one[] = {0};
    sbz_job *slot = &run->session->slot[0];

    run->reader.tired = !run->session->options->force && run->wasted > WASTE + WASTE_PER_BYTE * input_bytes(run);
    if (!next_block(run, slot))
        return false;
    if (slot->status == SBZ_EXIT_DONE)
        sbz_decode_slots(run, 0, one, 1);
    if (slot->status == SBZ_EXIT_DONE)
        return write_block(run, 0);
    run->wasted += run->reader.broken ? 0 : slot->record.block.original;
    *missing += 1;
    sbz_run_check(run, slot);
    if (slot->status == SBZ_EXIT_FAILED)
        return false;
    if (!run->reader.broken)
        sbz_reader_damaged(&run->reader);
    return true;
}

bool sbz_run_recover(sbz_run *run)
{
    uint64_t missing = 0;

    begin(run, true);
    if (!sbz_session_prepare(run->session, SBZ_MAX_BLOCK, SBZ_MAX_BLOCK, 1) || !sbz_session_start(run->session))
        return false;
    while (recover_block(run, &missing))
        sbz_progress_show(&run->progress, run->reader.offset, run->output->written);
    if (missing > 0)
        sbz_note("%s: %" PRIu64 " blocks, %" PRIu64 " bytes were intact", run->input->name, run->blocks,
                 run->output->written);
    end_run(run);
    return run->blocks > 0;
}
