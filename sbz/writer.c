/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Writing streams: contract in format.h.
 */
#include "layout.h"
#include "allocate.h"
#include <string.h>

void sbz_record_free(sbz_record *record)
{
    sbz_free(record->payload);
    *record = (sbz_record){0};
}

bool sbz_record_reserve(sbz_record *record, size_t bytes)
{
    if (bytes <= record->capacity)
        return true;
    sbz_free(record->payload);
    record->payload = sbz_malloc(bytes);
    record->capacity = record->payload != NULL ? bytes : 0;
    return record->payload != NULL;
}

void sbz_writer_init(sbz_writer *writer, uint32_t block_limit, sbz_sink sink, void *to)
{
    *writer = (sbz_writer){.sink = sink, .to = to, .block_limit = block_limit};
}

void sbz_writer_free(sbz_writer *writer)
{
    sbz_free(writer->entries);
    writer->entries = NULL;
    writer->capacity = 0;
    sbz_record_free(&writer->held);
}

static bool write_bytes(sbz_writer *writer, const void *bytes, size_t size)
{
    if (size != 0 && !writer->sink(writer->to, bytes, size))
        return false;
    writer->written += size;
    return true;
}

/* Both forms of a stream begin with the same bytes. They are written at once, so that an output that fails is seen before
 * the input goes on. */
static bool begin(sbz_writer *writer)
{
    uint8_t header[SBZ_STREAM_HEADER];

    if (writer->in_stream)
        return true;
    writer->in_stream = writer->holds = true;
    writer->stream_start = writer->written;
    writer->original = writer->checksum = writer->count = 0;
    sbz_put_stream_header(header, writer->block_limit);
    return write_bytes(writer, header, SBZ_FORM);
}

static bool add_entry(sbz_writer *writer, const sbz_block *block)
{
    if (writer->count == writer->capacity) {
        size_t capacity = writer->capacity != 0 ? 2 * writer->capacity : 64;
        uint8_t *grown = sbz_realloc(writer->entries, capacity * SBZ_INDEX_ENTRY);

        if (grown == NULL)
            return false;
        writer->entries = grown;
        writer->capacity = capacity;
    }
    sbz_put_index_entry(writer->entries + writer->count++ * SBZ_INDEX_ENTRY, block);
    return true;
}

static bool hold(sbz_writer *writer, const sbz_block *block, const uint8_t *payload)
{
    if (!sbz_record_reserve(&writer->held, block->encoded))
        return false;
    writer->held.block = *block;
    memcpy(writer->held.payload, payload, block->encoded);
    return true;
}

static bool write_block(sbz_writer *writer, const sbz_block *block, const uint8_t *payload)
{
    uint8_t header[SBZ_BLOCK_HEADER];

    sbz_put_block_header(header, block);
    return write_bytes(writer, header, sizeof header) && write_bytes(writer, payload, block->encoded);
}

/* Writes the rest of the header of the stream, and the block that was held back, as the first of several. */
static bool release(sbz_writer *writer)
{
    uint8_t header[SBZ_STREAM_HEADER];
    bool done;

    if (!writer->holds)
        return true;
    sbz_put_stream_header(header, writer->block_limit);
    done = write_bytes(writer, header + SBZ_FORM, sizeof header - SBZ_FORM) &&
           write_block(writer, &writer->held.block, writer->held.payload);
    sbz_record_free(&writer->held);
    writer->holds = false;
    return done;
}

sbz_write_status sbz_writer_block(sbz_writer *writer, const sbz_record *record)
{
    sbz_block block = record->block;

    if (writer->in_stream && writer->count == SBZ_MAX_BLOCKS) {
        sbz_write_status status = sbz_writer_end(writer);

        if (status != SBZ_WRITTEN)
            return status;
    }
    if (!begin(writer))
        return SBZ_WRITE_SINK;
    block.position = writer->original;
    if (!add_entry(writer, &block))
        return SBZ_WRITE_MEMORY;
    writer->original += block.original;
    writer->checksum = sbz_checksum_join(writer->checksum, block.checksum, block.original);
    if (writer->count == 1)
        return hold(writer, &block, record->payload) ? SBZ_WRITTEN : SBZ_WRITE_MEMORY;
    return release(writer) && write_block(writer, &block, record->payload) ? SBZ_WRITTEN : SBZ_WRITE_SINK;
}

sbz_write_status sbz_writer_flush(sbz_writer *writer)
{
    return !writer->in_stream || release(writer) ? SBZ_WRITTEN : SBZ_WRITE_SINK;
}

static bool write_short(sbz_writer *writer)
{
    static const sbz_block none = {0};
    const sbz_block *block = writer->count != 0 ? &writer->held.block : &none;
    uint8_t header[SBZ_SHORT_HEADER], tail[SBZ_SHORT_TAIL];

    sbz_put_short_header(header, block);
    sbz_put_short_tail(tail, block->encoded);
    return write_bytes(writer, header + SBZ_FORM, sizeof header - SBZ_FORM) &&
           write_bytes(writer, writer->held.payload, block->encoded) && write_bytes(writer, tail, sizeof tail);
}

static bool write_index(sbz_writer *writer)
{
    const size_t bytes = writer->count * SBZ_INDEX_ENTRY;
    uint8_t head[SBZ_INDEX_HEAD], tail[SBZ_INDEX_TAIL];

    sbz_put_index_head(head, (uint32_t)writer->count);
    sbz_put_tail(tail,
                 &(sbz_tail){
                     .original = writer->original,
                     .checksum = writer->checksum,
                     .stream_size = writer->written - writer->stream_start + sizeof head + bytes + sizeof tail,
                     .count = (uint32_t)writer->count,
                 },
                 sbz_checksum(0, writer->entries, bytes));
    return write_bytes(writer, head, sizeof head) && write_bytes(writer, writer->entries, bytes) &&
           write_bytes(writer, tail, sizeof tail);
}

sbz_write_status sbz_writer_end(sbz_writer *writer)
{
    if (!begin(writer) || !(writer->holds ? write_short(writer) : write_index(writer)))
        return SBZ_WRITE_SINK;
    writer->in_stream = false;
    return SBZ_WRITTEN;
}

uint64_t sbz_max_size(uint64_t original, uint32_t block)
{
    const uint64_t frame = SBZ_STREAM_HEADER + SBZ_INDEX_HEAD + SBZ_INDEX_TAIL,
                   per_block = SBZ_BLOCK_HEADER + SBZ_INDEX_ENTRY;
    const uint64_t blocks = original / block + (original % block != 0);
    const uint64_t full = blocks == 0 ? 0 : (blocks - 1) / SBZ_MAX_BLOCKS; /* streams, all but the last */
    const uint64_t last = blocks - full * SBZ_MAX_BLOCKS;

    return original + full * (frame + SBZ_MAX_BLOCKS * per_block) +
           (last <= 1 ? SBZ_SHORT_HEADER + SBZ_SHORT_TAIL : frame + last * per_block);
}
