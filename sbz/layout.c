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
    put(to + 8, SBZ_VERSION, 1);
    put(to + 9, 0, 3);
    put(to + 12, block_limit, 4);
    put_sum(to, 16);
}

bool sbz_get_stream_header(const uint8_t from[SBZ_STREAM_HEADER], uint32_t *block_limit, const char **why)
{
    *block_limit = (uint32_t)get(from + 12, 4);
    return faultless((const fault[]){{!starts_with(from, sbz_magic_stream), "not the header of a stream"},
                                     {!sums(from, 16), "the header of the stream is damaged"},
                                     {from[8] != SBZ_VERSION, "an unknown version of the format"},
                                     {get(from + 9, 3) != 0, "unknown flags"},
                                     {*block_limit == 0 || *block_limit > SBZ_MAX_BLOCK,
                                      "a block limit that the format does not allow"},
                                     {false, NULL}},
                     why);
}

bool sbz_is_short(const uint8_t *bytes, size_t size)
{
    return size > SBZ_FORM && bytes[SBZ_FORM] == SBZ_FORM_SHORT;
}

/* Bits of byte 11 of the header of a short stream. */
enum { TRANSFORM_BIT = 0, RANKING_BIT = 1, RUNS_BIT = 2, FLAGS = 3 };

void sbz_put_short_header(uint8_t to[SBZ_SHORT_HEADER], const sbz_block *block)
{
    memcpy(to, sbz_magic_stream, SBZ_MAGIC);
    put(to + 8, SBZ_VERSION, 1);
    put(to + SBZ_FORM, SBZ_FORM_SHORT, 1);
    put(to + 10, block->entropy, 1);
    put(to + 11,
        (uint64_t)block->transform << TRANSFORM_BIT | (uint64_t)block->ranking << RANKING_BIT |
            (uint64_t)block->runs << RUNS_BIT,
        1);
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

void sbz_put_block_header(uint8_t to[SBZ_BLOCK_HEADER], const sbz_block *block)
{
    memcpy(to, sbz_magic_block, SBZ_MAGIC);
    put(to + 8, block->position, 8);
    put(to + 16, block->checksum, 8);
    put(to + 24, block->original, 4);
    put(to + 28, block->encoded, 4);
    put(to + 32, block->primary, 4);
    put(to + 36, block->transform, 1);
    put(to + 37, block->ranking, 1);
    put(to + 38, block->entropy, 1);
    put(to + 39, block->runs, 1);
    put_sum(to, 40);
}

static bool stages_known(const sbz_block *block)
{
    return block->transform < SBZ_TRANSFORMS && block->ranking < SBZ_RANKINGS && block->entropy < SBZ_ENTROPIES &&
           block->runs < SBZ_RUNS;
}

static bool primary_fits(const sbz_block *block)
{
    return block->transform == SBZ_TRANSFORM_NONE ? block->primary == 0 : block->primary < block->transformed;
}

/* Stored bytes are as many in the payload as enter the transform; with coded runs only the payload says how many. */
static bool stored_fits(const sbz_block *block)
{
    return block->entropy != SBZ_ENTROPY_STORED || block->runs != SBZ_RUNS_NONE || block->encoded == block->original;
}

static bool encoded_fits(const sbz_block *block, uint32_t block_limit)
{
    const uint32_t min_size = block->runs == SBZ_RUNS_NONE ? 1 : SBZ_RUNS_HEAD + 1;

    return block->encoded >= min_size && block->encoded <= block->original && block->encoded <= block_limit &&
           stored_fits(block);
}

uint32_t sbz_max_original(uint32_t block_limit, sbz_runs runs)
{
    const uint64_t max_size = (uint64_t)block_limit * (runs == SBZ_RUNS_NONE ? 1 : SBZ_MAX_RUN_RATIO);

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
        .transform = from[36],
        .ranking = from[37],
        .entropy = from[38],
        .runs = from[39],
    };
    block->transformed = block->original;
    return faultless(
        (const fault[]){{!starts_with(from, sbz_magic_block), "neither a block nor an index"},
                        {!sums(from, 40), "the header of the block is damaged"},
                        {block->original == 0, "the block has no bytes"},
                        {!stages_known(block), "an unknown stage"},
                        {block->original > sbz_max_original(block_limit, (sbz_runs)block->runs),
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
    const uint64_t flags = get(from + 11, 1);

    *block = (sbz_block){
        .checksum = get(from + 24, 8),
        .original = (uint32_t)get(from + 12, 4),
        .encoded = (uint32_t)get(from + 16, 4),
        .primary = (uint32_t)get(from + 20, 4),
        .transform = flags >> TRANSFORM_BIT & 1,
        .ranking = flags >> RANKING_BIT & 1,
        .entropy = from[10],
        .runs = flags >> RUNS_BIT & 1,
    };
    block->transformed = block->original;
    return faultless(
        (const fault[]){{!starts_with(from, sbz_magic_stream), "not the header of a stream"},
                        {!sums(from, 32), "the header of the stream is damaged"},
                        {from[8] != SBZ_VERSION, "an unknown version of the format"},
                        {from[SBZ_FORM] != SBZ_FORM_SHORT, "unknown flags"},
                        {flags >> FLAGS != 0 || !stages_known(block), "an unknown stage"},
                        {block->original == 0 && !no_block(from), "the block has no bytes"},
                        {block->original > SBZ_MAX_BLOCK, "a block limit that the format does not allow"},
                        {block->original != 0 && !encoded_fits(block, block->original),
                         "a payload size that the format does not allow"},
                        {block->original != 0 && !primary_fits(block), "a primary index outside the block"},
                        {false, NULL}},
        why);
}

void sbz_put_runs(uint8_t to[SBZ_RUNS_HEAD], const sbz_block *block)
{
    put(to, block->transformed, 4);
    put(to + 4, block->run_byte, 1);
}

bool sbz_get_runs(const uint8_t from[SBZ_RUNS_HEAD], uint32_t block_limit, sbz_block *block, const char **why)
{
    block->transformed = (uint32_t)get(from, 4);
    block->run_byte = from[4];
    return faultless(
        (const fault[]){
            {block->transformed == 0 || block->transformed > block->original || block->transformed > block_limit ||
                 (block->entropy == SBZ_ENTROPY_STORED && block->transformed != block->encoded - SBZ_RUNS_HEAD),
             "a run-length code that the format does not allow"},
            {!primary_fits(block), "a primary index outside the run-length code"},
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

void sbz_put_index_entry(uint8_t to[SBZ_INDEX_ENTRY], uint32_t original, uint32_t encoded)
{
    put(to, original, 4);
    put(to + 4, encoded, 4);
}

void sbz_get_index_entry(const uint8_t from[SBZ_INDEX_ENTRY], sbz_index_entry *entry)
{
    entry->original = (uint32_t)get(from, 4);
    entry->encoded = (uint32_t)get(from + 4, 4);
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
