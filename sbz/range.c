/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Decompressing a part of a file: the indexes say which blocks hold it, and only these are read.
 */
#include "session.h"
#include "layout.h"
#include "memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of the contents that are wanted, and of those before: the offset of the block that is looked at. */
typedef struct range {
    uint64_t first, last; /* last: behind the last one */
    uint64_t at;
} range;

/* The ends of all streams, the last stream first. False: the error is reported. */
static bool find_streams(sbz_input *input, uint64_t **ends, size_t *count, uint64_t *original)
{
    const uint64_t last = sbz_input_end(input);
    uint64_t end = last > 0 ? last : (uint64_t)input->status.st_size, before, *grown;
    sbz_index index;

    do {
        const sbz_read_status status = sbz_index_read(&index, end, sbz_input_read_at, input);

        if (status != SBZ_READ_END)
            return sbz_fail(status == SBZ_READ_MEMORY ? SBZ_EXIT_FAILED : SBZ_EXIT_DAMAGED, "%s: %s", input->name,
                            index.error);
        *original += index.original;
        before = index.before;
        sbz_index_free(&index);
        grown = realloc(*ends, (*count + 1) * sizeof **ends);
        if (grown == NULL)
            return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", input->name);
        *ends = grown;
        grown[(*count)++] = end;
        end = before;
    } while (end > 0);
    return true;
}

static bool damaged(const sbz_run *run, uint64_t offset, const char *why)
{
    return sbz_fail(SBZ_EXIT_DAMAGED, "%s: byte %" PRIu64 ": %s", run->input->name, offset, why);
}

/* Reads the block of an entry, whose header begins at `offset`. */
static bool read_block(sbz_run *run, const sbz_index *index, const sbz_block *entry, uint64_t offset,
                       sbz_record *record)
{
    uint64_t need;
    const char *why;

    switch (sbz_index_block(index, entry, offset, sbz_input_read_at, run->input, record, &why)) {
    case SBZ_READ_BLOCK:
        break;
    case SBZ_READ_SOURCE:
        return sbz_fail(SBZ_EXIT_FAILED, "%s: %s", run->input->name, run->input->error);
    case SBZ_READ_MEMORY:
        return sbz_fail(SBZ_EXIT_FAILED, "%s: out of memory", run->input->name);
    default:
        return damaged(run, offset, why);
    }
    need = sbz_memory_need(&record->block);
    return need <= run->session->options->memory ||
           sbz_fail(SBZ_EXIT_FAILED, "%s: byte %" PRIu64 ": needs %" PRIu64 " MiB of memory", run->input->name, offset,
                    sbz_mebibytes(need));
}

/* Decodes the block and writes what of it is in the range. */
static bool write_part(sbz_run *run, const range *r, const sbz_block *entry)
{
    static const size_t one[] = {0};
    sbz_job *slot = &run->session->slot[0];
    const uint64_t from = r->first > r->at ? r->first - r->at : 0,
                   to = r->last - r->at < entry->original ? r->last - r->at : entry->original;

    slot->status = SBZ_EXIT_DONE;
    sbz_decode_slots(run, 0, one, 1);
    run->blocks++;
    return sbz_run_check(run, slot) && sbz_output_write(run->output, slot->text.data + from, (size_t)(to - from));
}

static bool write_stream(sbz_run *run, range *r, const sbz_index *index)
{
    uint64_t offset = index->first;

    for (uint32_t i = 0; i < index->count && r->at < r->last; i++) {
        const sbz_block *entry = &index->entries[i];

        run->session->slot[0].record.number = i + 1;
        if (r->at + entry->original > r->first &&
            (!read_block(run, index, entry, offset, &run->session->slot[0].record) || !write_part(run, r, entry)))
            return false;
        offset += SBZ_BLOCK_HEADER + entry->encoded;
        r->at += entry->original;
    }
    return true;
}

static bool write_streams(sbz_run *run, const uint64_t *ends, size_t count, range *r)
{
    bool done = true;

    while (done && count-- > 0 && r->at < r->last) {
        sbz_index index;

        if (sbz_index_read(&index, ends[count], sbz_input_read_at, run->input) != SBZ_READ_END)
            return sbz_fail(SBZ_EXIT_DAMAGED, "%s: %s", run->input->name, index.error);
        if (r->at + index.original > r->first)
            done = write_stream(run, r, &index);
        else
            r->at += index.original;
        sbz_index_free(&index);
    }
    return done;
}

bool sbz_run_range(sbz_run *run)
{
    const sbz_options *options = run->session->options;
    range r = {.first = options->range_first};
    uint64_t *ends = NULL, original = 0;
    size_t count = 0;
    bool done = false;

    if (!S_ISREG(run->input->status.st_mode))
        return sbz_fail(SBZ_EXIT_FAILED, "%s: is not a regular file: --range cannot read its index", run->input->name);
    if (!find_streams(run->input, &ends, &count, &original)) {
        free(ends);
        return false;
    }
    r.last = options->range_length < UINT64_MAX - r.first ? r.first + options->range_length : UINT64_MAX;
    if (r.first > original)
        sbz_fail(SBZ_EXIT_FAILED, "%s: --range: the contents have %" PRIu64 " bytes", run->input->name, original);
    else
        done = sbz_session_prepare(run->session, SBZ_MAX_BLOCK, SBZ_MAX_BLOCK, 1) && sbz_session_start(run->session) &&
               write_streams(run, ends, count, &r);
    free(ends);
    return done;
}
