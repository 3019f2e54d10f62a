/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Compressing a file: blocks are cut by the reader, encoded in any order, written in theirs.
 */
#include "session.h"
#include <string.h>

/* Room for as much of a block as can come. */
static size_t room(const sbz_run *run)
{
    size_t block = run->session->options->block;
    uint64_t left = run->input->size - run->input->read;

    return run->input->size == 0 || left + 1 > block ? block : (size_t)left + 1;
}

static bool read_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_piece *slot = &run->session->slot[number];
    size_t wanted = run->session->options->block;
    ptrdiff_t got = 1;

    slot->status = SBZ_EXIT_DONE;
    slot->text.size = 0;
    if (run->ended)
        return false;
    if (!sbz_text_reserve(&slot->text, room(run))) {
        sbz_piece_fail(slot, SBZ_EXIT_FAILED, "out of memory");
        return run->ended = true;
    }
    wanted = slot->text.capacity < wanted ? slot->text.capacity : wanted;
    while (got > 0 && slot->text.size < wanted) {
        got = sbz_input_read(run->input, slot->text.data + slot->text.size, wanted - slot->text.size);
        if (got > 0)
            slot->text.size += (size_t)got;
    }
    run->ended = got <= 0;
    if (got < 0)
        sbz_piece_fail(slot, SBZ_EXIT_FAILED, run->input->error);
    return got < 0 || slot->text.size > 0;
}

/* What the sink has against it, it has said. */
static bool written(const sbz_run *run, sbz_write_status status)
{
    if (status == SBZ_WRITE_MEMORY)
        return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", run->input->name);
    return status == SBZ_WRITTEN;
}

static bool write_block(void *argument, size_t number)
{
    sbz_run *run = argument;
    sbz_piece *slot = &run->session->slot[number];

    run->blocks++;
    return sbz_run_check(run, slot) && written(run, sbz_writer_block(&run->writer, &slot->record));
}

bool sbz_compress(sbz_run *run)
{
    bool done;

    if (!sbz_session_prepare(run->session, run->session->options->block, run->input->size))
        return false;
    sbz_writer_init(&run->writer, run->session->options->block, sbz_output_write, run->output);
    done =
        sbz_run_pipeline(run, read_block, sbz_encode_slots, write_block) && written(run, sbz_writer_end(&run->writer));
    sbz_writer_free(&run->writer);
    return done;
}
