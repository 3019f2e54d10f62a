/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trial encoding: contract in trial.h.
 *
 * The first call of try_encoding encodes each text of a batch as one block. The second call encodes the texts that are
 * tried in parts. So a device gets two large batches instead of many small ones.
 */
#include "trial.h"
#include "entropy.h"
#include <stdlib.h>
#include <string.h>

/* A long text is also tried in parts if its one block has less than 1/REPETITIVE of its bytes. Each try costs a second
 * batch of the device. With 1/12 each tried file stayed smaller than with bzip2 -9; 1/15 was chosen because it takes
 * less time. On the 20 files of split.c, 1/8 saves 154 bytes, and 1/30 changes nothing. */
enum { REPETITIVE = 15 };

void sbz_blocks_free(sbz_blocks *blocks)
{
    for (size_t i = 0; i < blocks->capacity; i++)
        sbz_record_free(&blocks->record[i]);
    free(blocks->record);
    *blocks = (sbz_blocks){0};
}

void sbz_trial_free(sbz_trial *trial)
{
    sbz_blocks_free(&trial->tried);
    free(trial->text);
    *trial = (sbz_trial){0};
}

static bool grow(sbz_blocks *blocks, size_t capacity)
{
    sbz_record *record;

    if (capacity <= blocks->capacity)
        return true;
    record = realloc(blocks->record, capacity * sizeof *record);
    if (record == NULL)
        return false;
    memset(record + blocks->capacity, 0, (capacity - blocks->capacity) * sizeof *record);
    blocks->record = record;
    blocks->capacity = capacity;
    return true;
}

static bool reserve(sbz_trial *trial, size_t count)
{
    sbz_text *text = count > trial->capacity ? realloc(trial->text, count * sizeof *text) : trial->text;

    if (text == NULL)
        return false;
    trial->text = text;
    trial->capacity = count > trial->capacity ? count : trial->capacity;
    return grow(&trial->tried, count);
}

/* The size of each part of a text except the last, in bytes. Parts have equal sizes, rounded up to whole segments of
 * the range coder if that is less than the maximum. */
static size_t part_size(const sbz_text *text)
{
    const size_t parts = (text->size + text->part - 1) / text->part, bytes = (text->size + parts - 1) / parts;
    const size_t whole = (bytes + SBZ_RANGECODER_SEGMENT - 1) / SBZ_RANGECODER_SEGMENT * SBZ_RANGECODER_SEGMENT;

    return whole < text->part ? whole : text->part;
}

static bool is_repetitive(const sbz_text *text, const sbz_blocks *blocks)
{
    return blocks->record[0].block.encoded < text->size / REPETITIVE;
}

/* The size of each block except the last in this call: that of the text if it has no blocks yet, otherwise that of a
 * part. 0: the text is not tried again. */
static size_t piece_size(const sbz_text *text, const sbz_blocks *blocks)
{
    if (blocks->count == 0)
        return text->size;
    return text->part != 0 && (text->runs != 0 || is_repetitive(text, blocks)) ? part_size(text) : 0;
}

static size_t count_pieces(const sbz_text *text, size_t piece)
{
    return piece == 0 ? 0 : text->size / piece + (text->size % piece != 0);
}

/* Writes the pieces of a text to `to`, and returns their number. Runs are coded only if the piece is the whole text. */
static size_t make_pieces(const sbz_text *text, const sbz_blocks *blocks, sbz_text *to)
{
    const size_t piece = piece_size(text, blocks), pieces = count_pieces(text, piece);

    for (size_t k = 0; k < pieces; k++)
        to[k] = (sbz_text){.data = text->data + k * piece,
                           .size = k + 1 < pieces ? piece : text->size - k * piece,
                           .lent = true,
                           .runs = blocks->count == 0 ? text->runs : 0,
                           .run_byte = text->run_byte};
    return pieces;
}

/* Bytes that these blocks take in a file. */
static uint64_t file_bytes(const sbz_record *record, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += record[i].block.encoded + SBZ_BLOCK_HEADER + SBZ_INDEX_ENTRY;
    return bytes;
}

/* Swaps the blocks with the tried ones, so that the memory of both can be reused. */
static bool take(sbz_blocks *blocks, sbz_record *tried, size_t count)
{
    if (!grow(blocks, count))
        return false;
    for (size_t k = 0; k < count; k++) {
        const sbz_record other = blocks->record[k];

        blocks->record[k] = tried[k];
        tried[k] = other;
    }
    blocks->count = count;
    return true;
}

static sb_status try_encoding(sbz_trial *trial, sbz_codec *codec, const sbz_text *texts, size_t count,
                              sbz_blocks *blocks)
{
    size_t total = 0, at = 0;
    sb_status status;

    for (size_t i = 0; i < count; i++)
        total += count_pieces(&texts[i], piece_size(&texts[i], &blocks[i]));
    if (total == 0)
        return SB_OK;
    if (!reserve(trial, total))
        return sbz_codec_no_memory(codec);
    for (size_t i = 0; i < count; i++)
        at += make_pieces(&texts[i], &blocks[i], trial->text + at);
    status = sbz_codec_encode(codec, trial->text, total, trial->tried.record);
    if (status != SB_OK)
        return status;
    at = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t pieces = count_pieces(&texts[i], piece_size(&texts[i], &blocks[i]));
        sbz_record *tried = trial->tried.record + at;

        at += pieces;
        if (pieces > 0 &&
            (blocks[i].count == 0 || file_bytes(tried, pieces) < file_bytes(blocks[i].record, blocks[i].count)) &&
            !take(&blocks[i], tried, pieces))
            return sbz_codec_no_memory(codec);
    }
    return SB_OK;
}

sb_status sbz_trial_encode(sbz_trial *trial, sbz_codec *codec, const sbz_text *texts, size_t count, sbz_blocks *blocks)
{
    sb_status status;

    for (size_t i = 0; i < count; i++)
        blocks[i].count = 0;
    status = try_encoding(trial, codec, texts, count, blocks);
    return status == SB_OK ? try_encoding(trial, codec, texts, count, blocks) : status;
}
