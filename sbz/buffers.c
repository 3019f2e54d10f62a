/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions of libsbz for whole buffers, which are streams over them: contract in include/sbz.h.
 */
#include "format.h"
#include "levels.h"
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

sbz_result sbz_original_size(const void *from, size_t size, uint64_t *original)
{
    buffer input = {.bytes = from, .size = size};
    uint64_t sum = 0;

    *original = 0;
    while (input.size > 0 && input.bytes[input.size - 1] == 0)
        input.size--;
    if (input.size == 0)
        return SBZ_BAD_DATA;
    while (input.size > 0) {
        sbz_index index;
        const sbz_read_status status = sbz_index_read(&index, input.size, take_at, &input);

        if (status != SBZ_READ_END)
            return status == SBZ_READ_MEMORY ? SBZ_NO_MEMORY : SBZ_BAD_DATA;
        input.size = (size_t)index.before;
        if (index.original > UINT64_MAX - sum) {
            sbz_index_free(&index);
            return SBZ_BAD_DATA;
        }
        sum += index.original;
        sbz_index_free(&index);
    }
    *original = sum;
    return SBZ_OK;
}
