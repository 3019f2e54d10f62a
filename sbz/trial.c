/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One block or several: contract in trial.h.
 *
 * All texts are coded in their first way by one call, and those that are worth it in their other way by another: a
 * device likes many blocks at once.
 */
#include "trial.h"
#include "entropy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIVE = 15 }; /* what becomes less than one of so many bytes */

void sbz_blocks_free(sbz_blocks *blocks)
{
    for (size_t i = 0; i < blocks->room; i++)
        sbz_record_free(&blocks->record[i]);
    free(blocks->record);
    *blocks = (sbz_blocks){0};
}

void sbz_trial_free(sbz_trial *ways)
{
    sbz_blocks_free(&ways->tried);
    free(ways->text);
    *ways = (sbz_trial){0};
}

static bool grow(sbz_blocks *blocks, size_t room)
{
    sbz_record *record;

    if (room <= blocks->room)
        return true;
    record = realloc(blocks->record, room * sizeof *record);
    if (record == NULL)
        return false;
    memset(record + blocks->room, 0, (room - blocks->room) * sizeof *record);
    blocks->record = record;
    blocks->room = room;
    return true;
}

static bool reserve(sbz_trial *ways, size_t count)
{
    sbz_text *text = count > ways->room ? realloc(ways->text, count * sizeof *text) : ways->text;

    if (text == NULL)
        return false;
    ways->text = text;
    ways->room = count > ways->room ? count : ways->room;
    return grow(&ways->tried, count);
}

/* Bytes of the parts of a text: they are alike, and of whole segments where that is no more than they may have. */
static size_t part_of(const sbz_text *text)
{
    const size_t parts = (text->size + text->part - 1) / text->part, bytes = (text->size + parts - 1) / parts;
    const size_t whole = (bytes + SBZ_RANGECODER_SEGMENT - 1) / SBZ_RANGECODER_SEGMENT * SBZ_RANGECODER_SEGMENT;

    return whole < text->part ? whole : text->part;
}

static bool is_repetitive(const sbz_text *text, const sbz_blocks *blocks)
{
    return blocks->record[0].block.encoded < text->size / REPETITIVE;
}

/* Bytes that each block but the last has, in the first way where there are none yet, else in the other; 0: there is no
 * other. */
static size_t piece_of(const sbz_text *text, const sbz_blocks *blocks)
{
    if (blocks->count == 0)
        return text->size;
    return text->part != 0 && (text->runs != 0 || is_repetitive(text, blocks)) ? part_of(text) : 0;
}

static size_t pieces_of(const sbz_text *text, size_t piece)
{
    return piece == 0 ? 0 : text->size / piece + (text->size % piece != 0);
}

/* Lays the blocks of a text from `to` on. Runs are for the first way. */
static size_t lay(const sbz_text *text, const sbz_blocks *blocks, sbz_text *to)
{
    const size_t piece = piece_of(text, blocks), pieces = pieces_of(text, piece);

    for (size_t k = 0; k < pieces; k++)
        to[k] = (sbz_text){.data = text->data + k * piece,
                           .size = k + 1 < pieces ? piece : text->size - k * piece,
                           .lent = true,
                           .runs = blocks->count == 0 ? text->runs : 0,
                           .run_byte = text->run_byte};
    return pieces;
}

static uint64_t bytes_of(const sbz_record *record, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += record[i].block.encoded + SBZ_BLOCK_HEADER + SBZ_INDEX_ENTRY;
    return bytes;
}

/* The blocks become those that were tried, which get their memory. */
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

static bool no_memory(char *error, size_t size)
{
    snprintf(error, size, "out of memory");
    return false;
}

static bool try_way(sbz_trial *ways, sbz_codec *codec, const sbz_text *texts, size_t count, sbz_blocks *blocks,
                    char *error, size_t size)
{
    size_t total = 0, at = 0;

    for (size_t i = 0; i < count; i++)
        total += pieces_of(&texts[i], piece_of(&texts[i], &blocks[i]));
    if (total == 0)
        return true;
    if (!reserve(ways, total))
        return no_memory(error, size);
    for (size_t i = 0; i < count; i++)
        at += lay(&texts[i], &blocks[i], ways->text + at);
    if (!sbz_codec_encode(codec, ways->text, total, ways->tried.record, error, size))
        return false;
    at = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t pieces = pieces_of(&texts[i], piece_of(&texts[i], &blocks[i]));
        sbz_record *tried = ways->tried.record + at;

        at += pieces;
        if (pieces > 0 &&
            (blocks[i].count == 0 || bytes_of(tried, pieces) < bytes_of(blocks[i].record, blocks[i].count)) &&
            !take(&blocks[i], tried, pieces))
            return no_memory(error, size);
    }
    return true;
}

bool sbz_trial_encode(sbz_trial *ways, sbz_codec *codec, const sbz_text *texts, size_t count, sbz_blocks *blocks,
                      char *error, size_t size)
{
    for (size_t i = 0; i < count; i++)
        blocks[i].count = 0;
    return try_way(ways, codec, texts, count, blocks, error, size) &&
           try_way(ways, codec, texts, count, blocks, error, size);
}
