/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading streams in one pass: contract in format.h.
 *
 * All bytes are checked in the window before they are consumed. A payload stays in the window until the next call, so
 * that recovery can search inside it.
 */
#include "layout.h"
#include "allocate.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = 1 << 16 }; /* bytes that the window has at least; not tuned */

void sbz_reader_init(sbz_reader *reader, uint32_t max_block, bool recover, sbz_source source, void *from)
{
    *reader = (sbz_reader){.source = source, .from = from, .recover = recover, .max_block = max_block};
}

void sbz_reader_free(sbz_reader *reader)
{
    sbz_free(reader->window);
    reader->window = NULL;
    reader->capacity = reader->at = reader->filled = 0;
}

static sbz_read_status bad(sbz_reader *reader, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static sbz_read_status bad(sbz_reader *reader, uint64_t offset, const char *format, ...)
{
    va_list arguments;
    int length = snprintf(reader->error, sizeof reader->error, "block %" PRIu64 ", byte %" PRIu64 ": ",
                          reader->number + 1, offset);

    va_start(arguments, format);
    vsnprintf(reader->error + length, sizeof reader->error - (size_t)length, format, arguments);
    va_end(arguments);
    reader->broken = true;
    reader->retry = false;
    return SBZ_READ_BAD;
}

/* The part that comes next is valid: recovery must not skip it. */
static sbz_read_status retry(sbz_reader *reader, sbz_read_status status)
{
    reader->retry = true;
    return status;
}

static size_t have(const sbz_reader *reader)
{
    return reader->filled - reader->at;
}

static void consume(sbz_reader *reader, size_t bytes)
{
    reader->at += bytes;
    reader->offset += bytes;
}

/* Moves the bytes of the window to its front and makes sure that one more fits. The capacity is at most twice what has
 * arrived, whatever a header claims. */
static bool make_space(sbz_reader *reader, size_t wanted)
{
    const size_t kept = have(reader);
    size_t capacity = 2 * kept > WINDOW ? 2 * kept : WINDOW;
    uint8_t *grown;

    if (reader->at > 0)
        memmove(reader->window, reader->window + reader->at, kept);
    reader->at = 0;
    reader->filled = kept;
    if (reader->filled < reader->capacity)
        return true;
    capacity = wanted > WINDOW && wanted < capacity ? wanted : capacity;
    grown = sbz_realloc(reader->window, capacity);
    if (grown == NULL)
        return false;
    reader->window = grown;
    reader->capacity = capacity;
    return true;
}

/* Reads until the window holds `wanted` bytes, or the input ends. SBZ_READ_BLOCK: no error. */
static sbz_read_status fill(sbz_reader *reader, size_t wanted)
{
    while (have(reader) < wanted && !reader->ended) {
        ptrdiff_t got;

        if ((reader->capacity == 0 || reader->at + wanted > reader->capacity) && !make_space(reader, wanted))
            return SBZ_READ_MEMORY;
        got = reader->source(reader->from, reader->window + reader->filled, reader->capacity - reader->filled);
        if (got < 0)
            return SBZ_READ_SOURCE;
        reader->filled += (size_t)got;
        reader->ended = got == 0;
    }
    return SBZ_READ_BLOCK;
}

/* As fill, but the end of the input is an error. */
static sbz_read_status need(sbz_reader *reader, size_t wanted, const char *what)
{
    sbz_read_status status = fill(reader, wanted);

    if (status == SBZ_READ_BLOCK && have(reader) < wanted)
        return bad(reader, reader->offset + have(reader), "the input ends inside %s", what);
    return status;
}

static const uint8_t *here(const sbz_reader *reader)
{
    return reader->window + reader->at;
}

static bool at_magic(const sbz_reader *reader, const uint8_t magic[SBZ_MAGIC])
{
    return have(reader) >= SBZ_MAGIC && memcmp(here(reader), magic, SBZ_MAGIC) == 0;
}

/* The header of a stream, which is in the window. The header of a short one stays there, since it is that of its block,
 * too. */
static sbz_read_status take_stream_header(sbz_reader *reader)
{
    const bool is_short = sbz_is_short(here(reader), have(reader));
    sbz_block block = {0};
    uint32_t limit;
    const char *why;

    if (is_short ? !sbz_get_short_header(here(reader), &block, &why)
                 : !sbz_get_stream_header(here(reader), &limit, &why))
        return bad(reader, reader->offset, "%s", why);
    limit = is_short ? block.original : limit;
    if (limit > reader->max_block)
        return bad(reader, reader->offset, "blocks may have %" PRIu32 " bytes, more than the %" PRIu32 " allowed",
                   limit, reader->max_block);
    reader->in_stream = true;
    reader->streams++;
    reader->is_short = is_short;
    reader->at_tail = is_short && block.original == 0;
    reader->short_encoded = block.encoded;
    reader->block_limit = limit;
    reader->stream_start = reader->offset;
    reader->blocks = reader->original = reader->checksum = reader->index_checksum = 0;
    consume(reader, !is_short ? SBZ_STREAM_HEADER : reader->at_tail ? SBZ_SHORT_HEADER : 0);
    return SBZ_READ_BLOCK;
}

static sbz_read_status read_stream_header(sbz_reader *reader)
{
    sbz_read_status status = fill(reader, SBZ_STREAM_HEADER);

    if (status == SBZ_READ_BLOCK && !sbz_is_stream(here(reader), have(reader)))
        return bad(reader, reader->offset, "not the header of a stream"); /* a better message than that it is short */
    if (status == SBZ_READ_BLOCK)
        status = need(reader, sbz_is_short(here(reader), have(reader)) ? SBZ_SHORT_HEADER : SBZ_STREAM_HEADER,
                      "the header of a stream");
    return status == SBZ_READ_BLOCK ? take_stream_header(reader) : status;
}

/* Adds a block to what the index must say. */
static void count_block(sbz_reader *reader, const sbz_block *block)
{
    uint8_t entry[SBZ_INDEX_ENTRY];

    sbz_put_index_entry(entry, block);
    reader->index_checksum = sbz_checksum(reader->index_checksum, entry, sizeof entry);
    reader->checksum = sbz_checksum_join(reader->checksum, block->checksum, block->original);
    reader->original += block->original;
    reader->blocks++;
}

/* Refuses a block that needs too much memory. */
static sbz_read_status weigh(sbz_reader *reader, const sbz_block *block)
{
    reader->needed = reader->need != NULL ? reader->need(block) : 0;
    if (reader->need == NULL || reader->needed <= reader->max_need)
        return SBZ_READ_BLOCK;
    bad(reader, reader->offset, "needs %" PRIu64 " MiB of memory, and the limit is %" PRIu64 " MiB",
        sbz_mebibytes(reader->needed), reader->max_need >> 20);
    return SBZ_READ_LIMIT;
}

/* Takes a block whose header, of `header` bytes, is in the window and was parsed into the record. What it needs is known, and
 * told, before its payload is read: that depends on the bytes before a reduced payload, too. */
static sbz_read_status take_block(sbz_reader *reader, size_t header, sbz_record *record)
{
    const char *why;
    sbz_block *block = &record->block;
    sbz_read_status status;

    if (reader->tired) {
        bad(reader, reader->offset, "not tried, because damaged blocks take too much time");
        return SBZ_READ_TIRED;
    }
    status = need(reader, header + (block->reduction != SBZ_REDUCTION_NONE ? SBZ_REDUCTION_HEAD : 0), "a block");
    if (status != SBZ_READ_BLOCK)
        return status;
    if (block->reduction != SBZ_REDUCTION_NONE &&
        !sbz_get_reduction(here(reader) + header, reader->block_limit, block, &why))
        return bad(reader, reader->offset + header, "%s", why);
    status = weigh(reader, block);
    if (status == SBZ_READ_BLOCK)
        status = need(reader, header + block->encoded, "a block");
    if (status != SBZ_READ_BLOCK)
        return status;
    if (!sbz_record_reserve(record, block->encoded))
        return SBZ_READ_MEMORY;
    memcpy(record->payload, here(reader) + header, block->encoded);
    record->number = ++reader->number;
    record->offset = reader->offset;
    reader->held_payload = header + block->encoded;
    count_block(reader, block);
    return SBZ_READ_BLOCK;
}

static sbz_read_status read_short_block(sbz_reader *reader, sbz_record *record)
{
    const char *why;
    sbz_read_status status;

    if (!sbz_get_short_header(here(reader), &record->block, &why))
        return bad(reader, reader->offset, "%s", why);
    status = take_block(reader, SBZ_SHORT_HEADER, record);
    reader->at_tail = status == SBZ_READ_BLOCK;
    return status;
}

static sbz_read_status read_block(sbz_reader *reader, sbz_record *record)
{
    const char *why;
    const sbz_block *block = &record->block;
    sbz_read_status status = need(reader, SBZ_BLOCK_HEADER, "the header of a block");

    if (status != SBZ_READ_BLOCK)
        return status;
    if (!sbz_get_block_header(here(reader), reader->block_limit, &record->block, &why))
        return bad(reader, reader->offset, "%s", why);
    if (block->position != reader->original) {
        uint64_t expected = reader->original;

        reader->original = block->position; /* recovery continues from here */
        return retry(reader, bad(reader, reader->offset, "holds the contents from byte %" PRIu64 " on, not %" PRIu64,
                                 block->position, expected));
    }
    if (reader->blocks == SBZ_MAX_BLOCKS)
        return bad(reader, reader->offset, "more blocks than the format allows");
    return take_block(reader, SBZ_BLOCK_HEADER, record);
}

/* Ends the stream, which is over whether the index is right or not. */
static sbz_read_status read_index_head(sbz_reader *reader)
{
    uint32_t count;
    const char *why;
    sbz_read_status status = need(reader, SBZ_INDEX_HEAD, "the head of an index");

    if (status != SBZ_READ_BLOCK)
        return status;
    if (!sbz_get_index_head(here(reader), &count, &why))
        return bad(reader, reader->offset, "%s", why);
    if (count != reader->blocks) {
        reader->in_stream = false;
        return bad(reader, reader->offset, "the index counts %" PRIu32 " blocks, but there were %" PRIu64, count,
                   reader->blocks);
    }
    reader->index_start = reader->offset;
    reader->entries_left = (uint64_t)count * SBZ_INDEX_ENTRY;
    reader->entries_checksum = 0;
    reader->in_entries = true;
    consume(reader, SBZ_INDEX_HEAD);
    return SBZ_READ_BLOCK;
}

static sbz_read_status skip_entries(sbz_reader *reader)
{
    while (reader->entries_left > 0) {
        sbz_read_status status = need(reader, 1, "an index");
        size_t now = have(reader) < reader->entries_left ? have(reader) : (size_t)reader->entries_left;

        if (status != SBZ_READ_BLOCK)
            return status;
        reader->entries_checksum = sbz_checksum(reader->entries_checksum, here(reader), now);
        consume(reader, now);
        reader->entries_left -= now;
    }
    return SBZ_READ_BLOCK;
}

/* SBZ_READ_END: the stream has ended. */
static sbz_read_status read_index_tail(sbz_reader *reader)
{
    sbz_tail tail;
    const char *why;
    sbz_read_status status = need(reader, SBZ_INDEX_TAIL, "an index");

    if (status != SBZ_READ_BLOCK)
        return status;
    reader->in_stream = reader->in_entries = false;
    if (!sbz_get_tail(here(reader), &tail, &why))
        return bad(reader, reader->offset, "%s", why);
    if (!sbz_tail_sums(here(reader), reader->entries_checksum))
        return bad(reader, reader->offset, "the index is damaged");
    consume(reader, SBZ_INDEX_TAIL);
    if (reader->entries_checksum != reader->index_checksum || tail.count != reader->blocks ||
        tail.original != reader->original || tail.stream_size != reader->offset - reader->stream_start)
        return retry(reader, bad(reader, reader->index_start, "the index is not that of the blocks before it"));
    if (tail.checksum != reader->checksum)
        return retry(reader, bad(reader, reader->index_start, "the checksum of the whole contents differs"));
    return SBZ_READ_END;
}

/* SBZ_READ_END: the stream has ended. */
static sbz_read_status read_index(sbz_reader *reader)
{
    sbz_read_status status = reader->in_entries ? SBZ_READ_BLOCK : read_index_head(reader);

    if (status == SBZ_READ_BLOCK)
        status = skip_entries(reader);
    return status == SBZ_READ_BLOCK ? read_index_tail(reader) : status;
}

/* SBZ_READ_END: the stream has ended. */
static sbz_read_status read_short_tail(sbz_reader *reader)
{
    uint32_t encoded;
    sbz_read_status status = need(reader, SBZ_SHORT_TAIL, "the end of a stream");

    if (status != SBZ_READ_BLOCK)
        return status;
    reader->in_stream = false;
    if (!sbz_get_short_tail(here(reader), &encoded))
        return bad(reader, reader->offset, "not the end of a stream");
    consume(reader, SBZ_SHORT_TAIL);
    if (encoded != reader->short_encoded)
        return retry(reader, bad(reader, reader->offset - SBZ_SHORT_TAIL,
                                 "the end of the stream has another payload size than its header"));
    return SBZ_READ_END;
}

/* Skips a note, whose header may have been read. SBZ_READ_BLOCK: it is skipped. */
static sbz_read_status skip_note(sbz_reader *reader)
{
    uint32_t kind, size;
    uint64_t checksum;
    const char *why;
    sbz_read_status status = reader->in_note ? SBZ_READ_BLOCK : need(reader, SBZ_NOTE_HEADER, "the header of a note");

    if (status == SBZ_READ_BLOCK && !reader->in_note) {
        if (!sbz_get_note_header(here(reader), &kind, &reader->note_size, &why))
            return bad(reader, reader->offset, "%s", why);
        reader->in_note = true;
        reader->note_left = reader->note_size;
        reader->note_checksum = 0;
        consume(reader, SBZ_NOTE_HEADER);
    }
    while (status == SBZ_READ_BLOCK && reader->note_left > 0 &&
           (status = need(reader, 1, "a note")) == SBZ_READ_BLOCK) {
        const size_t now = have(reader) < reader->note_left ? have(reader) : (size_t)reader->note_left;

        reader->note_checksum = sbz_checksum(reader->note_checksum, here(reader), now);
        consume(reader, now);
        reader->note_left -= now;
    }
    if (status == SBZ_READ_BLOCK)
        status = need(reader, SBZ_NOTE_TAIL, "a note");
    if (status != SBZ_READ_BLOCK)
        return status;
    reader->in_note = false;
    if (!sbz_get_note_tail(here(reader), &checksum, &size) || size != reader->note_size ||
        checksum != reader->note_checksum)
        return bad(reader, reader->offset, "the note is damaged");
    consume(reader, SBZ_NOTE_TAIL);
    return SBZ_READ_BLOCK;
}

/* True if the window begins with the intact header of a stream. */
static bool at_stream(const sbz_reader *reader)
{
    const char *why;
    uint32_t limit;
    sbz_block block;

    if (have(reader) >= SBZ_SHORT_HEADER && sbz_is_short(here(reader), have(reader)))
        return sbz_get_short_header(here(reader), &block, &why) && block.original <= reader->max_block;
    return have(reader) >= SBZ_STREAM_HEADER && sbz_get_stream_header(here(reader), &limit, &why) &&
           limit <= reader->max_block;
}

/* Recovery: skips to the next part with an intact header, or to the end of the input. */
static sbz_read_status search(sbz_reader *reader)
{
    const uint32_t limit = reader->in_stream ? reader->block_limit : reader->max_block;
    sbz_read_status status;

    for (;;) {
        const uint8_t *found;
        sbz_block block;
        uint32_t number;
        const char *why;

        if ((status = fill(reader, SBZ_BLOCK_HEADER)) != SBZ_READ_BLOCK || have(reader) == 0)
            return status;
        if (at_stream(reader) ||
            (have(reader) >= SBZ_NOTE_HEADER && sbz_get_note_header(here(reader), &number, &number, &why)) ||
            (have(reader) >= SBZ_INDEX_HEAD && reader->in_stream && sbz_get_index_head(here(reader), &number, &why)) ||
            (have(reader) >= SBZ_BLOCK_HEADER && sbz_get_block_header(here(reader), limit, &block, &why)))
            return SBZ_READ_BLOCK;
        found = memchr(here(reader) + 1, SBZ_MAGIC_FIRST, have(reader) - 1);
        consume(reader, found != NULL ? (size_t)(found - here(reader)) : have(reader));
    }
}

static sbz_read_status resume(sbz_reader *reader)
{
    sbz_read_status status;

    reader->in_entries = reader->in_note = false;
    reader->padding = 0;
    reader->in_stream = reader->in_stream && !reader->is_short; /* what is left of a short stream is no part of it */
    if (!reader->retry && have(reader) > 0)
        consume(reader, 1);
    status = search(reader);
    reader->broken = false;
    if (status == SBZ_READ_BLOCK && !reader->in_stream && at_magic(reader, sbz_magic_block)) {
        reader->in_stream = true; /* the header of its stream is lost, and with it the block limit */
        reader->is_short = false;
        reader->block_limit = reader->max_block;
    }
    return status;
}

/* Reads the next part of a stream. SBZ_READ_END: the stream has ended. */
static sbz_read_status read_part(sbz_reader *reader, sbz_record *record)
{
    sbz_read_status status;

    if (reader->in_entries)
        return read_index(reader);
    status = fill(reader, SBZ_MAGIC);
    if (status != SBZ_READ_BLOCK)
        return status;
    if (have(reader) == 0) {
        reader->in_stream = false;
        return bad(reader, reader->offset, "the input ends before the end of the stream");
    }
    if (reader->is_short && !reader->at_tail)
        return read_short_block(reader, record);
    if (at_magic(reader, sbz_magic_stream) || at_magic(reader, sbz_magic_note)) {
        const char *what = at_magic(reader, sbz_magic_note) ? "note" : "stream";

        reader->in_stream = false;
        return retry(reader, bad(reader, reader->offset, "a %s begins before the end of the last stream", what));
    }
    if (reader->is_short)
        return read_short_tail(reader);
    return at_magic(reader, sbz_magic_index) ? read_index(reader) : read_block(reader, record);
}

/* Consumes zeros up to the end of the input: tapes and some devices fill up their last block. SBZ_READ_END: there were
 * only zeros. SBZ_READ_BLOCK: something else follows, which is an error, at the first zero if there were any. */
static sbz_read_status skip_padding(sbz_reader *reader)
{
    sbz_read_status status;

    while ((status = fill(reader, 1)) == SBZ_READ_BLOCK && have(reader) > 0) {
        size_t zeros = 0;

        while (zeros < have(reader) && here(reader)[zeros] == 0)
            zeros++;
        consume(reader, zeros);
        reader->padding += zeros;
        if (have(reader) > 0)
            return reader->padding == 0 ? SBZ_READ_BLOCK
                                        : bad(reader, reader->offset - reader->padding, "not the header of a stream");
    }
    return status == SBZ_READ_BLOCK ? SBZ_READ_END : status;
}

sbz_read_status sbz_reader_next(sbz_reader *reader, sbz_record *record)
{
    const bool resumed = reader->broken;
    sbz_read_status status = SBZ_READ_BLOCK;

    consume(reader, reader->held_payload);
    reader->held_payload = 0;
    if (resumed) {
        if (!reader->recover)
            return SBZ_READ_BAD;
        status = resume(reader);
    }
    for (; status == SBZ_READ_BLOCK || status == SBZ_READ_END;) {
        if (reader->in_stream) {
            status = read_part(reader, record);
            if (status != SBZ_READ_END || reader->single_stream)
                return status;
            continue;
        }
        if ((status = fill(reader, SBZ_MAGIC)) != SBZ_READ_BLOCK)
            return status;
        if (have(reader) == 0 && !reader->in_note && (reader->streams > 0 || resumed))
            return SBZ_READ_END;
        if (status == SBZ_READ_BLOCK && reader->streams > 0 && !resumed && !reader->in_note &&
            (status = skip_padding(reader)) != SBZ_READ_BLOCK)
            return status;
        status = reader->in_note || at_magic(reader, sbz_magic_note) ? skip_note(reader) : read_stream_header(reader);
    }
    return status;
}

void sbz_reader_damaged(sbz_reader *reader)
{
    consume(reader, reader->held_payload < SBZ_MAGIC ? reader->held_payload : SBZ_MAGIC);
    reader->held_payload = 0;
    reader->broken = true;
    reader->retry = false;
}
