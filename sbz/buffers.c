/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions of libsbz for whole buffers, which are streams over them: contract in include/sbz.h.
 */
#include "allocate.h"
#include "codec.h"
#include "format.h"
#include "levels.h"
#include "memory.h"
#include "stream.h"
#include <string.h>

typedef struct buffer {
    const uint8_t *bytes;
    size_t size, at;
} buffer;

static ptrdiff_t take(void *from, void *bytes, size_t size)
{
    buffer *b = from;
    const size_t left = b->size - b->at;

    size = size < left ? size : left;
    size = size < PTRDIFF_MAX ? size : PTRDIFF_MAX;
    if (size > 0)
        memcpy(bytes, b->bytes + b->at, size);
    b->at += size;
    return (ptrdiff_t)size;
}

static bool take_at(void *from, uint64_t offset, void *bytes, size_t size)
{
    const buffer *b = from;

    if (offset > b->size || size > b->size - offset)
        return false;
    if (size > 0)
        memcpy(bytes, b->bytes + offset, size);
    return true;
}

/* Reads the stream to its end. A full buffer is enough only if nothing follows, which one more byte tells. */
static sbz_result read_all(sbz_stream *stream, uint8_t *to, size_t capacity, size_t *written)
{
    size_t got;
    sbz_result result;
    uint8_t more;

    do {
        const size_t left = capacity - *written;

        result =
            left > 0 ? sbz_stream_read(stream, to + *written, left, &got) : sbz_stream_read(stream, &more, 1, &got);
        if (left == 0 && got > 0)
            return SBZ_NO_SPACE;
        *written += got;
    } while (result == SBZ_OK && got > 0);
    return result;
}

uint64_t sbz_compress_bound(const sbz_parameters *parameters, uint64_t size)
{
    uint32_t block, limit;

    if (!sbz_parameters_blocks(parameters, &block, &limit))
        return 0;
    if (parameters == NULL || parameters->block == 0) { /* an estimate, which may err, halves blocks of the levels */
        const uint32_t split = sbz_level_split(parameters != NULL ? parameters->level : 0);

        block = split < block ? split : block;
    }
    /* Of the smallest block, one byte, its header and its entry in the index take less than 256. */
    return size > UINT64_MAX / 256 ? UINT64_MAX : sbz_max_size(size, block);
}

sbz_result sbz_compress(const sbz_parameters *parameters, const void *from, size_t size, void *to, size_t capacity,
                        size_t *written)
{
    buffer input = {.bytes = from, .size = size};
    sbz_stream *stream;
    sbz_result result = sbz_compressor_open_sized(&stream, parameters, size, take, &input);

    *written = 0;
    if (result == SBZ_OK)
        result = read_all(stream, to, capacity, written);
    if (result != SBZ_OK)
        *written = 0;
    sbz_stream_close(stream);
    return result;
}

sbz_result sbz_decompress(const sbz_parameters *parameters, const void *from, size_t size, void *to, size_t capacity,
                          size_t *written)
{
    buffer input = {.bytes = from, .size = size};
    sbz_stream *stream;
    sbz_result result = sbz_decompressor_open(&stream, parameters, take, &input);

    *written = 0;
    if (result == SBZ_OK)
        result = read_all(stream, to, capacity, written);
    sbz_stream_close(stream);
    return result;
}

static sbz_result result_of(sbz_read_status status)
{
    return status == SBZ_READ_MEMORY ? SBZ_NO_MEMORY : SBZ_BAD_DATA;
}

/* Adds up the contents of all streams, the last stream first. If `ends` is not NULL, it becomes a list of `count` ends of streams, which
 * the caller frees. */
static sbz_result find_streams(buffer input, uint64_t *original, uint64_t **ends, size_t *count)
{
    while (input.size > 0 && input.bytes[input.size - 1] == 0)
        input.size--;
    if (input.size == 0)
        return SBZ_BAD_DATA;
    while (input.size > 0) {
        sbz_index index;
        const sbz_read_status status = sbz_index_read(&index, input.size, take_at, &input);
        const uint64_t more = index.original;

        if (status != SBZ_READ_END)
            return result_of(status);
        if (ends != NULL) {
            uint64_t *grown = sbz_realloc(*ends, (*count + 1) * sizeof **ends);

            if (grown == NULL) {
                sbz_index_free(&index);
                return SBZ_NO_MEMORY;
            }
            *ends = grown;
            grown[(*count)++] = input.size;
        }
        input.size = (size_t)index.before;
        sbz_index_free(&index);
        if (more > UINT64_MAX - *original)
            return SBZ_BAD_DATA;
        *original += more;
    }
    return SBZ_OK;
}

