/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Compressing a file: the reader splits the input into texts, workers encode them in any order, the writer writes the
 * blocks in order.
 */
#include "metadata.h"
#include "session.h"
#include "stages.h"

static bool read_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_job *slot = &run->session->slot[number];
    sbz_split_status status;

    slot->status = SBZ_EXIT_DONE;
    if (run->ended)
        return false;
    status = sbz_splitter_next(&run->splitter, &slot->text);
    slot->text.look = NULL;
    if (status == SBZ_SPLIT_MEMORY)
        sbz_job_fail(slot, SBZ_EXIT_FAILED, "out of memory");
    if (status == SBZ_SPLIT_SOURCE)
        sbz_job_fail(slot, SBZ_EXIT_FAILED, run->input->error);
    if (status == SBZ_SPLIT_BLOCK)
        /* its blocks take no more than itself */
        sbz_session_hold(run->session, slot, 2 * (uint64_t)slot->text.size, 0);
    run->ended = status != SBZ_SPLIT_BLOCK;
    return status != SBZ_SPLIT_END;
}

static void look_at_text(void *argument, size_t number)
{
    sbz_job *slot = &((sbz_run *)argument)->session->slot[number];

    if (slot->status != SBZ_EXIT_DONE)
        return;
    sbz_trial_look(&slot->text, &slot->look);
    slot->text.look = &slot->look;
}

static uint64_t block_bytes(void *argument, size_t number)
{
    const sbz_text *text = &((sbz_run *)argument)->session->slot[number].text;

    return text->runs != 0 ? text->runs : text->size;
}

/* The sink reports its own errors. */
static bool written(const sbz_run *run, sbz_write_status status)
{
    if (status == SBZ_WRITE_MEMORY)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", run->input->name);
    return status == SBZ_WRITTEN;
}

static bool write_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_job *slot = &run->session->slot[number];

    if (!sbz_run_check(run, slot))
        return false;
    for (size_t i = 0; i < slot->blocks.count; i++, run->blocks++)
        if (!written(run, sbz_writer_block(&run->writer, &slot->blocks.record[i])))
            return false;
    run->finished += slot->text.size;
    sbz_session_let_go(run->session, slot);
    return true;
}

/* Bytes: of less, most is read before the first text can be looked at. */
enum { MIN_AHEAD = 4 << 20 };

/* Texts are longer than usual only if sbz chooses the stages: the gain depends on that choice. */
static void begin(sbz_run *run)
{
    const sbz_options *options = run->session->options;
    bool runs;
    const bool open = sbz_stages_open(options->stages, &runs);
    const uint32_t limit = open ? options->limit : options->block;

    const bool reads_ahead = options->threads > 1 && (run->input->size == 0 || run->input->size >= MIN_AHEAD);

    if (reads_ahead)
        sbz_read_ahead_begin(&run->ahead, sbz_input_read, run->input);
    sbz_splitter_init(&run->splitter, options->block, limit, run->input->size != 0 ? run->input->size : UINT64_MAX,
                      reads_ahead ? sbz_read_ahead_take : sbz_input_read,
                      reads_ahead ? (void *)&run->ahead : run->input);
    run->splitter.runs = runs;
    run->splitter.open = open;
    run->splitter.rsyncable = options->rsyncable;
    run->splitter.part = open ? options->block : 0;
    run->splitter.split = open ? options->split : 0;
    run->splitter.measured = options->measured;
    run->splitter.mixed = options->mixed;
    run->splitter.patient = options->patient;
    sbz_writer_init(&run->writer, limit, sbz_output_write, run->output);
}

static bool write_metadata(const sbz_run *run)
{
    uint8_t note[SBZ_METADATA];

    return sbz_output_write(run->output, note, sbz_metadata_make(run->input, note));
}

bool sbz_run_compress(sbz_run *run)
{
    const sbz_options *options = run->session->options;
    bool done;

    begin(run);
    done = (!options->named || write_metadata(run)) &&
           sbz_session_prepare(run->session, options->limit, sbz_splitter_typical(&run->splitter), run->input->size) &&
           sbz_run_pipeline(run, read_block, look_at_text, block_bytes, sbz_encode_slots, write_block) &&
           written(run, sbz_writer_end(&run->writer));
    sbz_read_ahead_end(&run->ahead);
    sbz_splitter_free(&run->splitter);
    sbz_writer_free(&run->writer);
    return done;
}
