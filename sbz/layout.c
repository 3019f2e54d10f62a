/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The headers of a stream: contract in layout.h, layout in docs/SBZ.md.
 */
#include "layout.h"
#include <string.h>

/* A byte that is not text, and a name. As in PNG, a program that changes line ends or clears the eighth bit damages the
 * magic of the stream. The other magics end in random bytes, so that they hardly occur in payloads. */
const uint8_t sbz_magic_stream[SBZ_MAGIC] = {0x89, 'S', 'B', 'Z', '\r', '\n', 0x1a, '\n'};
const uint8_t sbz_magic_block[SBZ_MAGIC] = {0x89, 'S', 'B', 'b', 0xe3, 0x5c, 0x17, 0xa6};
const uint8_t sbz_magic_index[SBZ_MAGIC] = {0x89, 'S', 'B', 'i', 0x4b, 0xd0, 0x92, 0x7d};
const uint8_t sbz_magic_end[SBZ_MAGIC] = {0x89, 'S', 'B', 'e', 0xc8, 0x36, 0x0f, 0xb1};
const uint8_t sbz_magic_short_end[SBZ_MAGIC] = {0x89, 'S', 'B', 'f', 0x5e, 0xa1, 0x93, 0xd4};
const uint8_t sbz_magic_note[SBZ_MAGIC] = {0x89, 'S', 'B', 'n', 0x72, 0xfc, 0x09, 0xce};
const uint8_t sbz_magic_note_end[SBZ_MAGIC] = {0x89, 'S', 'B', 'o', 0xd1, 0x3a, 0xb8, 0x65};

