/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Decompressing a file, and recovering what is left of a damaged one.
 */
#include "session.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    USUAL_RATIO = 4,
    POPULATED = 8,   /* texts at once */
    MAX_INDEXES = 16 /* that are read for what they say */
};

/* The next block into the piece, or why there is none. False: the end. */
static bool next_block(sbz_run *run, sbz_job *piece)
{
    sbz_read_status status = sbz_reader_next(&run->reader, &piece->record);

    piece->status = SBZ_EXIT_DONE;
    if (status == SBZ_READ_BAD)
        sbz_job_fail(piece, SBZ_EXIT_DAMAGED, run->reader.error);
    if (status == SBZ_READ_SOURCE)
        sbz_job_fail(piece, SBZ_EXIT_FAILED, run->input->error);
    if (status == SBZ_READ_MEMORY)
        sbz_job_fail(piece, SBZ_EXIT_FAILED, "out of memory");
    return status != SBZ_READ_END;
}

static bool read_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_job *slot = &run->session->slot[number];
    sbz_record record = slot->record;

    if (run->ended)
        return false;
    if (number % POPULATED == 0)
        sbz_slab_prefault_texts(&run->session->slab, number,
                                POPULATED); /* as a rule while the device is being opened */
    if (run->has_first) {
        slot->record = run->first.record;
        slot->status = run->first.status;
        memcpy(slot->error, run->first.error, sizeof slot->error);
        run->first.record = record;
        run->has_first = false;
    } else
        run->ended = !next_block(run, slot);
    run->ended |= slot->status != SBZ_EXIT_DONE;
    return !run->ended || slot->status != SBZ_EXIT_DONE;
}

static bool write_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_job *slot = &run->session->slot[number];

    if (!sbz_run_check(run, slot) || !sbz_output_write(run->output, slot->text.data, slot->text.size))
        return false;
    run->blocks++;
    return true;
}

static void end_run(sbz_run *run)
{
    sbz_reader_free(&run->reader);
    sbz_record_free(&run->first.record);
    sbz_text_free(&run->first.text);
}

/* Is the input to go through as it is? What is one of ours but for its end is damaged, and not to be mistaken. */
static bool is_foreign(const sbz_run *run)
{
    const sbz_options *options = run->session->options;
    const sbz_reader *reader = &run->reader;

    return options->to_stdout && options->force && reader->broken && reader->offset == 0 &&
           (reader->filled == 0 || !sbz_is_stream(reader->window, reader->filled));
}

/* Nothing of the window was consumed. */
static bool copy(sbz_run *run)
{
    sbz_reader *reader = &run->reader;
    ptrdiff_t got = (ptrdiff_t)reader->filled;

    run->copied = true;
    while (got > 0) {
        if (!sbz_output_write(run->output, reader->window, (size_t)got))
            return false;
        sbz_progress_show(&run->progress, run->input->read, run->output->written);
        got = sbz_input_read(run->input, reader->window, reader->room);
    }
    return got == 0 || sbz_fail(SBZ_EXIT_FAILED, "%s: %s", run->input->name, run->input->error);
}

/* How many bytes blocks have for the most part: those of the first, unless it is the last, too, and short. */
static uint32_t usual_block(const sbz_run *run)
{
    const uint32_t limit = run->reader.block_limit, first = run->has_first ? run->first.record.block.transformed : 0;

    return first < limit / 4 ? limit / 4 : first;
}

/* What the last indexes say of the contents, which may be wrong. 0: they cannot be read. */
static uint64_t original_bytes(sbz_input *input)
{
    char error[SBZ_ERROR];
    uint64_t end = S_ISREG(input->status.st_mode) ? (uint64_t)input->status.st_size : 0, bytes = 0;
    sbz_index index;

    for (int i = 0; i < MAX_INDEXES && end > 0; i++) {
        if (!sbz_index_read(&index, end, sbz_input_read_at, input, error, sizeof error))
            return 0;
        bytes += index.original;
        end = index.start;
        sbz_index_free(&index);
    }
    return bytes;
}

/* Before the pipeline. Only a device takes so long to open that room can be had meanwhile. */
static bool prepare(sbz_run *run)
{
    if (!sbz_session_prepare(run->session, run->reader.block_limit, usual_block(run), USUAL_RATIO * run->input->size))
        return false;
    if (run->session->where != SBZ_CPU)
        sbz_output_expect(run->output, original_bytes(run->input));
    return true;
}

/* The first block is read ahead: how large blocks may be decides on how many threads there is memory for. */
bool sbz_decompress(sbz_run *run)
{
    bool done;

    sbz_reader_init(&run->reader, SBZ_MAX_BLOCK, false, sbz_input_read, run->input);
    run->has_first = next_block(run, &run->first);
    run->ended = !run->has_first;
    done =
        is_foreign(run) ? copy(run) : prepare(run) && sbz_run_pipeline(run, read_block, sbz_decode_slots, write_block);
    end_run(run);
    return done;
}

/* One block after the other: where the search for the next begins depends on whether this one was good. False: no more.
 */
static bool recover_block(sbz_run *run, uint64_t *missing)
{
    static const size_t one[] = {0};
    sbz_job *slot = &run->session->slot[0];

    if (!next_block(run, slot))
        return false;
    if (slot->status == SBZ_EXIT_DONE)
        sbz_decode_slots(run, 0, one, 1);
    if (slot->status == SBZ_EXIT_DONE)
        return write_block(run, 0);
    *missing += 1;
    sbz_run_check(run, slot);
    if (slot->status == SBZ_EXIT_FAILED)
        return false;
    if (!run->reader.broken)
        sbz_reader_damaged(&run->reader);
    return true;
}

bool sbz_recover(sbz_run *run)
{
    uint64_t missing = 0;

    sbz_reader_init(&run->reader, SBZ_MAX_BLOCK, true, sbz_input_read, run->input);
    if (!sbz_session_prepare(run->session, SBZ_MAX_BLOCK, SBZ_MAX_BLOCK, 1) || !sbz_session_start(run->session))
        return false;
    while (recover_block(run, &missing))
        sbz_progress_show(&run->progress, run->input->read, run->output->written);
    if (missing > 0)
        sbz_note("%s: %" PRIu64 " blocks, %" PRIu64 " bytes were intact\n", run->input->name, run->blocks,
                 run->output->written);
    end_run(run);
    return run->blocks > 0;
}
