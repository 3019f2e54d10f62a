/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading an index from the end of a stream: contract in format.h.
 */
#include "layout.h"
#include "allocate.h"
#include <inttypes.h>
#include <stdio.h>

void sbz_index_free(sbz_index *index)
{
    sbz_free(index->entries);
    *index = (sbz_index){0};
}

static sbz_read_status fail(sbz_index *index, sbz_read_status status, uint64_t offset, const char *why)
{
    snprintf(index->error, sizeof index->error, "byte %" PRIu64 ": %s", offset, why);
    return status;
}

static sbz_read_status bad(sbz_index *index, uint64_t offset, const char *why)
{
    return fail(index, SBZ_READ_BAD, offset, why);
}

typedef struct input {
    sbz_read_at read_at;
    void *from;
} input;

/* SBZ_READ_END: they are read. */
static sbz_read_status read_bytes(const input *in, sbz_index *index, uint64_t offset, void *bytes, size_t size)
{
    return in->read_at(in->from, offset, bytes, size) ? SBZ_READ_END
                                                      : fail(index, SBZ_READ_SOURCE, offset, "cannot be read");
}

/* Reads the header of the stream and the head of the index, which must be where the tail says. */
static sbz_read_status read_frame(const input *in, const sbz_tail *tail, sbz_index *index)
{
    const uint64_t index_size = SBZ_INDEX_HEAD + (uint64_t)tail->count * SBZ_INDEX_ENTRY + SBZ_INDEX_TAIL;
    uint8_t header[SBZ_STREAM_HEADER], head[SBZ_INDEX_HEAD];
    uint32_t count;
    const char *why;
    sbz_read_status status;

    if (tail->stream_size > index->end || tail->stream_size < SBZ_STREAM_HEADER + index_size)
        return bad(index, index->end - SBZ_INDEX_TAIL, "an impossible stream size");
    index->start = index->end - tail->stream_size;
    index->count = tail->count;
    status = read_bytes(in, index, index->start, header, sizeof header);
    if (status == SBZ_READ_END)
        status = read_bytes(in, index, index->end - index_size, head, sizeof head);
    if (status != SBZ_READ_END)
        return status;
    if (!sbz_get_stream_header(header, &index->block_limit, &why))
        return bad(index, index->start, why);
    if (!sbz_get_index_head(head, &count, &why))
        return bad(index, index->end - index_size, why);
    return count == tail->count
               ? SBZ_READ_END
               : bad(index, index->end - index_size, "head and tail of the index count different numbers of blocks");
}

/* Takes the entries. False: they are not those of the tail. */
static bool take_entries(const uint8_t *raw, const uint8_t *tail_bytes, const sbz_tail *tail, sbz_index *index)
{
    uint64_t original = 0, encoded = SBZ_STREAM_HEADER + SBZ_INDEX_HEAD + SBZ_INDEX_TAIL;

    for (uint32_t i = 0; i < tail->count; i++) {
        if (!sbz_get_index_entry(raw + (size_t)i * SBZ_INDEX_ENTRY, index->block_limit, &index->entries[i]))
            return false;
        original += index->entries[i].original;
        encoded += SBZ_BLOCK_HEADER + index->entries[i].encoded + SBZ_INDEX_ENTRY;
    }
    return sbz_tail_sums(tail_bytes, sbz_checksum(0, raw, (size_t)tail->count * SBZ_INDEX_ENTRY)) &&
           original == tail->original && encoded == tail->stream_size;
}

static sbz_read_status read_entries(const input *in, const uint8_t *tail_bytes, const sbz_tail *tail, sbz_index *index)
{
    const size_t bytes = (size_t)tail->count * SBZ_INDEX_ENTRY;
    const uint64_t first = index->end - SBZ_INDEX_TAIL - bytes;
    uint8_t *raw = sbz_malloc(bytes + 1);
    sbz_read_status status;

    index->entries = sbz_calloc((size_t)tail->count + 1, sizeof *index->entries);
    if (raw == NULL || index->entries == NULL)
        status = fail(index, SBZ_READ_MEMORY, first, "out of memory for the index");
    else
        status = read_bytes(in, index, first, raw, bytes);
    if (status == SBZ_READ_END && !take_entries(raw, tail_bytes, tail, index))
        status = bad(index, first, "the index is damaged");
    sbz_free(raw);
    return status;
}

static sbz_read_status read_long(const input *in, sbz_index *index)
{
    uint8_t bytes[SBZ_INDEX_TAIL];
    sbz_tail tail;
    const char *why;
    sbz_read_status status;

    if (index->end < SBZ_INDEX_TAIL)
        return bad(index, 0, "too short for a stream");
    status = read_bytes(in, index, index->end - SBZ_INDEX_TAIL, bytes, sizeof bytes);
    if (status != SBZ_READ_END)
        return status;
    if (!sbz_get_tail(bytes, &tail, &why))
        return bad(index, index->end - SBZ_INDEX_TAIL, why);
    index->original = tail.original;
    index->checksum = tail.checksum;
    status = read_frame(in, &tail, index);
    index->first = index->start + SBZ_STREAM_HEADER;
    return status == SBZ_READ_END ? read_entries(in, bytes, &tail, index) : status;
}