static void put(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *from, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

/* Each header ends with the sum of the bytes before it. */
static void put_sum(uint8_t *to, int before)
{
    put(to + before, sbz_checksum(0, to, (size_t)before), 8);
}

static bool sums(const uint8_t *from, int before)
{
    return get(from + before, 8) == sbz_checksum(0, from, (size_t)before);
}

/* Checks, in order; the list ends with `what` NULL. */
typedef struct fault {
    bool there;
    const char *what;
} fault;

static bool faultless(const fault *faults, const char **why)
{
    for (; faults->what != NULL; faults++) {
        if (faults->there) {
            *why = faults->what;
            return false;
        }
    }
    return true;
}

static bool starts_with(const uint8_t *from, const uint8_t magic[SBZ_MAGIC])
{
    return memcmp(from, magic, SBZ_MAGIC) == 0;
}

bool sbz_is_stream(const uint8_t *bytes, size_t size)
{
    return memcmp(bytes, sbz_magic_stream, size < SBZ_MAGIC ? size : SBZ_MAGIC) == 0;
}

void sbz_put_stream_header(uint8_t to[SBZ_STREAM_HEADER], uint32_t block_limit)
{
    memcpy(to, sbz_magic_stream, SBZ_MAGIC);
    put(to + 8, SBZ_FORMAT_VERSION, 1);
    put(to + SBZ_FORM, SBZ_FORM_BLOCKS, 1);
    put(to + 10, 0, 2);
    put(to + 12, block_limit, 4);
    put_sum(to, 16);
}

bool sbz_get_stream_header(const uint8_t from[SBZ_STREAM_HEADER], uint32_t *block_limit, const char **why)
{
    *block_limit = (uint32_t)get(from + 12, 4);
    return faultless((const fault[]){{!starts_with(from, sbz_magic_stream), "not the header of a stream"},
                                     {!sums(from, 16), "the header of the stream is damaged"},
                                     {from[8] != SBZ_FORMAT_VERSION, "an unknown version of the format"},
                                     {from[SBZ_FORM] == SBZ_FORM_OLD, "a stream from before version 1.0 of the format"},
                                     {from[SBZ_FORM] != SBZ_FORM_BLOCKS, "an unknown form of a stream"},
                                     {from[10] != 0, "features that this reader does not have"},
                                     {*block_limit == 0 || *block_limit > SBZ_MAX_BLOCK,
                                      "a block limit that the format does not allow"},
                                     {false, NULL}},
                     why);
}

bool sbz_is_short(const uint8_t *bytes, size_t size)
{
    return size > SBZ_FORM && bytes[SBZ_FORM] == SBZ_FORM_SHORT;
}

/* The two bytes that say how a block is coded. In the first: entropy stage in the lower four bits, distance - 1 in the upper. In
 * the second, from the lowest bit: transform, ranking, reduction (two bits), filter (four bits). */
static void put_stages(uint8_t to[2], const sbz_block *block)
{
    put(to, block->entropy | (block->distance > 0 ? block->distance - 1u : 0) << 4, 1);
    put(to + 1, block->transform | block->ranking << 1 | block->reduction << 2 | block->filter << 4, 1);
}

static bool has_distance(const sbz_block *block)
{
    return block->filter == SBZ_FILTER_DELTA || block->filter == SBZ_FILTER_PLANES ||
           block->filter == SBZ_FILTER_DELTA_PLANES;
}

static void get_stages(const uint8_t from[2], sbz_block *block)
{
    block->entropy = from[0] & 15;
    block->transform = from[1] & 1;
    block->ranking = from[1] >> 1 & 1;
    block->reduction = from[1] >> 2 & 3;
    block->filter = from[1] >> 4;
    block->distance = (uint8_t)(from[0] >> 4);
    if (has_distance(block))
        block->distance++;
}

bool sbz_filter_fits(const sbz_block *block)
{
    switch (block->filter) {
    case SBZ_FILTER_NONE:
    case SBZ_FILTER_X86:
    case SBZ_FILTER_ARM64:
        return block->distance == 0;
    case SBZ_FILTER_DELTA:
        return block->distance >= 1 && block->distance <= SBZ_MAX_DISTANCE;
    case SBZ_FILTER_PLANES:
    case SBZ_FILTER_DELTA_PLANES: /* not in place, so a reduction would ask for a third copy of the block */
        return block->distance >= 2 && block->distance <= SBZ_MAX_DISTANCE && block->reduction == SBZ_REDUCTION_NONE;
    default:
        return false;
    }
}

void sbz_put_short_header(uint8_t to[SBZ_SHORT_HEADER], const sbz_block *block)
{
    memcpy(to, sbz_magic_stream, SBZ_MAGIC);
    put(to + 8, SBZ_FORMAT_VERSION, 1);
    put(to + SBZ_FORM, SBZ_FORM_SHORT, 1);
    put_stages(to + 10, block);
    put(to + 12, block->original, 4);
    put(to + 16, block->encoded, 4);
    put(to + 20, block->primary, 4);
    put(to + 24, block->checksum, 8);
    put_sum(to, 32);
}

void sbz_put_short_tail(uint8_t to[SBZ_SHORT_TAIL], uint32_t encoded)
{
    put(to, encoded, 4);
    memcpy(to + 4, sbz_magic_short_end, SBZ_MAGIC);
}

bool sbz_get_short_tail(const uint8_t from[SBZ_SHORT_TAIL], uint32_t *encoded)
{
    *encoded = (uint32_t)get(from, 4);
    return starts_with(from + 4, sbz_magic_short_end);
}

void sbz_put_note_header(uint8_t to[SBZ_NOTE_HEADER], uint32_t kind, uint32_t size)
{
    memcpy(to, sbz_magic_note, SBZ_MAGIC);
    put(to + 8, kind, 4);
    put(to + 12, size, 4);
    put_sum(to, 16);
}

bool sbz_get_note_header(const uint8_t from[SBZ_NOTE_HEADER], uint32_t *kind, uint32_t *size, const char **why)
{
    *kind = (uint32_t)get(from + 8, 4);
    *size = (uint32_t)get(from + 12, 4);
    return faultless((const fault[]){{!starts_with(from, sbz_magic_note), "not the header of a note"},
                                     {!sums(from, 16), "the header of the note is damaged"},
                                     {*size > SBZ_MAX_BLOCK, "a note that is longer than the format allows"},
                                     {false, NULL}},
                     why);
}

void sbz_put_note_tail(uint8_t to[SBZ_NOTE_TAIL], uint64_t checksum, uint32_t size)
{
    put(to, checksum, 8);
    put(to + 8, size, 4);
    memcpy(to + 12, sbz_magic_note_end, SBZ_MAGIC);
}

bool sbz_get_note_tail(const uint8_t from[SBZ_NOTE_TAIL], uint64_t *checksum, uint32_t *size)
{
    *checksum = get(from, 8);
    *size = (uint32_t)get(from + 8, 4);
    return starts_with(from + 12, sbz_magic_note_end);
}

void sbz_put_block_header(uint8_t to[SBZ_BLOCK_HEADER], const sbz_block *block)
{
    memcpy(to, sbz_magic_block, SBZ_MAGIC);
    put(to + 8, block->position, 8);
    put(to + 16, block->checksum, 8);
    put(to + 24, block->original, 4);
    put(to + 28, block->encoded, 4);
    put(to + 32, block->primary, 4);
    put_stages(to + 36, block);
    put(to + 38, 0, 2);
    put_sum(to, 40);
}

static bool stages_known(const sbz_block *block)
{
    return block->entropy < SBZ_ENTROPIES && block->entropy != 2 && block->entropy != 5 &&
           block->reduction < SBZ_REDUCTIONS && sbz_filter_fits(block);
}

static bool primary_fits(const sbz_block *block)
{
    return block->transform == SBZ_TRANSFORM_NONE ? block->primary == 0 : block->primary < block->transformed;
}

/* Stored bytes are as many in the payload as enter the transform; of a reduced block only the payload says how many. */
static bool stored_fits(const sbz_block *block)
{
    return block->entropy != SBZ_ENTROPY_STORED || block->reduction != SBZ_REDUCTION_NONE ||
           block->encoded == block->original;
}

static bool encoded_fits(const sbz_block *block, uint32_t block_limit)
{
    const uint32_t min_size = block->reduction == SBZ_REDUCTION_NONE ? 1 : SBZ_REDUCTION_HEAD + 1;

    return block->encoded >= min_size && block->encoded <= block->original && block->encoded <= block_limit &&
           stored_fits(block);
}

static bool transformed_fits(const sbz_block *block, uint32_t block_limit)
{
    if (block->reduction == SBZ_REDUCTION_NONE)
        return block->transformed == block->original;
    return block->transformed != 0 && block->transformed <= block->original && block->transformed <= block_limit &&
           (block->entropy != SBZ_ENTROPY_STORED || block->transformed == block->encoded - SBZ_REDUCTION_HEAD);
}

uint32_t sbz_max_original(uint32_t block_limit, sbz_reduction reduction)
{
    const uint64_t max_size = (uint64_t)block_limit * (reduction == SBZ_REDUCTION_NONE ? 1 : SBZ_MAX_REDUCTION);

    return max_size < SBZ_MAX_BLOCK ? (uint32_t)max_size : SBZ_MAX_BLOCK;
}

bool sbz_get_block_header(const uint8_t from[SBZ_BLOCK_HEADER], uint32_t block_limit, sbz_block *block,
                          const char **why)
{
    *block = (sbz_block){
        .position = get(from + 8, 8),
        .checksum = get(from + 16, 8),
        .original = (uint32_t)get(from + 24, 4),
        .encoded = (uint32_t)get(from + 28, 4),
        .primary = (uint32_t)get(from + 32, 4),
    };
    block->transformed = block->original;
    get_stages(from + 36, block);
    return faultless(
        (const fault[]){{!starts_with(from, sbz_magic_block), "neither a block nor an index"},
                        {!sums(from, 40), "the header of the block is damaged"},
                        {block->original == 0, "the block has no bytes"},
                        {!stages_known(block) || get(from + 38, 2) != 0, "an unknown stage"},
                        {block->original > sbz_max_original(block_limit, (sbz_reduction)block->reduction),
                         "more bytes than the block limit of the stream"},
                        {!encoded_fits(block, block_limit), "a payload size that the format does not allow"},
                        {!primary_fits(block), "a primary index outside the block"},
                        {false, NULL}},
        why);
}

/* True if all that the header says about a block is 0: the stream has none. */
static bool no_block(const uint8_t from[SBZ_SHORT_HEADER])
{
    return get(from + 10, 8) == 0 && get(from + 18, 8) == 0 && get(from + 26, 6) == 0;
}

/* The block may be as large as the format allows: it is its own limit. */
bool sbz_get_short_header(const uint8_t from[SBZ_SHORT_HEADER], sbz_block *block, const char **why)
{
    *block = (sbz_block){
        .checksum = get(from + 24, 8),
        .original = (uint32_t)get(from + 12, 4),
        .encoded = (uint32_t)get(from + 16, 4),
        .primary = (uint32_t)get(from + 20, 4),
    };
    block->transformed = block->original;
    get_stages(from + 10, block);
    return faultless(
        (const fault[]){{!starts_with(from, sbz_magic_stream), "not the header of a stream"},
                        {!sums(from, 32), "the header of the stream is damaged"},
                        {from[8] != SBZ_FORMAT_VERSION, "an unknown version of the format"},
                        {from[SBZ_FORM] != SBZ_FORM_SHORT, "an unknown form of a stream"},
                        {!stages_known(block), "an unknown stage"},
                        {block->original == 0 && !no_block(from), "the block has no bytes"},
                        {block->original > SBZ_MAX_BLOCK, "a block limit that the format does not allow"},
                        {block->original != 0 && !encoded_fits(block, block->original),
                         "a payload size that the format does not allow"},
                        {block->original != 0 && !primary_fits(block), "a primary index outside the block"},
                        {false, NULL}},
        why);
}

void sbz_put_reduction(uint8_t to[SBZ_REDUCTION_HEAD], const sbz_block *block)
{
    put(to, block->transformed, 4);
    put(to + 4, block->reduction_byte, 1);
}

bool sbz_get_reduction(const uint8_t from[SBZ_REDUCTION_HEAD], uint32_t block_limit, sbz_block *block, const char **why)
{
    block->transformed = (uint32_t)get(from, 4);
    block->reduction_byte = from[4];
    return faultless(
        (const fault[]){{!transformed_fits(block, block_limit), "a reduction that the format does not allow"},
                        {!primary_fits(block), "a primary index outside what the reduction left"},
                        {false, NULL}},
        why);
}

void sbz_put_index_head(uint8_t to[SBZ_INDEX_HEAD], uint32_t count)
{
    memcpy(to, sbz_magic_index, SBZ_MAGIC);
    put(to + 8, count, 8);
    put_sum(to, 16);
}

bool sbz_get_index_head(const uint8_t from[SBZ_INDEX_HEAD], uint32_t *count, const char **why)
{
    *count = (uint32_t)get(from + 8, 4);
    return faultless((const fault[]){{!starts_with(from, sbz_magic_index), "not the head of an index"},
                                     {!sums(from, 16), "the head of the index is damaged"},
                                     {get(from + 8, 8) > SBZ_MAX_BLOCKS, "more blocks than the format allows"},
                                     {false, NULL}},
                     why);
}

void sbz_put_index_entry(uint8_t to[SBZ_INDEX_ENTRY], const sbz_block *block)
{
    put(to, block->original, 4);
    put(to + 4, block->encoded, 4);
    put(to + 8, block->transformed, 4);
    put_stages(to + 12, block);
    put(to + 14, 0, 2);
}

bool sbz_get_index_entry(const uint8_t from[SBZ_INDEX_ENTRY], uint32_t block_limit, sbz_block *block)
{
    *block = (sbz_block){
        .original = (uint32_t)get(from, 4),
        .encoded = (uint32_t)get(from + 4, 4),
        .transformed = (uint32_t)get(from + 8, 4),
    };
    get_stages(from + 12, block);
    return get(from + 14, 2) == 0 && block->original != 0 && stages_known(block) &&
           block->original <= sbz_max_original(block_limit, (sbz_reduction)block->reduction) &&
           encoded_fits(block, block_limit) && transformed_fits(block, block_limit);
}

void sbz_put_tail(uint8_t to[SBZ_INDEX_TAIL], const sbz_tail *tail, uint64_t entries_checksum)
{
    put(to, tail->original, 8);
    put(to + 8, tail->checksum, 8);
    put(to + 16, tail->stream_size, 8);
    put(to + 24, tail->count, 8);
    put(to + SBZ_TAIL_SUMMED, sbz_checksum(entries_checksum, to, SBZ_TAIL_SUMMED), 8);
    memcpy(to + SBZ_TAIL_SUMMED + 8, sbz_magic_end, SBZ_MAGIC);
}

bool sbz_get_tail(const uint8_t from[SBZ_INDEX_TAIL], sbz_tail *tail, const char **why)
{
    *tail = (sbz_tail){
        .original = get(from, 8),
        .checksum = get(from + 8, 8),
        .stream_size = get(from + 16, 8),
        .count = (uint32_t)get(from + 24, 4),
    };
    return faultless(
        (const fault[]){{!starts_with(from + SBZ_TAIL_SUMMED + 8, sbz_magic_end), "not the end of a stream"},
                        {get(from + 24, 8) > SBZ_MAX_BLOCKS, "more blocks than the format allows"},
                        {false, NULL}},
        why);
}

bool sbz_tail_sums(const uint8_t from[SBZ_INDEX_TAIL], uint64_t entries_checksum)
{
    return get(from + SBZ_TAIL_SUMMED, 8) == sbz_checksum(entries_checksum, from, SBZ_TAIL_SUMMED);
}