sbz_result sbz_original_size(const void *from, size_t size, uint64_t *original)
{
    sbz_result result;

    *original = 0;
    result = find_streams((buffer){.bytes = from, .size = size}, original, NULL, NULL);
    if (result != SBZ_OK)
        *original = 0;
    return result;
}

/* ---- a part of the contents ---- */

/* What is wanted of the contents; `at` counts the bytes of the blocks that were passed. */
typedef struct part {
    buffer input;
    uint64_t memory, first, last, at;
    uint8_t *to;
    size_t written;
    sbz_codec *codec;
    sbz_record record;
    sbz_text text;
} part;

static sbz_result give_block(part *p, const sbz_index *index, const sbz_block *entry, uint64_t offset)
{
    const uint64_t from = p->first > p->at ? p->first - p->at : 0,
                   to = p->last - p->at < entry->original ? p->last - p->at : entry->original;
    const char *why;
    const sbz_read_status status = sbz_index_block(index, entry, offset, take_at, &p->input, &p->record, &why);
    sb_status decoded;

    if (status != SBZ_READ_BLOCK)
        return result_of(status);
    if (sbz_memory_need(&p->record.block) > p->memory)
        return SBZ_OVER_LIMIT;
    decoded = sbz_codec_decode(p->codec, &p->record, 1, &p->text);
    if (decoded != SB_OK)
        return decoded == SB_UNSUPPORTED ? SBZ_NO_MEMORY : SBZ_FAULT; /* on the CPU only memory is unsupported */
    if (p->text.error[0] != '\0')
        return SBZ_BAD_DATA;
    memcpy(p->to + p->written, p->text.data + from, (size_t)(to - from));
    p->written += (size_t)(to - from);
    return SBZ_OK;
}

/* Gives what is wanted of the stream that ends at `end`. */
static sbz_result give_stream(part *p, uint64_t end)
{
    sbz_index index;
    const sbz_read_status status = sbz_index_read(&index, end, take_at, &p->input);
    sbz_result result = SBZ_OK;
    uint64_t offset = index.first;

    if (status != SBZ_READ_END)
        return result_of(status);
    for (uint32_t i = 0; result == SBZ_OK && i < index.count && p->at < p->last; i++) {
        const sbz_block *entry = &index.entries[i];

        if (p->at + entry->original > p->first)
            result = give_block(p, &index, entry, offset);
        offset += SBZ_BLOCK_HEADER + entry->encoded;
        p->at += entry->original;
    }
    sbz_index_free(&index);
    return result;
}

static sbz_result decompress_range(const sbz_parameters *parameters, const void *from, size_t size, uint64_t offset,
                                   void *to, size_t capacity, size_t *written)
{
    static const sbz_settings settings = {.where = SBZ_CPU};
    part p = {.input = {.bytes = from, .size = size}, .to = to, .first = offset};
    uint64_t *ends = NULL, original = 0;
    uint32_t block, limit;
    size_t count = 0;
    sbz_result result = sbz_parameters_blocks(parameters, &block, &limit) ? SBZ_OK : SBZ_BAD_PARAMETER;

    if (result == SBZ_OK)
        result = find_streams(p.input, &original, &ends, &count);
    if (result == SBZ_OK && offset > original)
        result = SBZ_BAD_PARAMETER;
    p.memory = sbz_parameters_memory(parameters);
    p.last = capacity < original - offset ? offset + capacity : original;
    if (result == SBZ_OK && sbz_codec_open(&p.codec, &settings) != SB_OK)
        result = SBZ_NO_MEMORY;
    while (result == SBZ_OK && count > 0 && p.at < p.last)
        result = give_stream(&p, ends[--count]);
    *written = p.written;
    if (p.codec != NULL)
        sbz_codec_close(p.codec);
    sbz_record_free(&p.record);
    sbz_text_free(&p.text);
    sbz_free(ends);
    return result;
}

sbz_result sbz_decompress_range(const sbz_parameters *parameters, const void *from, size_t size, uint64_t offset,
                                void *to, size_t capacity, size_t *written)
{
    const sbz_allocator before = sbz_use_allocator(sbz_parameters_allocator(parameters));
    const sbz_result result = decompress_range(parameters, from, size, offset, to, capacity, written);

    sbz_use_allocator(before);
    return result;
}