/* What the first bytes of a reduced payload say. */
static sbz_read_status read_reduction(const input *in, sbz_index *index, sbz_block *block)
{
    const uint64_t at = index->start + SBZ_SHORT_HEADER;
    uint8_t bytes[SBZ_REDUCTION_HEAD];
    const char *why;
    sbz_read_status status;

    if (block->reduction == SBZ_REDUCTION_NONE)
        return SBZ_READ_END;
    status = read_bytes(in, index, at, bytes, sizeof bytes);
    if (status == SBZ_READ_END && !sbz_get_reduction(bytes, block->original, block, &why))
        return bad(index, at, why);
    return status;
}

/* A short stream with this tail: its header has all that an index says. */
static sbz_read_status read_short(const input *in, uint32_t encoded, sbz_index *index)
{
    const uint64_t size = SBZ_SHORT_HEADER + (uint64_t)encoded + SBZ_SHORT_TAIL, tail = index->end - SBZ_SHORT_TAIL;
    uint8_t header[SBZ_SHORT_HEADER];
    sbz_block block;
    const char *why;
    sbz_read_status status;

    if (size > index->end)
        return bad(index, tail, "an impossible payload size");
    index->start = index->first = index->end - size;
    status = read_bytes(in, index, index->start, header, sizeof header);
    if (status != SBZ_READ_END)
        return status;
    if (!sbz_get_short_header(header, &block, &why))
        return bad(index, index->start, why);
    if (block.encoded != encoded)
        return bad(index, tail, "the end of the stream has another payload size than its header");
    status = read_reduction(in, index, &block);
    if (status != SBZ_READ_END)
        return status;
    index->entries = sbz_calloc(1, sizeof *index->entries);
    if (index->entries == NULL)
        return fail(index, SBZ_READ_MEMORY, index->start, "out of memory for the index");
    index->entries[0] = block;
    index->count = block.original != 0;
    index->block_limit = block.original;
    index->original = block.original;
    index->checksum = block.checksum;
    return SBZ_READ_END;
}

/* Moves `end` before the notes that end there. */
static sbz_read_status skip_notes(const input *in, sbz_index *index, uint64_t *end)
{
    uint8_t tail[SBZ_NOTE_TAIL], header[SBZ_NOTE_HEADER];
    uint64_t checksum;
    uint32_t kind, size, own;
    const char *why;

    while (*end >= SBZ_NOTE_TAIL) {
        sbz_read_status status = read_bytes(in, index, *end - SBZ_NOTE_TAIL, tail, sizeof tail);

        if (status != SBZ_READ_END || !sbz_get_note_tail(tail, &checksum, &size))
            return status;
        if (*end < SBZ_NOTE_HEADER + (uint64_t)size + SBZ_NOTE_TAIL)
            return bad(index, *end - SBZ_NOTE_TAIL, "an impossible size of a note");
        *end -= SBZ_NOTE_HEADER + (uint64_t)size + SBZ_NOTE_TAIL;
        status = read_bytes(in, index, *end, header, sizeof header);
        if (status != SBZ_READ_END)
            return status;
        if (!sbz_get_note_header(header, &kind, &own, &why))
            return bad(index, *end, why);
        if (own != size)
            return bad(index, *end, "the note is damaged");
    }
    return SBZ_READ_END;
}

sbz_read_status sbz_index_read(sbz_index *index, uint64_t end, sbz_read_at read_at, void *from)
{
    const input in = {read_at, from};
    uint8_t tail[SBZ_SHORT_TAIL];
    uint32_t encoded;
    sbz_read_status status;

    *index = (sbz_index){0};
    status = skip_notes(&in, index, &end);
    index->end = end;
    if (status == SBZ_READ_END && end < SBZ_SHORT_TAIL)
        return bad(index, 0, "too short for a stream");
    if (status == SBZ_READ_END)
        status = read_bytes(&in, index, end - SBZ_SHORT_TAIL, tail, sizeof tail);
    if (status != SBZ_READ_END)
        return status;
    status = sbz_get_short_tail(tail, &encoded) ? read_short(&in, encoded, index) : read_long(&in, index);
    index->before = index->start;
    if (status == SBZ_READ_END)
        status = skip_notes(&in, index, &index->before);
    if (status != SBZ_READ_END) {
        sbz_free(index->entries);
        index->entries = NULL;
    }
    return status;
}

sbz_read_status sbz_index_block(const sbz_index *index, const sbz_block *entry, uint64_t offset, sbz_read_at read_at,
                                void *from, sbz_record *record, const char **why)
{
    const bool is_short = index->first == index->start; /* the header of the stream is that of the block */
    const size_t header = is_short ? SBZ_SHORT_HEADER : SBZ_BLOCK_HEADER;
    sbz_block *block = &record->block;
    uint8_t bytes[SBZ_BLOCK_HEADER];

    *why = "the block is not that of the index";
    record->offset = offset;
    if (!read_at(from, offset, bytes, header))
        return SBZ_READ_SOURCE;
    if (!(is_short ? sbz_get_short_header(bytes, block, why)
                   : sbz_get_block_header(bytes, index->block_limit, block, why)) ||
        block->original != entry->original || block->encoded != entry->encoded)
        return SBZ_READ_BAD;
    if (!sbz_record_reserve(record, block->encoded))
        return SBZ_READ_MEMORY;
    if (!read_at(from, offset + header, record->payload, block->encoded))
        return SBZ_READ_SOURCE;
    return block->reduction == SBZ_REDUCTION_NONE || sbz_get_reduction(record->payload, index->block_limit, block, why)
               ? SBZ_READ_BLOCK
               : SBZ_READ_BAD;
}
