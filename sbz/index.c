/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading an index from the end of a stream: contract in format.h.
 */
#include "layout.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void sbz_index_free(sbz_index *index)
{
    free(index->entries);
    *index = (sbz_index){0};
}

typedef struct input {
    sbz_read_at read_at;
    void *from;
    char *error;
    size_t size;
} input;

static bool fail(const input *in, uint64_t offset, const char *why)
{
    snprintf(in->error, in->size, "byte %" PRIu64 ": %s", offset, why);
    return false;
}

static bool read_bytes(const input *in, uint64_t offset, void *bytes, size_t size)
{
    return in->read_at(in->from, offset, bytes, size) || fail(in, offset, "cannot be read");
}

/* Reads the header of the stream and the head of the index, which must be where the tail says. */
static bool read_frame(const input *in, const sbz_tail *tail, sbz_index *index)
{
    const uint64_t index_size = SBZ_INDEX_HEAD + (uint64_t)tail->count * SBZ_INDEX_ENTRY + SBZ_INDEX_TAIL;
    uint8_t header[SBZ_STREAM_HEADER], head[SBZ_INDEX_HEAD];
    uint32_t count;
    const char *why;

    if (tail->stream_size > index->end || tail->stream_size < SBZ_STREAM_HEADER + index_size)
        return fail(in, index->end - SBZ_INDEX_TAIL, "an impossible stream size");
    index->start = index->end - tail->stream_size;
    index->count = tail->count;
    if (!read_bytes(in, index->start, header, sizeof header) ||
        !read_bytes(in, index->end - index_size, head, sizeof head))
        return false;
    if (!sbz_get_stream_header(header, &index->block_limit, &why))
        return fail(in, index->start, why);
    if (!sbz_get_index_head(head, &count, &why))
        return fail(in, index->end - index_size, why);
    return count == tail->count ||
           fail(in, index->end - index_size, "head and tail of the index count different numbers of blocks");
}

static bool read_entries(const input *in, const uint8_t *tail_bytes, const sbz_tail *tail, sbz_index *index)
{
    const size_t bytes = (size_t)tail->count * SBZ_INDEX_ENTRY;
    const uint64_t first = index->end - SBZ_INDEX_TAIL - bytes;
    uint64_t original = 0, encoded = SBZ_STREAM_HEADER + SBZ_INDEX_HEAD + SBZ_INDEX_TAIL;
    uint8_t *raw = malloc(bytes + 1);
    bool good = false;

    index->entries = calloc((size_t)tail->count + 1, sizeof *index->entries);
    if (raw == NULL || index->entries == NULL) {
        fail(in, first, "out of memory for the index");
    } else if (read_bytes(in, first, raw, bytes)) {
        for (uint32_t i = 0; i < tail->count; i++) {
            sbz_get_index_entry(raw + (size_t)i * SBZ_INDEX_ENTRY, &index->entries[i]);
            original += index->entries[i].original;
            encoded += SBZ_BLOCK_HEADER + index->entries[i].encoded + SBZ_INDEX_ENTRY;
        }
        good = (sbz_tail_sums(tail_bytes, sbz_checksum(0, raw, bytes)) && original == tail->original &&
                encoded == tail->stream_size) ||
               fail(in, first, "the index is damaged");
    }
    free(raw);
    return good;
}

bool sbz_index_read(sbz_index *index, uint64_t end, sbz_read_at read_at, void *from, char *error, size_t size)
{
    const input in = {read_at, from, error, size};
    uint8_t bytes[SBZ_INDEX_TAIL];
    sbz_tail tail;
    const char *why;
    bool good;

    *index = (sbz_index){.end = end};
    if (end < SBZ_INDEX_TAIL)
        return fail(&in, 0, "too short for a stream");
    if (!read_bytes(&in, end - SBZ_INDEX_TAIL, bytes, sizeof bytes))
        return false;
    if (!sbz_get_tail(bytes, &tail, &why))
        return fail(&in, end - SBZ_INDEX_TAIL, why);
    index->original = tail.original;
    index->checksum = tail.checksum;
    good = read_frame(&in, &tail, index) && read_entries(&in, bytes, &tail, index);
    if (!good)
        sbz_index_free(index);
    return good;
}
